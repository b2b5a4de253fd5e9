/* SPDX-License-Identifier: MIT */
/* Weights as colour codes: which cells are under a pixel, and which of their weights counts. */
#include "cells.h"

#include "panels-private.h"

#include <math.h>
#include <string.h>

#define HATCH_PERIOD 6.0 /* px between two lines of the hatching */
#define CROSS_PERIOD 8.0

AttnDrawSpan
attn_draw_cells_span (size_t pixel, size_t n_pixels, size_t n_cells)
{
  if (n_cells <= n_pixels) {
    size_t cell = (2 * pixel + 1) * n_cells / (2 * n_pixels);
    return (AttnDrawSpan){cell, cell + 1};
  }
  return (AttnDrawSpan){
      .first = pixel * n_cells / n_pixels,
      .end = ((pixel + 1) * n_cells + n_pixels - 1) / n_pixels,
  };
}

size_t
attn_draw_cells_to_device (double px, double scale)
{
  return (size_t)MAX (round (px * scale), 1);
}

AttnDrawPattern
attn_draw_cells_get_pattern (double scale)
{
  size_t line = attn_draw_cells_to_device (1, scale);
  return (AttnDrawPattern){
      .period = MAX (attn_draw_cells_to_device (HATCH_PERIOD, scale), 2 * line),
      .cross_period = MAX (attn_draw_cells_to_device (CROSS_PERIOD, scale), 2 * line),
      .line = line,
  };
}

/* The largest weight of each key drawn where all are seen and all are numbers, which is the usual
 * map: one plain loop that the compiler turns into vector instructions. */
static void
pool_plain_rows (const AttnDrawBlocks *blocks,
                 AttnDrawSpan rows,
                 AttnDrawSpan columns,
                 float *weights)
{
  const float *first = blocks->weights + columns.first;
  size_t n = attn_draw_span_get_n (&columns);

  memcpy (weights, first + rows.first * blocks->n_columns, n * sizeof *weights);
  for (size_t i = rows.first + 1; i < rows.end; i++) {
    const float *row = first + i * blocks->n_columns;
    for (size_t column = 0; column < n; column++)
      weights[column] = row[column] > weights[column] ? row[column] : weights[column];
  }
}

/* Whether @weight hides @other under one pixel: of signed ones the larger, whatever its sign.
 */
static inline bool
is_more (float weight, float other, bool is_signed)
{
  return is_signed ? fabsf (weight) > fabsf (other) : weight > other;
}

/* The same for any map; @codes tells which columns have a weight at all: 0 for those. */
static void
pool_rows (const AttnDrawBlocks *blocks,
           bool is_signed,
           AttnDrawSpan rows,
           AttnDrawSpan columns,
           float *weights,
           uint16_t *codes)
{
  for (size_t i = 0; i < attn_draw_span_get_n (&columns); i++)
    codes[i] = ATTN_DRAW_CODE_HIDDEN;
  for (size_t query = rows.first; query < rows.end; query++) {
    const float *row = blocks->weights + query * blocks->n_columns;
    size_t end = MIN (blocks->end[query], columns.end);
    for (size_t column = MAX (blocks->first[query], columns.first); column < end; column++) {
      size_t i = column - columns.first;
      if (!isfinite (row[column]) || codes[i] == ATTN_DRAW_CODE_NAN) {
        codes[i] = ATTN_DRAW_CODE_NAN;
      } else if (codes[i] == ATTN_DRAW_CODE_HIDDEN ||
                 is_more (row[column], weights[i], is_signed)) {
        codes[i] = 0;
        weights[i] = row[column];
      }
    }
  }
}

AttnDrawSpan
attn_draw_cells_find_blocks (AttnDrawSpan cells, size_t per_block)
{
  return (AttnDrawSpan){cells.first / per_block, (cells.end - 1) / per_block + 1};
}

AttnDrawSpan
attn_draw_cells_get_rows (const AttnDrawLayout *layout, size_t panel)
{
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, panel);
  return attn_draw_cells_find_blocks (attn_draw_layout_get_rows (layout, panel),
                                      blocks->queries_per_row);
}

AttnDrawSpan
attn_draw_cells_get_columns (const AttnDrawLayout *layout, size_t panel)
{
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, panel);
  return attn_draw_cells_find_blocks (attn_draw_layout_get_columns (layout, panel),
                                      blocks->keys_per_column);
}

void
attn_draw_cells_code_row (const AttnDrawLayout *layout,
                          size_t panel,
                          const AttnDrawCoder *coder,
                          AttnDrawSpan queries,
                          float *weights,
                          uint16_t *codes)
{
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, panel);
  AttnDrawSpan rows = attn_draw_cells_find_blocks (queries, blocks->queries_per_row);
  AttnDrawSpan columns = attn_draw_cells_get_columns (layout, panel);
  size_t n_columns = attn_draw_span_get_n (&columns);

  if (coder->is_signed || attn_draw_panels_has_hidden (layout->panels) ||
      (attn_draw_panels_get_odd (layout->panels) & ATTN_DRAW_ODD_CROSSED) != 0) {
    pool_rows (blocks, coder->is_signed, rows, columns, weights, codes);
  } else {
    pool_plain_rows (blocks, rows, columns, weights);
    memset (codes, 0, n_columns * sizeof *codes);
  }
  for (size_t i = 0; i < n_columns; i++) {
    if (codes[i] != 0)
      continue;
    bool is_apart = attn_draw_coder_is_apart (coder, weights[i]);
    codes[i] = is_apart ? ATTN_DRAW_CODE_ZERO : (uint16_t)attn_draw_coder_code (coder, weights[i]);
  }
}

size_t
attn_draw_cells_count_colors (const AttnDrawLayout *layout, size_t panel)
{
  bool is_signed = attn_draw_panels_is_signed (layout->panels, panel);
  return is_signed ? ATTN_DRAW_N_COLORS - 1 : ATTN_DRAW_N_COLORS;
}
