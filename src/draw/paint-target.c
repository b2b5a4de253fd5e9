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

/* Returns: whole pixels of a target that has them, at least one each way. */
static AttnDrawRect
find_pixels (const AttnDrawRect *rect, const AttnDrawTarget *target)
{
  const double left = round (target->x + rect->x * target->scale);
  const double top = round (target->y + rect->y * target->scale);
  const double right = round (target->x + (rect->x + rect->width) * target->scale);
  const double bottom = round (target->y + (rect->y + rect->height) * target->scale);
  return (AttnDrawRect){left, top, MAX (right - left, 1), MAX (bottom - top, 1)};
}

/* Adds a rectangle to the path; on pixels its edges are whole ones and a line never vanishes. */
void
attn_draw_target_add_rectangle (const AttnDrawRect *rect, const AttnDrawTarget *target, cairo_t *cr)
{
  if (!target->has_pixels) {
    cairo_rectangle (cr, rect->x, rect->y, rect->width, rect->height);
    return;
  }
  const AttnDrawRect whole = find_pixels (rect, target);
  attn_draw_target_enter (cr, target);
  cairo_rectangle (cr, whole.x, whole.y, whole.width, whole.height);
  cairo_restore (cr);
}

/* Sets what may be written to the clip, if that is one rectangle of whole pixels. */
static bool
read_clip (cairo_t *cr, const AttnDrawTarget *target, AttnDrawPixels *pixels)
{
  attn_draw_target_enter (cr, target);
  cairo_rectangle_list_t *list = cairo_copy_clip_rectangle_list (cr);
  cairo_restore (cr);
  bool is_simple = list->status == CAIRO_STATUS_SUCCESS && list->num_rectangles == 1;
  if (is_simple) {
    const cairo_rectangle_t *clip = list->rectangles;
    const double right = clip->x + clip->width, bottom = clip->y + clip->height;
    const double edges[] = {clip->x, clip->y, right, bottom};
    for (size_t i = 0; i < G_N_ELEMENTS (edges); i++)
      is_simple = is_simple && fabs (edges[i] - round (edges[i])) < 1e-6;
    pixels->left = MAX (pixels->left, (int)round (clip->x));
    pixels->top = MAX (pixels->top, (int)round (clip->y));
    pixels->right = MIN (pixels->right, (int)round (right));
    pixels->bottom = MIN (pixels->bottom, (int)round (bottom));
  }
  cairo_rectangle_list_destroy (list);
  return is_simple;
}

AttnDrawPixels
attn_draw_pixels_begin (cairo_t *cr, const AttnDrawTarget *target)
{
  cairo_surface_t *surface = cairo_get_group_target (cr);
  AttnDrawPixels pixels = {.surface = surface};
  if (!target->has_pixels || cairo_surface_get_type (surface) != CAIRO_SURFACE_TYPE_IMAGE)
    return pixels;
  const cairo_format_t format = cairo_image_surface_get_format (surface);
  if (format != CAIRO_FORMAT_RGB24 && format != CAIRO_FORMAT_ARGB32)
    return pixels;
  pixels.right = cairo_image_surface_get_width (surface);
  pixels.bottom = cairo_image_surface_get_height (surface);
  if (!read_clip (cr, target, &pixels))
    return pixels;
  cairo_surface_flush (surface);
  pixels.data = (uint32_t *)(void *)cairo_image_surface_get_data (surface);
  pixels.stride = (size_t)cairo_image_surface_get_stride (surface) / sizeof *pixels.data;
  return pixels;
}

void
attn_draw_pixels_fill (const AttnDrawPixels *pixels,
                       const AttnDrawRect *rect,
                       const AttnDrawTarget *target,
                       uint32_t pixel)
{
  const AttnDrawRect whole = find_pixels (rect, target);
  const double left = MAX (whole.x, pixels->left), top = MAX (whole.y, pixels->top);
  const double right = MIN (whole.x + whole.width, pixels->right);
  const double bottom = MIN (whole.y + whole.height, pixels->bottom);
  if (left >= right)
    return;
  for (double y = top; y < bottom; y++) {
    uint32_t *row = pixels->data + (size_t)y * pixels->stride;
    for (size_t x = (size_t)left, end = (size_t)right; x < end; x++)
      row[x] = 0xff000000U | pixel;
  }
}

void
attn_draw_pixels_end (const AttnDrawPixels *pixels)
{
  if (pixels->data != NULL)
    cairo_surface_mark_dirty (pixels->surface);
}
