/* SPDX-License-Identifier: MIT */
/* Cells and the colour bar on a vector surface. */
#pragma once

#include "layout-private.h"

#include <cairo.h>

/**
 * attn_draw_paint_cells:
 * @max_rectangles: more would make a file that viewers open slowly
 *
 * One path per colour, equal neighbours joined.
 *
 * Returns: false, with nothing painted, when it would take more rectangles.
 */
bool attn_draw_paint_cells (const AttnDrawLayout *layout,
                            size_t panel,
                            size_t max_rectangles,
                            cairo_t *cr);

void attn_draw_paint_bar (const AttnDrawLayout *layout, const AttnDrawItem *item, cairo_t *cr);

/* Makes 0xffRRGGBB the source. */
void attn_draw_set_source_pixel (cairo_t *cr, uint32_t pixel);
