/* SPDX-License-Identifier: MIT */
/* What is painted on: whole pixels where there are any. */
#include "paint-target.h"

#include <math.h>

static bool
is_vector (cairo_surface_t *surface)
{
  switch (cairo_surface_get_type (surface)) {
  case CAIRO_SURFACE_TYPE_PDF:
  case CAIRO_SURFACE_TYPE_PS:
  case CAIRO_SURFACE_TYPE_SVG:
  case CAIRO_SURFACE_TYPE_SCRIPT:
  case CAIRO_SURFACE_TYPE_RECORDING:
    return true;
  default:
    return false;
  }
}

/* Pixels can be had where the picture is neither turned nor stretched. */
AttnDrawTarget
attn_draw_target_find (cairo_t *cr)
{
  cairo_surface_t *surface = cairo_get_group_target (cr);
  cairo_matrix_t matrix;
  double scale_x, scale_y, offset_x, offset_y;

  cairo_get_matrix (cr, &matrix);
  cairo_surface_get_device_scale (surface, &scale_x, &scale_y);
  cairo_surface_get_device_offset (surface, &offset_x, &offset_y);
  bool is_straight = matrix.xy == 0 && matrix.yx == 0 && matrix.xx > 0 &&
                     fabs (matrix.xx * scale_x - matrix.yy * scale_y) < 1e-9;
  return (AttnDrawTarget){
      .has_pixels = !is_vector (surface) && is_straight && scale_x == scale_y,
      .scale = matrix.xx * scale_x,
      .x = matrix.x0 * scale_x + offset_x,
      .y = matrix.y0 * scale_y + offset_y,
      .device_scale = scale_x,
  };
}

/* From here on user space is the target's own pixels. */
void
attn_draw_target_enter (cairo_t *cr, const AttnDrawTarget *target)
{
  double offset_x, offset_y;

  cairo_surface_get_device_offset (cairo_get_group_target (cr), &offset_x, &offset_y);
  cairo_save (cr);
  cairo_identity_matrix (cr);
  cairo_scale (cr, 1 / target->device_scale, 1 / target->device_scale);
  cairo_translate (cr, -offset_x, -offset_y);
}

void
attn_draw_set_source (cairo_t *cr, AttnDrawColor color)
{
  cairo_set_source_rgb (cr, color.red, color.green, color.blue);
}

/* Adds a rectangle to the path; on pixels its edges are whole ones and a line never vanishes. */
void
attn_draw_target_add_rectangle (const AttnDrawRect *rect, const AttnDrawTarget *target, cairo_t *cr)
{
  if (!target->has_pixels) {
    cairo_rectangle (cr, rect->x, rect->y, rect->width, rect->height);
    return;
  }
  double left = round (target->x + rect->x * target->scale);
  double top = round (target->y + rect->y * target->scale);
  double right = round (target->x + (rect->x + rect->width) * target->scale);
  double bottom = round (target->y + (rect->y + rect->height) * target->scale);
  attn_draw_target_enter (cr, target);
  cairo_rectangle (cr, left, top, MAX (right - left, 1), MAX (bottom - top, 1));
  cairo_restore (cr);
}
