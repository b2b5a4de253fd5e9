/* SPDX-License-Identifier: MIT */
/* What is painted on: whole pixels where there are any, so that edges are sharp. */
#pragma once

#include "attn-draw/layout.h"

#include <cairo.h>

#include <stdbool.h>

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

void attn_draw_set_source (cairo_t *cr, AttnDrawColor color);
