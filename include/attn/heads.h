/* SPDX-License-Identifier: MIT */
/* Why several heads: how far the heads of a layer look at different things, and what one wide head
 * in their place would see.
 *
 * Letters: T tokens, h heads, D = d_model. */
#pragma once

#include "attn/maps.h"
#include "attn/pool.h"
#include "attn/steps.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/**
 * attn_heads_compute_distance:
 * @a,@b: [n_queries, n_keys] f32 row-major, read
 *
 * Returns: the Jensen–Shannon divergence, no root taken: Σ over the queries of JS (P, Q) = ½ Σ P ln
 * (P/M) + ½ Σ Q ln (Q/M), M = (P + Q)/2, where P = 0.999 a + 0.001/n_keys and Q likewise of b:
 * nats, 0 … n_queries ln 2. Sums are in double. Source: Clark et al. 2019, section 6. Test:
 * tests/core/test-heads.c, golden data.
 */
double
attn_heads_compute_distance (const float *a, const float *b, size_t n_queries, size_t n_keys);

/**
 * attn_heads_compute_distances:
 * @pool:      (nullable): where it has a stop, that is asked between heads
 * @distances: [h, h] written: attn_heads_compute_distance() of two heads of the layer, divided by
 *             the queries
 *
 * Returns: false with @error: TOO_LARGE, CANCELLED, or what the maps' source says; @distances are
 *   worth nothing then.
 */
bool attn_heads_compute_distances (
    AttnMaps *maps, size_t layer, AttnPool *pool, double *distances, GError **error);

/* One head as wide as the model, in a layer's place. */
typedef struct {
  AttnMatrix *map;    /* [T, T] softmax (Q Kᵀ / √D), over all columns of Q and K */
  AttnMatrix *output; /* [T, D] (map · V) W_Oᵀ + b_O */
  double lost;        /* |output - the layer's own output| / |the layer's own output|, Frobenius */
} AttnOneHead;

/**
 * attn_heads_merge:
 *
 * What a query, a key and a value see is the same; only the view is one, so each token has one way
 * of looking instead of h. What a family adds to scores for distances differs from head to head
 * and is left out.
 *
 * Returns: (transfer full): for attn_one_head_free(), or NULL with @error: TOO_LARGE.
 * Test: tests/core/test-heads.c: with one head nothing is lost; plain loops.
 */
AttnOneHead *attn_heads_merge (const AttnTrace *trace, size_t layer, GError **error);

void attn_one_head_free (AttnOneHead *one);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnOneHead, attn_one_head_free)

/* All heads of one layer, for comparing them. Immutable, and shared by reference between threads.
 */
typedef struct {
  gatomicrefcount ref_count; /* attn_layer_heads_ref()'s */
  AttnMaps *maps;            /* of the trace; referenced */
  size_t layer, n_heads, n_tokens;
  float *weights;             /* [h, T, T] f32 row-major: the heads' maps; owned */
  double *distances;          /* [h, h] as attn_heads_compute_distances() has them; owned */
  size_t alike[2], unlike[2]; /* the two heads that are nearest and farthest, the first such pair in
                                 reading order; both 0 where no pair has a distance */
  size_t n_unknown;           /* pairs whose distance is NaN, as some of their weights are */
  AttnOneHead *one;           /* owned */
} AttnLayerHeads;

/**
 * attn_layer_heads_new:
 * @pool: (nullable): where it has a stop, that is asked between heads
 *
 * Returns: (transfer full): for attn_layer_heads_unref(), or NULL with @error: TOO_LARGE,
 *   CANCELLED.
 * Test: tests/core/test-heads.c
 */
AttnLayerHeads *
attn_layer_heads_new (AttnTrace *trace, size_t layer, AttnPool *pool, GError **error);

/* Any thread; there must be a reference already. Returns: @heads. */
AttnLayerHeads *attn_layer_heads_ref (AttnLayerHeads *heads);

void attn_layer_heads_unref (AttnLayerHeads *heads);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnLayerHeads, attn_layer_heads_unref)

G_END_DECLS
