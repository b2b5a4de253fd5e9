/* SPDX-License-Identifier: MIT */
/* Weights as colour codes, cell by cell or pooled under pixels: the one source of both painters. */
#pragma once

#include "layout-private.h"
#include "scale.h"

#include <stddef.h>
#include <stdint.h>

/* A code is an index of the colour map, or one of these. */
#define ATTN_DRAW_CODE_HIDDEN 256
#define ATTN_DRAW_CODE_NAN 257  /* or infinite: neither has a place on a colour map */
#define ATTN_DRAW_CODE_ZERO 258 /* a weight of exactly 0, where the scale has no place for it */
#define ATTN_DRAW_N_CODES 259

/**
 * attn_draw_cells_span:
 * @pixel: index below @n_pixels
 *
 * Enlarging: the one cell under the pixel's middle. Shrinking: all cells the pixel touches.
 */
AttnDrawSpan attn_draw_cells_span (size_t pixel, size_t n_pixels, size_t n_cells);

/* Returns: the blocks, of @per_block cells each, that hold any of the cells. */
AttnDrawSpan attn_draw_cells_find_blocks (AttnDrawSpan cells, size_t per_block);

/* Returns: the panel's blocks that are drawn, cells where it is not pooled. */
AttnDrawSpan attn_draw_cells_get_rows (const AttnDrawLayout *layout, size_t panel);
AttnDrawSpan attn_draw_cells_get_columns (const AttnDrawLayout *layout, size_t panel);

/**
 * attn_draw_cells_code_row:
 * @coder:   of the panel
 * @queries: that are under one row of pixels; the largest weight counts, NaN more than any
 * @weights: [attn_draw_cells_get_columns()] scratch, written
 * @codes:   likewise, one code a key, or a column of the panel's blocks, written
 */
void attn_draw_cells_code_row (const AttnDrawLayout *layout,
                               size_t panel,
                               const AttnDrawCoder *coder,
                               AttnDrawSpan queries,
                               float *weights,
                               uint16_t *codes);

/* Pixels of hidden keys, of NaN and of zeros are patterns of whole pixels. */
typedef struct {
  size_t period, cross_period, line; /* device px */
} AttnDrawPattern;

AttnDrawPattern attn_draw_cells_get_pattern (double scale);

/**
 * attn_draw_cells_raster:
 * @width,@height: pixels the panel is to have, whatever its rect
 * @scale: device px per px, for patterns
 * @pixels: [height, width] 0xffRRGGBB, written; row stride @stride pixels
 *
 * attn_draw_raster() for any size.
 */
void attn_draw_cells_raster (const AttnDrawLayout *layout,
                             size_t panel,
                             size_t width,
                             size_t height,
                             double scale,
                             uint32_t *pixels,
                             size_t stride);

/* Returns: colours of a panel, or of what has G_MAXSIZE for one: they end at index 255. */
size_t attn_draw_cells_count_colors (const AttnDrawLayout *layout, size_t panel);

/* Device px of @px at @scale, at least 1. */
size_t attn_draw_cells_to_device (double px, double scale);
