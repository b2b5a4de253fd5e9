/* SPDX-License-Identifier: MIT */
/* Cells as pixels: repeated when enlarged, pooled by their largest when shrunk. */
#include "cells.h"
#include "panels-private.h"
#include "values.h"

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

/* Whether @weight hides @other under one pixel: of differences the larger one, whatever its sign.
 */
static inline bool
is_more (float weight, float other, bool is_difference)
{
  return is_difference ? fabsf (weight) > fabsf (other) : weight > other;
}

/* The same for any map; @codes tells which columns have a weight at all: 0 for those. */
static void
pool_rows (const AttnDrawBlocks *blocks,
           bool is_difference,
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
      if (isnan (row[column]) || codes[i] == ATTN_DRAW_CODE_NAN) {
        codes[i] = ATTN_DRAW_CODE_NAN;
      } else if (codes[i] == ATTN_DRAW_CODE_HIDDEN ||
                 is_more (row[column], weights[i], is_difference)) {
        codes[i] = 0;
        weights[i] = row[column];
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

AttnDrawSpan
attn_draw_cells_get_rows (const AttnDrawLayout *layout, size_t panel)
{
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, panel);
  return find_blocks (attn_draw_layout_get_rows (layout, panel), blocks->queries_per_row);
}

AttnDrawSpan
attn_draw_cells_get_columns (const AttnDrawLayout *layout, size_t panel)
{
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, panel);
  return find_blocks (attn_draw_layout_get_columns (layout, panel), blocks->keys_per_column);
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
  AttnDrawSpan rows = find_blocks (queries, blocks->queries_per_row);
  AttnDrawSpan columns = attn_draw_cells_get_columns (layout, panel);
  size_t n_columns = attn_draw_span_get_n (&columns);

  if (coder->is_difference || attn_draw_panels_has_hidden (layout->panels) ||
      attn_draw_panels_has_nan (layout->panels)) {
    pool_rows (blocks, coder->is_difference, rows, columns, weights, codes);
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

/* How far a difference's code is from that of 0. */
static unsigned
get_size (uint16_t code)
{
  const unsigned middle = ATTN_DRAW_DIVERGING_MIDDLE;
  return code > middle ? code - middle : middle - code;
}

/* Of the codes under one pixel: NaN before all, then the largest weight, zero, hidden only when all
 * are. */
static bool
is_before (uint16_t code, uint16_t other, bool is_difference)
{
  static const uint16_t order[] = {ATTN_DRAW_CODE_NAN, 0, ATTN_DRAW_CODE_ZERO,
                                   ATTN_DRAW_CODE_HIDDEN};
  if (code < ATTN_DRAW_CODE_HIDDEN && other < ATTN_DRAW_CODE_HIDDEN)
    return is_difference ? get_size (code) > get_size (other) : code > other;
  size_t a = 0, b = 0;
  while (order[a] != (code < ATTN_DRAW_CODE_HIDDEN ? 0 : code))
    a++;
  while (order[b] != (other < ATTN_DRAW_CODE_HIDDEN ? 0 : other))
    b++;
  return a < b;
}

static uint16_t
pool_codes (const uint16_t *codes, AttnDrawSpan columns, bool is_difference)
{
  uint16_t pooled = codes[columns.first];

  for (size_t column = columns.first + 1; column < columns.end; column++)
    if (is_before (codes[column], pooled, is_difference))
      pooled = codes[column];
  return pooled;
}

/* What all rows of one panel's pixels share. */
typedef struct {
  const AttnDrawInk *ink;
  const uint32_t *lut;
  bool is_difference;
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
  if (code == ATTN_DRAW_CODE_ZERO) {
    bool on_dot = x % pattern->period < pattern->line && y % pattern->period < pattern->line;
    return on_dot ? raster->ink->zero_dot : raster->ink->zero;
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
    raster->pixel_codes[x] = pool_codes (codes, raster->spans[x], raster->is_difference);
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

/* The columns of codes under a column of pixels. */
static AttnDrawSpan
find_columns (const AttnDrawLayout *layout, size_t panel, size_t x, size_t width)
{
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, panel);
  AttnDrawSpan drawn = attn_draw_layout_get_columns (layout, panel);
  AttnDrawSpan keys = attn_draw_cells_span (x, width, attn_draw_span_get_n (&drawn));
  size_t first = attn_draw_cells_get_columns (layout, panel).first;

  keys = (AttnDrawSpan){drawn.first + keys.first, drawn.first + keys.end};
  AttnDrawSpan columns = find_blocks (keys, blocks->keys_per_column);
  return (AttnDrawSpan){columns.first - first, columns.end - first};
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
  AttnDrawSpan drawn = attn_draw_layout_get_rows (layout, panel);
  AttnDrawSpan columns = attn_draw_cells_get_columns (layout, panel);
  g_autofree AttnDrawSpan *spans = g_new (AttnDrawSpan, width);
  g_autofree uint16_t *pixel_codes = g_new (uint16_t, width);
  g_autofree uint16_t *codes = g_new (uint16_t, attn_draw_span_get_n (&columns));
  g_autofree float *weights = g_new (float, attn_draw_span_get_n (&columns));
  Raster raster = {
      .ink = layout->ink,
      .lut = attn_draw_layout_peek_lut (layout, panel),
      .is_difference = attn_draw_panels_is_difference (layout->panels, panel),
      .pattern = attn_draw_cells_get_pattern (scale),
      .width = width,
      .spans = spans,
      .pixel_codes = pixel_codes,
  };
  AttnDrawSpan above = {G_MAXSIZE, 0};
  bool has_pattern = false;
  AttnDrawCoder coder;

  attn_draw_coder_init (&coder, layout, panel);
  for (size_t x = 0; x < width; x++)
    spans[x] = find_columns (layout, panel, x, width);
  for (size_t y = 0; y < height; y++) {
    AttnDrawSpan rows = attn_draw_cells_span (y, height, attn_draw_span_get_n (&drawn));
    rows = (AttnDrawSpan){drawn.first + rows.first, drawn.first + rows.end};
    bool is_same = rows.first == above.first && rows.end == above.end;
    if (!is_same) {
      attn_draw_cells_code_row (layout, panel, &coder, rows, weights, codes);
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
  attn_draw_values_raster (layout, panel, width, height, scale, pixels, stride);
}

size_t
attn_draw_cells_count_colors (const AttnDrawLayout *layout, size_t panel)
{
  bool is_difference = panel != G_MAXSIZE && attn_draw_panels_is_difference (layout->panels, panel);
  return is_difference ? ATTN_DRAW_N_COLORS - 1 : ATTN_DRAW_N_COLORS;
}

void
attn_draw_raster_bar (const AttnDrawLayout *layout,
                      const AttnDrawItem *item,
                      double scale,
                      uint32_t *pixels,
                      size_t stride)
{
  const uint32_t *lut = attn_draw_layout_peek_lut (layout, item->panel);
  size_t n_colors = attn_draw_cells_count_colors (layout, item->panel);
  size_t width = attn_draw_cells_to_device (item->rect.width, scale);
  size_t height = attn_draw_cells_to_device (item->rect.height, scale);

  for (size_t y = 0; y < height; y++) {
    uint32_t color = lut[255 - attn_draw_cells_span (y, height, n_colors).first];
    for (size_t x = 0; x < width; x++)
      pixels[y * stride + x] = color;
  }
}
