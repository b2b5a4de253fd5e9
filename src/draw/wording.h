/* SPDX-License-Identifier: MIT */
/* The parts of a picture's sentences that several files make together. */
#pragma once

#include "plain-text.h"

#include "attn-draw/view.h"

#include <glib.h>

#include <stddef.h>

/* What ATTN_DRAW_RANGE_AUTO stands for in this view; another range is returned as it is. */
AttnDrawRange attn_draw_view_resolve_range (const AttnDrawView *view);

/* Returns: (transfer full) (nullable): "Layer 3 · mean of heads 1, 4, 7 · attention weights" for a
 * view of combined heads, NULL for another. @translate: not NULL. */
char *attn_draw_combined_title (const AttnDrawView *view, AttnDrawTranslate translate, void *data);

/* Returns: (transfer full) (nullable): "Layer 3 · head 5 · value zeroing" and the like, combined
 * heads too; NULL for the weights themselves. @translate: not NULL. */
char *attn_draw_lens_title (const AttnDrawView *view, AttnDrawTranslate translate, void *data);

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
 * one line and cut. @translate: not NULL. */
char *
attn_draw_make_subtitle (const AttnDrawSubject *subject, AttnDrawTranslate translate, void *data);

/* An AttnDrawTranslate for those who give none. */
const char *attn_draw_stay_english (const char *english, void *data);

/* @string: (inout) (nullable): freed, and set to @text, which is taken. */
void attn_draw_set_string (char **string, char *text);
