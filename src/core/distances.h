/* SPDX-License-Identifier: MIT */
/* What positions and distances between tokens stand for: buckets, rotary angles, and DeBERTa's
 * projections of distances, made once per model since they come from weights alone. */
#pragma once

#include "block.h"
#include "weights.h"

#include "attn/pool.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Everything points into `block`; all NULL in families that do without. */
typedef struct {
  float *keys;      /* [layer weights, n_heads, head_size]: packed [2 span, d_k] of each head */
  float *queries;   /* the same; either is NULL where pos_att_type leaves it out */
  size_t head_size; /* f32 */
  AttnBlock block;
} AttnDistances;

/* Makes the projections of a model whose weights are in place. Returns: false with @error:
 * TOO_LARGE; @distances is then empty. */
bool attn_distances_init (AttnDistances *distances,
                          const AttnWeights *weights,
                          AttnPool *pool,
                          GError **error);

void attn_distances_clear (AttnDistances *distances);

/* Returns: MPNet's bucket of 32 for a distance key - query, as in T5: single distances up to 7 on
 * either side, then logarithmically up to 128.
 * Source: Raffel et al. 2020, section 2.1. Test: tests/core/test-distances.c, golden data. */
size_t attn_distance_get_mpnet_bucket (ptrdiff_t distance);

/* Returns: DeBERTa's bucket for a distance query - key, from -n_buckets + 1 to n_buckets - 1;
 * without buckets the distance itself.
 * Source: He et al. 2021 (DeBERTa-v2's code). Test: tests/core/test-distances.c, golden data. */
ptrdiff_t attn_distance_get_deberta_bucket (const AttnRelative *relative, ptrdiff_t distance);

/* Writes MPNet's bias of one head for distances key - query, from -(n_tokens - 1) on:
 * [2 n_tokens - 1]. */
void
attn_distance_fill_bias (const AttnWeights *weights, size_t head, size_t n_tokens, float *bias);

/* Writes which of the 2 span rows DeBERTa takes for distances query - key, from -(n_tokens - 1) on:
 * [2 n_tokens - 1], and ATTN_DISTANCE_MARGIN more on both sides, which repeat the ends. */
void attn_distance_fill_rows (const AttnRelative *relative, size_t n_tokens, int32_t *rows);

/**
 * attn_rotation_fill:
 * @angles: [n_tokens, d_k] written: of each row the first half cosines, the second half sines
 *
 * Angles position · theta^(-2j/d_k), in single precision throughout, as the reference has them:
 * at position 8191 they are off by 1e-4, and maps with them.
 * Source: Su et al. 2021. Test: tests/core/test-distances.c, golden data.
 */
void attn_rotation_fill (float *angles, size_t n_tokens, size_t d_k, double theta);

/* Turns one head of one token, [d_k] in place, by a row of angles: element j with j + d_k/2. */
void attn_rotation_apply (float *x, const float *angles, size_t d_k);
