/* SPDX-License-Identifier: MIT */
/* Cells as pixels: repeated when enlarged, pooled by their largest when shrunk. */
#include "cells.h"
#include "panels-private.h"
#include "values.h"

#include "attn-draw/paint.h"

#include <string.h>

/* How far a signed weight's code is from that of 0. */
static unsigned
get_size (uint16_t code)
{
  const unsigned middle = ATTN_DRAW_DIVERGING_MIDDLE;
  return code > middle ? code - middle : middle - code;
}

/* Of the codes under one pixel: NaN before all, then the largest weight, zero, hidden only when all
 * are. */
static bool
is_before (uint16_t code, uint16_t other, bool is_signed)
{
  static const uint16_t order[] = {ATTN_DRAW_CODE_NAN, 0, ATTN_DRAW_CODE_ZERO,
                                   ATTN_DRAW_CODE_HIDDEN};
  if (code < ATTN_DRAW_CODE_HIDDEN && other < ATTN_DRAW_CODE_HIDDEN)
    return is_signed ? get_size (code) > get_size (other) : code > other;
  size_t a = 0, b = 0;
  while (order[a] != (code < ATTN_DRAW_CODE_HIDDEN ? 0 : code))
    a++;
  while (order[b] != (other < ATTN_DRAW_CODE_HIDDEN ? 0 : other))
    b++;
  return a < b;
}

static uint16_t
pool_codes (const uint16_t *codes, AttnDrawSpan columns, bool is_signed)
{
  uint16_t pooled = codes[columns.first];

  for (size_t column = columns.first + 1; column < columns.end; column++)
    if (is_before (codes[column], pooled, is_signed))
      pooled = codes[column];
  return pooled;
}

/* What all rows of one panel's pixels share. */
typedef struct {
  const AttnDrawInk *ink;
  const uint32_t *lut;
  bool is_signed;
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
    raster->pixel_codes[x] = pool_codes (codes, raster->spans[x], raster->is_signed);
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
  AttnDrawSpan columns = attn_draw_cells_find_blocks (keys, blocks->keys_per_column);
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
      .is_signed = attn_draw_panels_is_signed (layout->panels, panel),
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
