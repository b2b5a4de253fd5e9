/* SPDX-License-Identifier: MIT */
/* A map as a picture needs it: its weights, or the largest of each block of them. */
#pragma once

#include "attn/maps.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Block (row, column) holds queries row × queries_per_row … and keys column × keys_per_column …;
 * the last ones may hold fewer. A block of which no cell may be seen is hidden. Between the first
 * and the last visible one of a row none is: rows' visible keys overlap, or touch. */
typedef struct {
  size_t layer, head;
  size_t n_queries, n_keys;                /* of the map */
  size_t queries_per_row, keys_per_column; /* both 1: the weights themselves */
  size_t n_rows, n_columns;
  bool is_signed;       /* of weights that may be below 0: the largest is the one farthest from 0 */
  const float *weights; /* [n_rows, n_columns] f32; NaN where a visible one of the block is no
                           finite number, but for blocks of one weight: they are as they are */
  const size_t *first, *end; /* [n_rows] columns that may be seen */
} AttnDrawBlocks;

/* What no softmax gives, and a picture has to tell. */
typedef enum {
  ATTN_DRAW_ODD_NAN = 1 << 0,
  ATTN_DRAW_ODD_INFINITE = 1 << 1,
  ATTN_DRAW_ODD_NEGATIVE = 1 << 2,                                    /* and finite */
  ATTN_DRAW_ODD_CROSSED = ATTN_DRAW_ODD_NAN | ATTN_DRAW_ODD_INFINITE, /* has no colour */
} AttnDrawOdd;

/* The largest of the weights that may be seen and are finite, at least 0; of signed ones how far it
 * is from 0. */
typedef struct {
  float max;
  unsigned odd; /* AttnDrawOdd of all that may be seen */
} AttnDrawPeak;

/* Returns: what is odd about one weight; in terms that become vector instructions. */
static inline unsigned
attn_draw_weight_find_odd (float weight)
{
  unsigned is_nan = weight != weight, is_infinite = fabsf (weight) > FLT_MAX;
  unsigned is_negative = (unsigned)(weight < 0) & (unsigned)(weight >= -FLT_MAX);

  return is_nan | is_infinite << 1 | is_negative << 2;
}

/* Sets the sizes for blocks of so many queries and keys. */
void attn_draw_blocks_init (AttnDrawBlocks *blocks,
                            const AttnMaps *maps,
                            size_t queries_per_row,
                            size_t keys_per_column);

static inline bool
attn_draw_blocks_is_pooled (const AttnDrawBlocks *blocks)
{
  return blocks->queries_per_row > 1 || blocks->keys_per_column > 1;
}

/**
 * attn_draw_blocks_find_visible:
 * @first,@end: [n_rows] columns that may be seen in @layer, written; both 0 where none may
 *
 * Returns: whether any block is hidden.
 */
bool attn_draw_blocks_find_visible (
    const AttnDrawBlocks *blocks, const AttnMaps *maps, size_t layer, size_t *first, size_t *end);

/**
 * attn_draw_blocks_pool:
 * @blocks:  its sizes are read
 * @weights: [n_queries, n_keys] f32 of a map of @layer
 * @pooled:  (nullable): [n_rows, n_columns] f32, written: the largest visible weight of each block,
 *           NaN where one of them is no finite number; what is hidden is 0
 *
 * Test: tests/draw/test-blocks.c, plain loops, exact.
 */
AttnDrawPeak attn_draw_blocks_pool (const AttnDrawBlocks *blocks,
                                    const AttnMaps *maps,
                                    size_t layer,
                                    const float *weights,
                                    float *pooled);
