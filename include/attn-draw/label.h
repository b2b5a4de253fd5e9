/* SPDX-License-Identifier: MIT */
/* How a token is shown, in pictures and beside them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * attn_draw_visible_label:
 * @piece: a token's text, any bytes
 *
 * Returns: (transfer full): a non-empty text without line breaks in which blanks and control
 *   characters are visible signs, with a few combining marks a letter; cut at 48 characters.
 * Test: tests/draw/test-view.c
 */
char *attn_draw_visible_label (const char *piece);

G_END_DECLS
