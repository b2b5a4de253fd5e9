/* SPDX-License-Identifier: MIT */
/* From a value between 0 and 1 to a colour: five sequential maps, each perceptually monotone. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_DRAW_COLOR_MAP_YLGNBU, /* ColorBrewer's nine classes, interpolated; darker = more */
  ATTN_DRAW_COLOR_MAP_VIRIDIS,
  ATTN_DRAW_COLOR_MAP_CIVIDIS,
  ATTN_DRAW_COLOR_MAP_MAGMA,
  ATTN_DRAW_COLOR_MAP_GREY, /* white to black */
  ATTN_DRAW_N_COLOR_MAPS,
} AttnDrawColorMap;

/* Returns: (transfer none): "YlGnBu", "viridis" …, as the command line takes it. */
const char *attn_draw_color_map_peek_name (AttnDrawColorMap map);

/* Returns: whether @name (any case) is known; @map is set then. */
bool attn_draw_color_map_find (const char *name, AttnDrawColorMap *map);

/* Returns: (transfer none): [256] 0xffRRGGBB, the colours from least to most. */
const uint32_t *attn_draw_color_map_peek_lut (AttnDrawColorMap map);

/**
 * attn_draw_color_index:
 * @value,@max: a weight and the range's end; the range starts at 0
 *
 * Returns: 0 … 255, values outside the range clamped, NaN as 0; the one rounding rule of screen
 *   and files.
 */
unsigned attn_draw_color_index (float value, float max);

G_END_DECLS
