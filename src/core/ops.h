/* SPDX-License-Identifier: MIT */
/* The small operations of a forward pass. All arrays are f32 row-major. */
#pragma once

#include "attn/config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Entries of AttnDistanceTerms.rows that repeat its ends, before the first and after the last. */
#define ATTN_DISTANCE_MARGIN 16

/* DeBERTa's further terms of a score: the query with what its distance to the key stands for, and
 * the same with the key. Rows of two small matrices, of which the distance picks one. */
typedef struct {
  const float *keys;    /* [n_rows/panel][d_k][panel] packed: what queries meet; NULL for none */
  const float *queries; /* the same for what keys meet */
  /* [2 n_tokens - 1] row for distance query - key, from -(n_tokens - 1) on, never falling, and a
   * margin on both sides; NULL: no such terms */
  const int32_t *rows;
} AttnDistanceTerms;

/* One head, all with row strides since q, k and v stand in a fused buffer. What a family does
 * without is 0. */
typedef struct {
  const float *q, *k; /* [n_tokens, d_k] */
  size_t ldq, ldk;
  size_t n_tokens, d_k;
  float scale;        /* mostly 1/√d_k */
  bool causal;        /* keys after the query are hidden */
  size_t hidden_from; /* keys at this distance and further are hidden; 0: none */
  /* (nullable): [2 n_tokens - 1] added for distance key - query, from -(n_tokens - 1) on */
  const float *bias;
  AttnDistanceTerms terms;
} AttnScoreCall;

/* Writes the range of keys that a query sees: it holds the query itself, and neither end moves back
 * from one query to the next. */
static inline void
attn_ops_get_visible (const AttnScoreCall *call, size_t query, size_t *first, size_t *end)
{
  const size_t reach = call->hidden_from > 0 ? call->hidden_from - 1 : call->n_tokens;
  const size_t last = call->causal ? query : query + reach;
  *first = query > reach ? query - reach : 0;
  *end = last < call->n_tokens ? last + 1 : call->n_tokens;
}

/**
 * attn_ops_scores:
 * @scores: [n_tokens, n_tokens] f32 row-major, written: scale · (q kᵀ + distance terms) + bias;
 *          -∞ for hidden keys
 *
 * Runs on the calling thread.
 * Test: tests/core/test-ops.c, tests/core/test-attend.c
 */
void attn_ops_scores (const AttnScoreCall *call, float *scores);

/* The same followed by softmax over the keys each query sees; hidden keys are exactly 0. */
void attn_ops_map (const AttnScoreCall *call, float *map);

/* out [n_tokens, d_k] (stride ldo) = weights [n_tokens, n_tokens] · v [n_tokens, d_k] (stride ldv).
 */
void attn_ops_mix_values (const float *weights,
                          const float *v,
                          size_t ldv,
                          size_t n_tokens,
                          size_t d_k,
                          float *out,
                          size_t ldo);

typedef struct _AttnPool AttnPool;

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
  const AttnPool *pool; /* nullable: asked again and again whether it is stopped; then it is left
                           at once, and what out has is worth nothing */
} AttnAttendCall;

/* Returns: f32 of scratch memory that attn_ops_attend() needs. */
size_t attn_ops_attend_scratch_size (const AttnScoreCall *call);

/**
 * attn_ops_attend:
 * @scratch: 64-byte aligned, attn_ops_attend_scratch_size() f32, overwritten
 *
 * out = map · v, a few rows of the map at a time while they are in the cache; hidden keys cost next
 * to nothing. The bits are those of attn_ops_map() and attn_ops_mix_values() one after the other,
 * if first_query is a multiple of ATTN_QUERIES_PER_PIECE and n_queries is that
 * many or all that are left; with kernels that promise the same bits, whatever the cut.
 *
 * Test: tests/core/test-ops.c
 */
void attn_ops_attend (const AttnAttendCall *call, float *scratch);

/* logits [n_rows, n_out] = x [n_rows, n_in] · rowsᵀ + bias, rows [n_out, n_in] plain row-major
 * (the tied decoder, which stays plain rows). bias may be NULL. */
void attn_ops_logits (const float *x,
                      size_t n_rows,
                      const float *rows,
                      const float *bias,
                      size_t n_in,
                      size_t n_out,
                      float *logits,
                      AttnPool *pool);
