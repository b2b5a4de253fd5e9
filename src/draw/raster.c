/* SPDX-License-Identifier: MIT */
/* Cells as pixels: repeated when enlarged, pooled by their largest when shrunk. */
#include "cells.h"
#include "panels-private.h"

#include "attn-draw/paint.h"

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

/* The largest weight of each key where all are seen and all are numbers, which is the usual map:
 * one plain loop that the compiler turns into vector instructions. */
static void
pool_plain_rows (const AttnDrawBlocks *blocks, AttnDrawSpan rows, float *weights)
{
  size_t n = blocks->n_columns;

  memcpy (weights, blocks->weights + rows.first * n, n * sizeof *weights);
  for (size_t i = rows.first + 1; i < rows.end; i++) {
    const float *row = blocks->weights + i * n;
    for (size_t column = 0; column < n; column++)
      weights[column] = row[column] > weights[column] ? row[column] : weights[column];
  }
}

/* The same for any map; @codes tells which columns have a weight at all: 0 for those. */
static void
pool_rows (const AttnDrawBlocks *blocks, AttnDrawSpan rows, float *weights, uint16_t *codes)
{
  for (size_t column = 0; column < blocks->n_columns; column++)
    codes[column] = ATTN_DRAW_CODE_HIDDEN;
  for (size_t i = rows.first; i < rows.end; i++) {
    const float *row = blocks->weights + i * blocks->n_columns;
    for (size_t column = blocks->first[i]; column < blocks->end[i]; column++) {
      if (isnan (row[column]) || codes[column] == ATTN_DRAW_CODE_NAN) {
        codes[column] = ATTN_DRAW_CODE_NAN;
      } else if (codes[column] == ATTN_DRAW_CODE_HIDDEN || row[column] > weights[column]) {
        codes[column] = 0;
        weights[column] = row[column];
      }
    }
  }
}

/* The blocks that hold any of the cells. */
static AttnDrawSpan
find_blocks (AttnDrawSpan cells, size_t per_block)
{
  return (AttnDrawSpan){cells.first / per_block, (cells.end - 1) / per_block + 1};
}

void
attn_draw_cells_code_row (const AttnDrawLayout *layout,
                          size_t panel,
                          AttnDrawSpan queries,
                          float *weights,
                          uint16_t *codes)
{
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, panel);
  AttnDrawSpan rows = find_blocks (queries, blocks->queries_per_row);
  float max = attn_draw_panels_get_max (layout->panels, panel);

  if (attn_draw_panels_has_hidden (layout->panels) || attn_draw_panels_has_nan (layout->panels)) {
    pool_rows (blocks, rows, weights, codes);
  } else {
    pool_plain_rows (blocks, rows, weights);
    memset (codes, 0, blocks->n_columns * sizeof *codes);
  }
  for (size_t column = 0; column < blocks->n_columns; column++)
    if (codes[column] == 0)
      codes[column] = (uint16_t)attn_draw_color_index (weights[column], max);
}

/* Of the codes under one pixel: NaN before all, then the largest weight, hidden only when all are.
 */
static uint16_t
pool_codes (const uint16_t *codes, AttnDrawSpan columns)
{
  uint16_t pooled = codes[columns.first];

  for (size_t column = columns.first + 1; column < columns.end; column++) {
    uint16_t code = codes[column];
    if (code == ATTN_DRAW_CODE_NAN || pooled == ATTN_DRAW_CODE_NAN)
      pooled = ATTN_DRAW_CODE_NAN;
    else if (pooled == ATTN_DRAW_CODE_HIDDEN || (code != ATTN_DRAW_CODE_HIDDEN && code > pooled))
      pooled = code;
  }
  return pooled;
}

/* What all rows of one panel's pixels share. */
typedef struct {
  const AttnDrawInk *ink;
  const uint32_t *lut;
  AttnDrawPattern pattern;
  size_t width;
  AttnDrawSpan *spans;   /* [width] columns of blocks under each column of pixels */
  uint16_t *pixel_codes; /* [width] */
} Raster;

