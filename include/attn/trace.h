/* SPDX-License-Identifier: MIT */
/* What one forward pass left behind: enough to compute any head's map when somebody looks at it.
 *
 * Keeps O(layers × tokens × d_model) numbers, never the maps. Immutable and reference-counted. */
#pragma once

#include "attn/model.h"
#include "attn/tokens.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _AttnTrace AttnTrace;

typedef enum {
  ATTN_TAP_HIDDEN, /* index 0 … n_layers: [n_tokens, d_model] input of layer `index`; the last one
                      is what the model gives out, after its final norm if it has one */
  ATTN_TAP_QUERY,  /* index = layer: [n_tokens, d_model], head h in columns [h d_k, (h+1) d_k) */
  ATTN_TAP_KEY,    /* likewise, both as they enter the score */
  ATTN_TAP_VALUE,  /* likewise */
  ATTN_TAP_LAST, /* index 0: [n_tokens, d_model] what leaves the last layer, before a final norm */
} AttnTap;

AttnTrace *attn_trace_ref (AttnTrace *trace);
void attn_trace_unref (AttnTrace *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnTrace, attn_trace_unref)

/* Returns: (transfer none): the model that ran. */
AttnModel *attn_trace_peek_model (const AttnTrace *trace);

/* Returns: (nullable) (transfer none): NULL for attn_model_run_ids(). */
AttnTokens *attn_trace_peek_tokens (const AttnTrace *trace);

size_t attn_trace_get_n_tokens (const AttnTrace *trace);

/* Returns: (transfer none): [n_tokens] the ids that went in. */
const int32_t *attn_trace_peek_ids (const AttnTrace *trace);

/**
 * attn_trace_peek_tap:
 * @stride: (out): f32 elements from one token's row to the next
 *
 * Returns: (transfer none): f32 row-major, as the tap says; valid as long as the trace.
 */
const float *
attn_trace_peek_tap (const AttnTrace *trace, AttnTap tap, size_t index, size_t *stride);

/**
 * attn_trace_compute_map:
 * @layer,@head: from 0
 * @weights: [n_tokens, n_tokens] f32 row-major, written; row = query, column = key
 *
 * Computes softmax (q kᵀ / √d_k), with what else the family adds to a score, by the very kernel of
 * the forward pass: those that were used, so of a head with uniform weights these, and of a run on
 * another's patterns that run's.
 *
 * Units:   each row sums to 1 within 1e-5; hidden keys are exactly 0.
 * Threads: reentrant; BLAS runs on the calling thread.
 * Source:  Vaswani et al. 2017, equation 1.
 * Test:    tests/core/test-families.c
 */
void attn_trace_compute_map (const AttnTrace *trace, size_t layer, size_t head, float *weights);

/* The same before softmax; hidden keys are minus infinity. */
void attn_trace_compute_scores (const AttnTrace *trace, size_t layer, size_t head, float *scores);

/* Writes the keys [first, end) that @query may see in @layer: others are hidden. It holds the query
 * itself. */
void attn_trace_get_visible (
    const AttnTrace *trace, size_t layer, size_t query, size_t *first, size_t *end);

G_END_DECLS
