/* SPDX-License-Identifier: MIT */
/* The product of rows and one panel; included by a file that defines Vec, LANES and TILE_ROWS. */
#pragma once

#include "kernels-maths.h"

#define PANEL (2 * LANES)
#define BLOCK_ROWS 24 /* a multiple of every TILE_ROWS */
#define SAME_BITS true
#define IS_THERE NULL
#define FROM_LIBRARY false

/* What a tile of up to TILE_ROWS rows reads: a row of the panel is used for all of them while it is
 * in registers. */
typedef struct {
  const float *a;
  size_t lda;
  const float *panel;
  size_t n_in;
  const char *fetch; /* the tile's share of what is fetched meanwhile */
  size_t fetch_step; /* bytes a step */
} Tile;

/* Bytes, and cache lines, of one row of a panel. */
#define ROW_BYTES (PANEL * sizeof (float))
#define ROW_LINES ((ROW_BYTES + 63) / 64)

/* sums [n_rows, PANEL] = a · panel. @n_rows is a constant in each caller, which keeps the sums in
 * registers. */
ALWAYS_INLINE void
sum_tile (const Tile *tile, float *sums, const size_t n_rows)
{
  const float *a = tile->a, *panel = tile->panel;
  const size_t lda = tile->lda, n_in = tile->n_in, fetch_step = tile->fetch_step;
  const char *fetch = tile->fetch;
  Vec low[TILE_ROWS], high[TILE_ROWS];
#pragma GCC unroll 8
  for (size_t row = 0; row < n_rows; row++)
    low[row] = high[row] = vec_of (0);
  for (size_t k = 0; k < n_in; k++, panel += PANEL, fetch += fetch_step) {
    Vec panel_low = vec_load (panel), panel_high = vec_load (panel + LANES);
    /* into the second-level cache: the first is full of what is in use */
#pragma GCC unroll 2
    for (size_t line = 0; line < ROW_LINES; line++)
      __builtin_prefetch (fetch + line * 64, 0, 2);
#pragma GCC unroll 8
    for (size_t row = 0; row < n_rows; row++) {
      Vec x = vec_of (a[row * lda + k]);
      low[row] = vec_fma (x, panel_low, low[row]);
      high[row] = vec_fma (x, panel_high, high[row]);
    }
  }
#pragma GCC unroll 8
  for (size_t row = 0; row < n_rows; row++) {
    vec_store (sums + row * PANEL, low[row]);
    vec_store (sums + row * PANEL + LANES, high[row]);
  }
}

static void
sum_rows (const Tile *tile, float *sums, size_t n_rows)
{
  switch (n_rows) {
  case 1:
    sum_tile (tile, sums, 1);
    break;
  case 2:
    sum_tile (tile, sums, 2);
    break;
  case 3:
    sum_tile (tile, sums, 3);
    break;
  case 4:
    sum_tile (tile, sums, 4);
    break;
  case 5:
    sum_tile (tile, sums, 5);
    break;
  case 6:
    sum_tile (tile, sums, 6);
    break;
#if TILE_ROWS == 8
  case 7:
    sum_tile (tile, sums, 7);
    break;
  case 8:
    sum_tile (tile, sums, 8);
    break;
#endif
  }
}

/* What goes into one row of c; bias and add have a whole panel. */
typedef struct {
  const float *sums, *bias, *add;
} RowParts;

ALWAYS_INLINE void
finish_row (const AttnProduct *product, const RowParts *parts, float *c)
{
  for (size_t j = 0; j < PANEL; j += LANES) {
    Vec y = vec_load (parts->sums + j) * product->scale + vec_load (parts->bias + j);
    if (product->after == ATTN_AFTER_ACTIVATION)
      y = vec_activate (product->activation, y);
    else if (product->after == ATTN_AFTER_ADD)
      y += vec_load (parts->add + j);
    vec_store (c + j, y);
  }
}

/* The same where the panel is wider than c. */
static void
finish_edge_row (const AttnProduct *product, RowParts parts, float *c)
{
  float edge[PANEL] = {0};
  if (product->after == ATTN_AFTER_ADD)
    memcpy (edge, parts.add, product->n_cols * sizeof *c);
  parts.add = edge;
  finish_row (product, &parts, edge);
  memcpy (c, edge, product->n_cols * sizeof *c);
}

static void
multiply (const AttnProduct *product)
{
  float sums[TILE_ROWS * PANEL] __attribute__ ((aligned (64)));
  float bias[PANEL] = {0};
  if (product->bias != NULL)
    memcpy (bias, product->bias, product->n_cols * sizeof *bias);
  const size_t n_tiles = (product->n_rows + TILE_ROWS - 1) / TILE_ROWS;
  for (size_t i = 0; i < n_tiles; i++) {
    /* tiles of nearly equal height; a row's sum is the same in each */
    const size_t first = product->n_rows * i / n_tiles;
    const size_t n_rows = product->n_rows * (i + 1) / n_tiles - first;
    Tile tile = {
        .a = product->a + first * product->lda,
        .lda = product->lda,
        .panel = product->panel,
        .n_in = product->n_in,
        .fetch = (const char *)product->panel,
    };
    if (product->next != NULL) {
      tile.fetch_step = ROW_BYTES / n_tiles;
      tile.fetch = (const char *)product->next + i * tile.fetch_step * product->n_in;
    }
    sum_rows (&tile, sums, n_rows);
    for (size_t row = 0; row < n_rows; row++) {
      const size_t at = (first + row) * product->ldc;
      const RowParts parts = {sums + row * PANEL, bias,
                              product->after == ATTN_AFTER_ADD ? product->add + at : NULL};
      if (product->n_cols == PANEL)
        finish_row (product, &parts, product->c + at);
      else
        finish_edge_row (product, parts, product->c + at);
    }
  }
}
