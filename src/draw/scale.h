/* SPDX-License-Identifier: MIT */
/* From a weight to its place on the colour map, on any of the scales: the one rule of cells, values
 * and the colour bar. */
#pragma once

#include "layout-private.h"

#include <stddef.h>

#define ATTN_DRAW_LOG_DECADES 4 /* powers of ten below the range's end that have colours */
#define ATTN_DRAW_N_COLORS 256

/* How one panel's weights become colours. */
typedef struct {
  AttnDrawScale scale; /* of signed weights always linear */
  bool is_signed;      /* from −max to max, the colours of attn_draw_diverging_index() */
  float max;           /* the range's end */
  float least[ATTN_DRAW_N_COLORS]; /* but for the linear scale: the smallest weight of each colour,
                                      rising; of the first colour it means nothing */
} AttnDrawCoder;

void attn_draw_coder_init (AttnDrawCoder *coder, const AttnDrawLayout *layout, size_t panel);

/* Gives the range another end than the layout has. */
void attn_draw_coder_set_max (AttnDrawCoder *coder, float max);

/**
 * attn_draw_coder_code:
 * @weight: not NaN
 *
 * Returns: 0 … 255, the index of a colour. Exactly 0 is told apart by attn_draw_coder_is_apart().
 */
unsigned attn_draw_coder_code (const AttnDrawCoder *coder, float weight);

/* Returns: whether @weight is a zero that has no place on the scale: it has no logarithm, and it is
 * not ranked. */
static inline bool
attn_draw_coder_is_apart (const AttnDrawCoder *coder, float weight)
{
  return coder->scale != ATTN_DRAW_SCALE_LINEAR && weight == 0;
}

/* Returns: where on the bar the value of a tick is, 0 bottom … 1 top: of a weight, or on the scale
 * of ranks of a share. */
double attn_draw_scale_place (AttnDrawScale scale, double value, double max);

/**
 * attn_draw_ranks_find:
 * @weights: [n_queries, n_keys] f32 row-major
 * @first,@end: [n_queries] visible keys of each query; others do not count, nor do 0 and NaN
 * @least: [ATTN_DRAW_N_COLORS] written, as in AttnDrawCoder: colour c begins where the share of the
 *         other weights that are smaller, times 255 and rounded, is c
 *
 * Order statistics by counting, in three passes over the map and memory that does not grow with it.
 *
 * Test: tests/draw/test-scale.c, against sorting.
 */
void attn_draw_ranks_find (const float *weights,
                           size_t n_queries,
                           size_t n_keys,
                           const size_t *first,
                           const size_t *end,
                           float *least);
