/* SPDX-License-Identifier: MIT */
/* Weights written into their cells, where cells have room for them. What rounds to 0 is left out:
 * in most maps it would be nearly everywhere, and the others would be lost in it. */
#pragma once

#include "layout-private.h"

#include "attn/number.h"

#include <cairo.h>

#include <stdint.h>

/* How they are written; shaped characters and all. */
typedef struct _AttnDrawValues AttnDrawValues;

/* Returns: (nullable): for attn_draw_values_free(); NULL where the view hides values or cells have
 * no room for two decimals in letters that can be read. */
AttnDrawValues *attn_draw_values_new (AttnDrawFonts *fonts, const AttnDrawLayout *layout);
void attn_draw_values_free (AttnDrawValues *values);

int attn_draw_values_get_decimals (const AttnDrawValues *values);

/**
 * attn_draw_values_format:
 * @buffer: [ATTN_NUMBER_SIZE] written
 *
 * Returns: @buffer: the weight with @decimals; empty for what is not finite or rounds to 0.
 */
const char *attn_draw_values_format (char *buffer, float weight, int decimals);

/* Writes the values of @panel on its cells. At the picture's own coordinates. */
void attn_draw_values_paint (const AttnDrawLayout *layout, size_t panel, cairo_t *cr);

/* The same on pixels of the panel, [height, width] with row stride @stride: screen and image files
 * have the same ones. */
void attn_draw_values_raster (const AttnDrawLayout *layout,
                              size_t panel,
                              size_t width,
                              size_t height,
                              double scale,
                              uint32_t *pixels,
                              size_t stride);

/* Returns: black or white, whichever has more contrast with @ground (0xffRRGGBB). */
uint32_t attn_draw_values_choose_ink (uint32_t ground);

/* Returns: the contrast ratio of two colours, 1 … 21; source: WCAG 2.1, success criterion 1.4.3. */
double attn_draw_values_get_contrast (uint32_t a, uint32_t b);
