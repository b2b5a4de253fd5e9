/* SPDX-License-Identifier: MIT */
/* One side of a comparison: a model, a text, and what the model made of it.
 *
 * Explore has one side. "text", "pair" and "model" are the question, or "attention" alone while
 * there is one; "answer" is the newest result and may belong to an earlier question while a run is
 * under way. "coming" and "progress" tell of a model that is loaded to take the place of what is
 * there. Side B's model is asked for by its "name", and "trouble" tells why it could not be had;
 * side A leaves these two alone. */
#pragma once

#include "hs-answer.h"
#include "hs-attention.h"
#include "hs-types.h"

#include <glib-object.h>

#include <stdbool.h>

G_BEGIN_DECLS

#define HS_TYPE_SIDE (hs_side_get_type ())
G_DECLARE_FINAL_TYPE (HsSide, hs_side, HS, SIDE, GObject)

HsSide *hs_side_new (void);

/* Property "model" (HS_TYPE_MODEL). Returns: (nullable) (transfer none): NULL while it loads. */
AttnModel *hs_side_peek_model (HsSide *self);
void hs_side_set_model (HsSide *self, AttnModel *model);

/* Property "attention" (HS_TYPE_ATTENTION). Returns: (nullable) (transfer none): a file's weights
 * that are shown instead; model and texts stay what they are. */
HsAttention *hs_side_peek_attention (HsSide *self);
void hs_side_set_attention (HsSide *self, HsAttention *attention);

/* Property "wanted" (pointer to HsAttentionPlace): the file that was asked for, there already or on
 * its way; what a window's state keeps. Its path is NULL for none. */
const HsAttentionPlace *hs_side_peek_wanted (HsSide *self);
void hs_side_set_wanted (HsSide *self, const HsAttentionPlace *place);

/* Layers and heads of what the side shows; both 0 where neither attention nor model is there. */
void hs_side_get_size (HsSide *self, guint *n_layers, guint *n_heads);

/* Sentences about what is odd in what the side shows: the file, or else the model. */
size_t hs_side_get_n_warnings (HsSide *self);
const char *hs_side_peek_warning (HsSide *self, size_t index);

/* Property "text". Returns: (transfer none): never NULL. */
const char *hs_side_peek_text (HsSide *self);
void hs_side_set_text (HsSide *self, const char *text);

/* Property "pair". Returns: (nullable) (transfer none): the second text; NULL for none. */
const char *hs_side_peek_pair (HsSide *self);
void hs_side_set_pair (HsSide *self, const char *pair);

/* Property "is-cut" (boolean): whether the text or the second text was longer than hs-text-limit.h
 * allows, and only its beginning was taken. A field that cut it by itself notes that. */
bool hs_side_get_is_cut (HsSide *self);
void hs_side_note_cut (HsSide *self, bool is_pair);

/* Property "answer" (HS_TYPE_ANSWER). Returns: (nullable) (transfer none). */
HsAnswer *hs_side_peek_answer (HsSide *self);
void hs_side_set_answer (HsSide *self, HsAnswer *answer);

/* Both texts in one step, as an example or a file has them. @pair: (nullable) */
void hs_side_set_texts (HsSide *self, const char *text, const char *pair);

/* Property "name" (string; told also where it is set to what it is while a file is wanted, since
 * that one is not any more): the model that side B is to have: "demo", a folder, or "" for side
 * A's. Returns: (transfer none): never NULL. */
const char *hs_side_peek_name (HsSide *self);
void hs_side_set_name (HsSide *self, const char *name);

/* Properties "coming" (string, nullable): what the model that is being loaded is called; and
 * "progress" (double, 0 … 1): how much of it is there. */
const char *hs_side_peek_coming (HsSide *self);
double hs_side_get_progress (HsSide *self);
void hs_side_set_coming (HsSide *self, const char *coming, double progress);

/* Property "trouble" (string, nullable): why the model that was asked for last could not be had,
 * translated. */
const char *hs_side_peek_trouble (HsSide *self);
void hs_side_set_trouble (HsSide *self, const char *trouble);

/* Returns: (nullable) (transfer none): the model that was asked for last and could not be had: what
 * the next start should ask for again. Whoever sets a name gives it up. */
const char *hs_side_peek_missed (HsSide *self);
void hs_side_set_missed (HsSide *self, const char *name);

G_END_DECLS
