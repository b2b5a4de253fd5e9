/* SPDX-License-Identifier: MIT */
/* The small operations of a forward pass. All arrays are f32 row-major. */
#pragma once

#include "attn/config.h"

#include <stddef.h>

/* x = act (x), in place, n elements. The formulas stand at AttnActivation. */
void attn_ops_activate (AttnActivation activation, float *x, size_t n);

/**
 * attn_ops_layer_norm:
 * @out:        [n_rows, width] written; may be @x itself
 * @gain,@bias: [width]; bias may be NULL
 *
 * (x - mean) / √(var + eps) · gain + bias with the biased variance, sums in double or pairwise so
 * that 1e-12 as eps is respected.
 * Source: Ba et al. 2016. Test: tests/core/test-ops.c
 */
void attn_ops_layer_norm (float *out,
                          const float *x,
                          const float *gain,
                          const float *bias,
                          size_t n_rows,
                          size_t width,
                          double eps);

/**
 * attn_ops_softmax_rows:
 * @x:     [n_rows, n] row stride ldx, in place
 *
 * Softmax of each row; the row's maximum is subtracted first. A row with NaN becomes NaN.
 * Test: tests/core/test-ops.c
 */
void attn_ops_softmax_rows (float *x, size_t ldx, size_t n_rows, size_t n);

/* One head, all with row strides since q, k and v stand in a fused buffer. */
typedef struct {
  const float *q, *k; /* [n_tokens, d_k] */
  size_t ldq, ldk;
  size_t n_tokens, d_k;
  float scale; /* 1/√d_k */
} AttnScoreCall;

/* scores [n_tokens, n_tokens] = scale · q kᵀ, on the calling thread. */
void attn_ops_scores (const AttnScoreCall *call, float *scores);

/* out [n_tokens, d_k] (stride ldo) = weights [n_tokens, n_tokens] · v [n_tokens, d_k] (stride ldv).
 */
void attn_ops_mix_values (const float *weights,
                          const float *v,
                          size_t ldv,
                          size_t n_tokens,
                          size_t d_k,
                          float *out,
                          size_t ldo);

/* Queries of a head for one piece of work. */
#define ATTN_QUERIES_PER_PIECE 128

/* Some queries of one head, from scores to mixed values. */
typedef struct {
  AttnScoreCall score;
  const float *v; /* [n_tokens, d_k], row stride ldv */
  size_t ldv;
  size_t first_query, n_queries;
  float *out; /* [n_tokens, d_k], row stride ldo; the chosen queries' rows are written */
  size_t ldo;
} AttnAttendCall;

/* Returns: f32 of scratch memory that attn_ops_attend() needs. */
size_t attn_ops_attend_scratch_size (size_t n_tokens, size_t d_k);

/**
 * attn_ops_attend:
 * @scratch: 64-byte aligned, attn_ops_attend_scratch_size() f32, overwritten
 *
 * out = softmax (scale · q kᵀ) v, a few rows of the map at a time while they are in the cache.
 * The bits are those of attn_ops_scores(), attn_ops_softmax_rows() and attn_ops_mix_values() one
 * after the other, if first_query is a multiple of ATTN_QUERIES_PER_PIECE and n_queries is that
 * many or all that are left; with kernels that promise the same bits, whatever the cut.
 *
 * Test: tests/core/test-ops.c
 */
void attn_ops_attend (const AttnAttendCall *call, float *scratch);

/* logits [n_rows, n_out] = x [n_rows, n_in] · rowsᵀ + bias, rows [n_out, n_in] plain row-major
 * (the tied decoder, which stays plain rows). bias may be NULL. */
typedef struct _AttnPool AttnPool;
void attn_ops_logits (const float *x,
                      size_t n_rows,
                      const float *rows,
                      const float *bias,
                      size_t n_in,
                      size_t n_out,
                      float *logits,
                      AttnPool *pool);
