/* SPDX-License-Identifier: MIT */
/* What is painted on: whole pixels where there are any, so that edges are sharp. */
#pragma once

#include "attn-draw/layout.h"

#include <cairo.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the target's pixels lie, when it has any. */
typedef struct {
  bool has_pixels;
  double scale;        /* device px per px */
  double x, y;         /* device px of the picture's origin */
  double device_scale; /* of the surface */
} AttnDrawTarget;

/* Pixels can be had where the picture is neither turned nor stretched. */
AttnDrawTarget attn_draw_target_find (cairo_t *cr);

/* From here to the next cairo_restore() user space is the target's own pixels. */
void attn_draw_target_enter (cairo_t *cr, const AttnDrawTarget *target);

/* Adds a rectangle to the path; on pixels its edges are whole ones and a line never vanishes. */
void attn_draw_target_add_rectangle (const AttnDrawRect *rect,
                                     const AttnDrawTarget *target,
                                     cairo_t *cr);

/* Pixels of an image that are written without Cairo, which takes a hundred times as long for each
 * of many small rectangles. */
typedef struct {
  cairo_surface_t *surface;
  uint32_t *data;               /* NULL where Cairo has to */
  size_t stride;                /* pixels */
  int left, top, right, bottom; /* what may be written */
} AttnDrawPixels;

/* Nothing is drawn by @cr until attn_draw_pixels_end(). */
AttnDrawPixels attn_draw_pixels_begin (cairo_t *cr, const AttnDrawTarget *target);

/* What attn_draw_target_add_rectangle() and filling with @pixel, 0xRRGGBB, would do. */
void attn_draw_pixels_fill (const AttnDrawPixels *pixels,
                            const AttnDrawRect *rect,
                            const AttnDrawTarget *target,
                            uint32_t pixel);

void attn_draw_pixels_end (const AttnDrawPixels *pixels);

void attn_draw_set_source (cairo_t *cr, AttnDrawColor color);
