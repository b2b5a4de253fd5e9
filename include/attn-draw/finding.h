/* SPDX-License-Identifier: MIT */
/* What papers found about heads, told of one run in a sentence or two; in any of our languages. */
#pragma once

#include "attn/finding.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * attn_draw_finding_dup_sentence:
 * @closing:   what the template's closing token is called, "[SEP]"; nullable: there is none
 * @translate: (nullable): of English sentences
 *
 * Returns: (transfer full): whether the finding shows itself, and the numbers that say so: whole
 *   sentences.
 * Test: tests/draw/test-finding.c
 */
char *attn_draw_finding_dup_sentence (const AttnFindingResult *result,
                                      const char *closing,
                                      const char *(*translate) (const char *english, void *data),
                                      void *data);

/* Returns: (nullable) (transfer none): what closes @trace's text, as in its tokens: the last one
 * that the template added, behind the text. */
const char *attn_draw_finding_peek_closing (const AttnTrace *trace);

G_END_DECLS