static uint32_t
get_pattern_color (const Raster *raster, uint16_t code, size_t x, size_t y)
{
  const AttnDrawPattern *pattern = &raster->pattern;

  if (code == ATTN_DRAW_CODE_HIDDEN) {
    bool on_line = (x + y) % pattern->period < pattern->line;
    return on_line ? raster->ink->hidden_line : raster->ink->hidden;
  }
  size_t period = pattern->cross_period;
  bool falling = (x + period - y % period) % period < pattern->line;
  bool rising = (x + y) % period < pattern->line;
  return falling || rising ? raster->ink->not_a_number_line : raster->ink->not_a_number;
}

/* Returns: whether the row's pixels depend on their place, too. */
static bool
find_pixel_codes (Raster *raster, const uint16_t *codes)
{
  bool has_pattern = false;

  for (size_t x = 0; x < raster->width; x++) {
    raster->pixel_codes[x] = pool_codes (codes, raster->spans[x]);
    has_pattern |= raster->pixel_codes[x] >= ATTN_DRAW_CODE_HIDDEN;
  }
  return has_pattern;
}

static void
fill_row (const Raster *raster, size_t y, uint32_t *pixels)
{
  for (size_t x = 0; x < raster->width; x++) {
    uint16_t code = raster->pixel_codes[x];
    pixels[x] =
        code < ATTN_DRAW_CODE_HIDDEN ? raster->lut[code] : get_pattern_color (raster, code, x, y);
  }
}

void
attn_draw_cells_raster (const AttnDrawLayout *layout,
                        size_t panel,
                        size_t width,
                        size_t height,
                        double scale,
                        uint32_t *pixels,
                        size_t stride)
{
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, panel);
  g_autofree AttnDrawSpan *spans = g_new (AttnDrawSpan, width);
  g_autofree uint16_t *pixel_codes = g_new (uint16_t, width);
  g_autofree uint16_t *codes = g_new (uint16_t, blocks->n_columns);
  g_autofree float *weights = g_new (float, blocks->n_columns);
  Raster raster = {
      .ink = layout->ink,
      .lut = attn_draw_color_map_peek_lut (layout->view->color_map),
      .pattern = attn_draw_cells_get_pattern (scale),
      .width = width,
      .spans = spans,
      .pixel_codes = pixel_codes,
  };
  AttnDrawSpan above = {G_MAXSIZE, 0};
  bool has_pattern = false;

  for (size_t x = 0; x < width; x++)
    spans[x] =
        find_blocks (attn_draw_cells_span (x, width, blocks->n_keys), blocks->keys_per_column);
  for (size_t y = 0; y < height; y++) {
    AttnDrawSpan rows = attn_draw_cells_span (y, height, blocks->n_queries);
    bool is_same = rows.first == above.first && rows.end == above.end;
    if (!is_same) {
      attn_draw_cells_code_row (layout, panel, rows, weights, codes);
      has_pattern = find_pixel_codes (&raster, codes);
    }
    if (is_same && !has_pattern)
      memcpy (pixels + y * stride, pixels + (y - 1) * stride, width * sizeof *pixels);
    else
      fill_row (&raster, y, pixels + y * stride);
    above = rows;
  }
}

void
attn_draw_raster (
    const AttnDrawLayout *layout, size_t panel, double scale, uint32_t *pixels, size_t stride)
{
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
  size_t width = attn_draw_cells_to_device (rect.width, scale);
  size_t height = attn_draw_cells_to_device (rect.height, scale);

  attn_draw_cells_raster (layout, panel, width, height, scale, pixels, stride);
}

void
attn_draw_raster_bar (const AttnDrawLayout *layout, double scale, uint32_t *pixels, size_t stride)
{
  const uint32_t *lut = attn_draw_color_map_peek_lut (layout->view->color_map);

  for (size_t i = 0; i < layout->items->len; i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->kind != ATTN_DRAW_ITEM_BAR)
      continue;
    size_t width = attn_draw_cells_to_device (item->rect.width, scale);
    size_t height = attn_draw_cells_to_device (item->rect.height, scale);
    for (size_t y = 0; y < height; y++) {
      uint32_t color = lut[255 - attn_draw_cells_span (y, height, 256).first];
      for (size_t x = 0; x < width; x++)
        pixels[y * stride + x] = color;
    }
  }
}
