/* SPDX-License-Identifier: MIT */
/* DeBERTa's terms of distances, added to a block of scores; included by a file that defines Vec,
 * LANES, vec_pick and vec_reverse, after kernels-transpose.h.
 *
 * Neighbouring distances have neighbouring columns, or the same: LANES of them are read as one
 * vector whose elements are then picked, not looked up one by one. */
#pragma once

#include "kernels-transpose.h"

#include <glib.h>

ALWAYS_INLINE VecInt
load_columns (const int32_t *columns)
{
  VecInt v;
  memcpy (&v, columns, sizeof v);
  return v;
}

/* The slow way, for distances with columns far apart. */
static __attribute__ ((noinline)) Vec
look_up_each (const float *row, const int32_t *columns, int32_t first_column)
{
  float v[LANES];
  for (size_t i = 0; i < LANES; i++)
    v[i] = row[columns[i] - first_column];
  return vec_load (v);
}

/* row[columns[i] - first_column] for LANES distances in turn. */
ALWAYS_INLINE Vec
look_up (const float *row, const int32_t *columns, int32_t first_column)
{
  const int32_t first = columns[0];
  if (G_UNLIKELY (columns[LANES - 1] - first >= LANES))
    return look_up_each (row, columns, first_column);
  return vec_pick (vec_load (row + (first - first_column)), load_columns (columns) - first);
}

/* The keys' part of LANES queries and as many keys: read key by key, for there distances follow
 * each other, and turned. The last key stands in for keys beyond the last. */
ALWAYS_INLINE void
gather_square (const AttnDistanceTile *tile, size_t query, size_t key, float *square)
{
  if (tile->by_keys == NULL) {
    memset (square, 0, LANES * LANES * sizeof *square);
    return;
  }
  float rows[LANES * LANES] __attribute__ ((aligned (64)));
#pragma GCC unroll 16
  for (size_t i = 0; i < LANES; i++) {
    const size_t own = key + i < tile->n_keys ? key + i : tile->n_keys - 1;
    const Vec v = look_up (tile->by_keys + own * tile->ld_terms,
                           tile->columns + (ptrdiff_t)query - (ptrdiff_t)own, tile->first_column);
    vec_store (rows + i * LANES, v);
  }
  transpose_square (square, LANES, rows, LANES);
}

/* scores of one query and LANES keys, of which n are there */
ALWAYS_INLINE void
add_to_row (const AttnDistanceTile *tile, size_t query, size_t key, const float *by_keys, size_t n)
{
  float *scores = tile->scores + query * tile->ld + key;
  Vec term = vec_load (by_keys);
  if (tile->by_queries != NULL)
    term = vec_reverse (look_up (tile->by_queries + query * tile->ld_terms,
                                 tile->columns + (ptrdiff_t)query - (ptrdiff_t)(key + LANES - 1),
                                 tile->first_column)) +
           term;
  if (n == LANES) {
    vec_store (scores, vec_load (scores) + term);
    return;
  }
  for (size_t i = 0; i < n; i++)
    scores[i] += term[i];
}

static void
add_distances (const AttnDistanceTile *tile)
{
  float square[LANES * LANES] __attribute__ ((aligned (64)));
  for (size_t query = 0; query < tile->n_queries; query += LANES) {
    const size_t n_queries = tile->n_queries - query < LANES ? tile->n_queries - query : LANES;
    for (size_t key = 0; key < tile->n_keys; key += LANES) {
      const size_t n_keys = tile->n_keys - key < LANES ? tile->n_keys - key : LANES;
      gather_square (tile, query, key, square);
      for (size_t i = 0; i < n_queries; i++)
        add_to_row (tile, query + i, key, square + i * LANES, n_keys);
    }
  }
}
