/* SPDX-License-Identifier: MIT */
/* The terms that pages of the lab use, each explained in one sentence: all in one place. */
#pragma once

#include "attn/steps.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  HS_TERM_TOKEN,
  HS_TERM_EMBEDDING,
  HS_TERM_DIMENSION,
  HS_TERM_T,
  HS_TERM_D_MODEL,
  HS_TERM_HEAD,
  HS_TERM_H,
  HS_TERM_D_K,
  HS_TERM_PARAMETER,
  HS_TERM_BIAS,
  HS_TERM_DOT_PRODUCT,
  HS_TERM_LOGITS,
  HS_TERM_SOFTMAX,
  HS_TERM_MASK,
  HS_TERM_RESIDUAL,
  HS_TERM_LAYER_NORM,
  HS_TERM_FEED_FORWARD,
  HS_TERM_BLOCK,
  HS_TERM_DIVERGENCE,
  HS_TERM_NATS,
  HS_TERM_MULTIPLY_ADD,
  HS_TERM_LOSS,
  HS_TERM_SEED,
  HS_N_TERMS
} HsTerm;

/* Several terms are a set of these. */
#define HS_TERM_BIT(term) (1u << (term))

/* Returns: (transfer none): translated: what a page calls it, and what that is. */
const char *hs_term_peek_name (HsTerm term);
const char *hs_term_peek_sentence (HsTerm term);

/* Returns: the set of those that the pipeline's step uses. */
guint hs_terms_get_of_step (AttnStep step);

G_END_DECLS
