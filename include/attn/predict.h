/* SPDX-License-Identifier: MIT */
/* What the language-model head says: logits, and the best guesses at each [MASK], or, in a causal
 * model, for the token that would follow the text. */
#pragma once

#include "attn/pool.h"
#include "attn/progress.h"
#include "attn/trace.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *piece; /* owned by the model's tokenizer; "" for an id it does not name */
  const char *text;  /* likewise, as people read it: attn_tokenizer_peek_text() */
  int32_t id;
  float p; /* softmax over the vocabulary, 0 … 1 */
} AttnGuess;

typedef struct {
  size_t position; /* token the guesses are for, or that they follow: */
  bool next;       /* the guesses are for the token after `position`, the text's last */
  size_t n_guesses;
  AttnGuess *guesses; /* [n_guesses], best first; equal ones by smaller id */
} AttnPrediction;

typedef struct {
  size_t n;
  AttnPrediction *items; /* [n], by position */
  AttnTrace *trace;      /* referenced; keeps the model and with it the pieces alive */
} AttnPredictions;

/**
 * attn_trace_compute_logits:
 * @first,@n: rows (tokens) wanted; @first + @n ≤ n_tokens
 * @logits:   [n, vocab_size] f32 row-major, written
 *
 * Returns: false with @error: UNSUPPORTED (no LM head), TOO_LARGE.
 * Test: tests/core/test-families.c, golden data.
 */
bool attn_trace_compute_logits (
    const AttnTrace *trace, size_t first, size_t n, float *logits, AttnPool *pool, GError **error);

/**
 * attn_trace_predict:
 * @top_k: guesses for each mask; at most the vocabulary is given
 *
 * A causal model gives one entry, with `next`; others one for each mask.
 *
 * Returns: new predictions for attn_predictions_free(), none when such a text has no mask; or NULL
 *   with @error: UNSUPPORTED (no LM head), TOO_LARGE.
 */
AttnPredictions *
attn_trace_predict (AttnTrace *trace, size_t top_k, AttnPool *pool, GError **error);

/* Appends [{"position":P,"top":[{"token","id","p"}]}], with "next":true as items have it. */
void attn_predictions_append_json (GString *json, const AttnPredictions *predictions);

void attn_predictions_free (AttnPredictions *predictions);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnPredictions, attn_predictions_free)

G_END_DECLS
