/* SPDX-License-Identifier: MIT */
/* Numbers that sum up a map. */
#pragma once

#include "attn/maps.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  size_t key;  /* index of the token */
  float value; /* its weight or mean weight */
} AttnAttended;

/**
 * attn_map_compute_column_means:
 * @means: [n_keys] f32, written: mean over all queries of the weight on each key
 *
 * A query of which any weight is not finite is left out; where that leaves none the means are NaN.
 * Of scores before softmax a query counts for the keys that it may see: those of the others are −∞.
 *
 * Units: those of the map; of weights 0 … 1; the means of a map whose rows sum to 1 sum to 1. Sums
 * are taken in double. Returns: how many queries were counted. Test:  tests/core/test-metrics.c,
 * plain loops.
 */
size_t attn_map_compute_column_means (const AttnMap *map, float *means);

/**
 * attn_top_attended:
 * @values: [n] f32
 * @top:    [k] written
 *
 * The @k largest values, largest first, equal ones by smaller index; NaN counts as smallest.
 *
 * Returns: how many were written: the smaller of @k and @n.
 */
size_t attn_top_attended (const float *values, size_t n, AttnAttended *top, size_t k);

G_END_DECLS
