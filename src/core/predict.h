/* SPDX-License-Identifier: MIT */
/* The language-model head on rows that somebody gathered. */
#pragma once

#include "attn/model.h"
#include "attn/pool.h"
#include "attn/trace.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* Returns: whether there is such a head; else false with @error: UNSUPPORTED. */
bool attn_predict_check_head (const AttnModel *model, GError **error);

/* Returns: whether @trace has such a token; else false with @error: SHAPE. */
bool attn_predict_check_position (const AttnTrace *trace, size_t position, GError **error);

/**
 * attn_predict_compute_logits:
 * @hidden: [n, d_model] f32 row-major: last hidden states
 * @logits: [n, vocab_size] written
 *
 * Returns: false with @error: TOO_LARGE. The model must have the head.
 */
bool attn_predict_compute_logits (const AttnModel *model,
                                  const float *hidden,
                                  size_t n,
                                  float *logits,
                                  AttnPool *pool,
                                  GError **error);

/* Returns: ln Σ exp (logit), in double. */
double attn_predict_compute_log_sum (const float *logits, size_t n);
