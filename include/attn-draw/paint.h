/* SPDX-License-Identifier: MIT */
/* Painting a layout: onto any Cairo surface, or one panel's cells as pixels for a texture. */
#pragma once

#include "attn-draw/layout.h"
#include "attn/progress.h"

#include <cairo.h>
#include <glib.h>

#include <stdint.h>

G_BEGIN_DECLS

/**
 * attn_draw_paint:
 * @cr: at scale 1 the picture fills (0, 0) to (width, height)
 *
 * Paints the whole picture. On an image surface cells are the very pixels of attn_draw_raster(),
 * and lines lie on whole pixels. On a vector surface cells are one path per colour with equal
 * neighbours joined and no seams between them; where they are smaller than a px, or so varied that
 * the paths would be a file of many megabytes, they are an image: the largest weight under each px,
 * or one pixel a cell.
 *
 * Test: tests/draw/test-paint.c, pixel by pixel against the raster.
 */
void attn_draw_paint (const AttnDrawLayout *layout, cairo_t *cr);

/* The same, asking @progress (nullable) before each panel whether to go on.
 *
 * Returns: false with CANCELLED where it says no; the picture is incomplete then.
 * Test: tests/draw/test-write.c */
bool attn_draw_paint_asking (const AttnDrawLayout *layout,
                             cairo_t *cr,
                             AttnProgressFunc progress,
                             void *progress_data,
                             GError **error);

/**
 * attn_draw_raster:
 * @panel:  index
 * @scale:  device px per px, > 0
 * @pixels: [height, width] 0xffRRGGBB with width = round (rect.width × scale), likewise height,
 *          written; row stride @stride pixels
 *
 * Enlarging repeats each cell exactly; shrinking takes the largest of the values under a pixel, so
 * that no line is lost. Keys that cannot be seen are hatched in the palette's neutral colours.
 *
 * Test: tests/draw/test-raster.c
 */
void attn_draw_raster (
    const AttnDrawLayout *layout, size_t panel, double scale, uint32_t *pixels, size_t stride);

/* Which of the lines: G_MAXSIZE for any panel, query or key. */
typedef struct {
  size_t panel, query, key;
} AttnDrawFocus;

/**
 * attn_draw_raster_lines:
 * @focus: (nullable): only these lines; none for those of the picture: the pinned token's, or all
 * @scale: device px per px, > 0
 * @first_row,@n_rows: of the device px that the lines' item has; at most round (height × scale)
 * @pixels: [n_rows, width] 0xffRRGGBB, written, ground included; width = round (width × scale)
 * @stride: pixels from row to row
 *
 * Exact in its place and, but for rounding to 256 steps, in its opacity. Stronger lines lie on
 * weaker ones.
 *
 * Test: tests/draw/test-lines.c
 */
void attn_draw_raster_lines (const AttnDrawLayout *layout,
                             const AttnDrawFocus *focus,
                             double scale,
                             size_t first_row,
                             size_t n_rows,
                             uint32_t *pixels,
                             size_t stride);

/* Lines that are to be painted piece by piece, or on another thread: they outlive their layout, and
 * any number of threads may paint the same ones. */
typedef struct _AttnDrawStrokes AttnDrawStrokes;

/**
 * attn_draw_strokes_new:
 * @focus: (nullable): which lines, as attn_draw_raster_lines() takes them
 * @scale: device px per px, > 0
 *
 * Returns: the lines that attn_draw_raster_lines() would paint, for attn_draw_strokes_unref().
 */
AttnDrawStrokes *
attn_draw_strokes_new (const AttnDrawLayout *layout, const AttnDrawFocus *focus, double scale);

AttnDrawStrokes *attn_draw_strokes_ref (AttnDrawStrokes *strokes);
void attn_draw_strokes_unref (AttnDrawStrokes *strokes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawStrokes, attn_draw_strokes_unref)

/* Returns: device px of a row of pixels. */
size_t attn_draw_strokes_get_width (const AttnDrawStrokes *strokes);

/* Returns: how long all lines are together within some rows, in columns or rows of device px: what
 * painting them takes grows with it, some 10 ns a px. */
double attn_draw_strokes_estimate (const AttnDrawStrokes *strokes, size_t first_row, size_t n_rows);

/* Paints rows [@first_row, @first_row + @n_rows) as attn_draw_raster_lines() does.
 *
 * Test: tests/draw/test-lines.c, against it, on two threads */
void attn_draw_strokes_raster (const AttnDrawStrokes *strokes,
                               size_t first_row,
                               size_t n_rows,
                               uint32_t *pixels,
                               size_t stride);

/* Likewise the pixels of a colour bar, for the rect of its @item. */
void attn_draw_raster_bar (const AttnDrawLayout *layout,
                           const AttnDrawItem *item,
                           double scale,
                           uint32_t *pixels,
                           size_t stride);

G_END_DECLS
