/* SPDX-License-Identifier: MIT */
/* Small work on people's text: making it one visible line, cutting it, filling in numbers. */
#pragma once

#include "attn-draw/view.h"

#include <glib.h>

#include <stddef.h>

/**
 * attn_draw_fill:
 * @format: may hold %s, %zu, %2$s and the like, and %%; anything else stands for itself, so that a
 *          wrong translation gives an odd sentence and never a crash
 * @arguments: [n_arguments] texts
 *
 * Returns: (transfer full): the text.
 */
char *attn_draw_fill (const char *format, const char *const *arguments, size_t n_arguments);

/**
 * attn_draw_cut:
 * @text: valid UTF-8
 * @max_characters: as a person counts them, > 0
 *
 * Returns: (transfer full): @text, or its first characters and an ellipsis, @max_characters in all.
 */
char *attn_draw_cut (const char *text, size_t max_characters);

/* Returns: (transfer full): @text so that its direction of writing does not reach beyond it. */
char *attn_draw_isolate (const char *text);

/* Returns: (transfer full): @text on one line, blanks joined, without what is not visible. */
char *attn_draw_one_line (const char *text);

/**
 * attn_draw_visible_label:
 * @piece: a token's text, any bytes
 *
 * Returns: (transfer full): a non-empty text without line breaks in which blanks and control
 *   characters are visible signs; cut at 48 characters.
 */
char *attn_draw_visible_label (const char *piece);

/* What ATTN_DRAW_RANGE_AUTO stands for in this view; another range is returned as it is. */
AttnDrawRange attn_draw_view_resolve_range (const AttnDrawView *view);

/* Returns: (transfer full) (nullable): "Layer 3 · mean of heads 1, 4, 7 · attention weights" for a
 * view of combined heads, NULL for another. @translate: not NULL. */
char *attn_draw_combined_title (const AttnDrawView *view, AttnDrawTranslate translate, void *data);

/* Returns: (transfer full): "Layer 3 · heads 1, 4, 7 · attention weights", for a view in which the
 * arrangement's heads stand each by itself. @translate: not NULL. */
char *attn_draw_chosen_title (const AttnDrawView *view, AttnDrawTranslate translate, void *data);

/* Returns: (nullable): what combined heads are, in English, as a small title over their map. */
const char *attn_draw_combined_name (const AttnArrangement *arrangement);

/* Returns: (transfer full): what else the view's arrangement did, "between words · rows
 * renormalised"; "" for nothing. @translate: not NULL. */
char *
attn_draw_arrangement_notes (const AttnDrawView *view, AttnDrawTranslate translate, void *data);

/* Returns: (transfer full): "model · text | second text", what is NULL or empty left out; texts on
 * one line and cut. */
char *attn_draw_make_subtitle (const char *model_name, const char *text, const char *pair);

/* Returns: (transfer none): English, the range of A and B with a place for its end. */
const char *attn_draw_choose_compared_range (const AttnDrawView *view);
