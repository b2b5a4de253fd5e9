/* SPDX-License-Identifier: MIT */
/* Shell lines of headscope-cli lab for what is no picture. */
#pragma once

#include "attn-draw/picture.h"
#include "attn/code.h"
#include "attn/finding.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/**
 * attn_draw_code_dup_command:
 * @picture:     what it is of (model, text), and the language
 * @layer,@head: from 0
 *
 * Returns: (transfer full): the line that writes the same code at @path.
 * Test: tests/ui/test-lab-code.c: it writes the very same.
 */
char *attn_draw_code_dup_command (
    const AttnDrawPicture *picture, AttnCode code, size_t layer, size_t head, const char *path);

/* Returns: (transfer full): the line that looks for @finding in the same text, as JSON. */
char *attn_draw_finding_dup_command (const AttnDrawPicture *picture, AttnFinding finding);

G_END_DECLS
