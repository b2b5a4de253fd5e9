/* SPDX-License-Identifier: MIT */
/* From a value to a colour: five sequential maps for weights, each perceptually monotone, and a
 * diverging one for differences. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_DRAW_COLOR_MAP_YLGNBU, /* ColorBrewer's nine classes, interpolated; from light to dark */
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

/**
 * attn_draw_color_map_suits_all:
 *
 * Returns: whether people with any colour vision tell its colours apart alike: its lightness rises
 * or falls throughout, and an eighth of the range is a distance of at least 6 in CIELAB, as seen
 * with all cones and without those for red, green or blue.
 *
 * Test: tests/draw/test-color-map.c, by measure.
 */
bool attn_draw_color_map_suits_all (AttnDrawColorMap map);

/* Returns: whether the map runs from light to dark: on a dark ground it is reversed, see
 * attn_draw_view_reverses_map(). */
bool attn_draw_color_map_begins_light (AttnDrawColorMap map);

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

/* Colours of differences: neutral for 0, more and more purple above, green below. Neither is the
 * orange that marks what was picked. */
typedef enum {
  ATTN_DRAW_DIVERGING_LIGHT, /* white in the middle, dark at the ends */
  ATTN_DRAW_DIVERGING_DARK,  /* nearly black in the middle, bright at the ends */
  ATTN_DRAW_N_DIVERGING,
} AttnDrawDiverging;

#define ATTN_DRAW_DIVERGING_MIDDLE 128 /* the index of exactly 0 */

/* Returns: (transfer none): [256] 0xffRRGGBB from most below 0 to most above; indexes 0 and 1 are
 * the same colour. */
const uint32_t *attn_draw_diverging_peek_lut (AttnDrawDiverging table);

/**
 * attn_draw_diverging_index:
 * @value,@max: a difference and the range's end; the range is from −max to max
 *
 * Returns: 1 … 255, 128 for 0 and nothing else that is worth half a step, opposite values as far
 *   from 128; values outside the range clamped, NaN as 128.
 */
unsigned attn_draw_diverging_index (float value, float max);

G_END_DECLS
