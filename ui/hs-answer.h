/* SPDX-License-Identifier: MIT */
/* What one run of the model on a text gave, or a file's weights, in one immutable parcel. */
#pragma once

#include "hs-attention.h"

#include "attn-draw/panels.h"
#include "attn/maps.h"
#include "attn/predict.h"

#include <glib-object.h>

G_BEGIN_DECLS

/* Immutable and reference-counted; made on the engine's thread, read on the main thread. */
typedef struct {
  AttnMaps *maps;               /* referenced */
  HsAttention *attention;       /* (nullable) referenced: the file that they are of */
  AttnDrawPanels *panels;       /* referenced; nullable; for the view that was asked for */
  AttnDrawView *view;           /* owned; that view */
  GError *refusal;              /* owned; nullable: why its arrangement leaves no panels */
  AttnPredictions *predictions; /* owned; NULL where the model has no LM head or no mask is there */
  size_t max_tokens;            /* a text is cut to no more than these */
  gint64 elapsed_us;            /* tokenising, the forward pass and the panels */
} HsAnswer;

#define HS_TYPE_ANSWER (hs_answer_get_type ())
GType hs_answer_get_type (void) G_GNUC_CONST;

/* Returns: an answer with nothing in it, to be filled by who made it; for hs_answer_unref(). */
HsAnswer *hs_answer_new (void);

HsAnswer *hs_answer_ref (HsAnswer *answer);
void hs_answer_unref (HsAnswer *answer);

/* Returns: (nullable) (transfer none): the tokens of the run; NULL where the maps come from no
 * text.
 */
AttnTokens *hs_answer_peek_tokens (const HsAnswer *answer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsAnswer, hs_answer_unref)

G_END_DECLS
