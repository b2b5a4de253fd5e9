/* SPDX-License-Identifier: MIT */
/* Painting a layout's items in order, as pixels or as paths. */
#include "attn-draw/paint.h"

#include "cells.h"
#include "paint-cells.h"
#include "paint-lines.h"
#include "paint-target.h"
#include "panels-private.h"
#include "values.h"

#include <pango/pangocairo.h>

#include <math.h>

#define SVG_ENLARGEMENT 4 /* viewers smooth images in SVG; so enlarged, cells stay crisp */

#define MAX_RECTANGLES 40000 /* of all panels on a vector surface: about 5 MB of SVG */

static void
paint_image (cairo_t *cr, cairo_surface_t *image, double x, double y)
{
  cairo_set_source_surface (cr, image, x, y);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
}

/* The pixels of a panel, of lines or of the bar, in a size of their own. */
static cairo_surface_t *
make_image (const AttnDrawLayout *layout,
            const AttnDrawItem *item,
            size_t width,
            size_t height,
            double scale)
{
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)width, (int)height);

  if (cairo_surface_status (image) != CAIRO_STATUS_SUCCESS)
    return image; /* painting it hands the status on */
  cairo_surface_flush (image);
  uint32_t *pixels = (void *)cairo_image_surface_get_data (image);
  size_t stride = (size_t)cairo_image_surface_get_stride (image) / sizeof *pixels;
  if (item->kind == ATTN_DRAW_ITEM_BAR)
    attn_draw_raster_bar (layout, item, scale, pixels, stride);
  else if (item->kind == ATTN_DRAW_ITEM_LINES)
    attn_draw_raster_lines (layout, NULL, scale, 0, height, pixels, stride);
  else
    attn_draw_cells_raster (layout, item->panel, width, height, scale, pixels, stride);
  cairo_surface_mark_dirty (image);
  return image;
}

/* As attn_draw_raster() does after the cells. */
static void
write_values (const AttnDrawLayout *layout, size_t panel, cairo_surface_t *image, double scale)
{
  uint32_t *pixels = (void *)cairo_image_surface_get_data (image);

  if (pixels == NULL)
    return;
  attn_draw_values_raster (layout, panel, (size_t)cairo_image_surface_get_width (image),
                           (size_t)cairo_image_surface_get_height (image), scale, pixels,
                           (size_t)cairo_image_surface_get_stride (image) / sizeof *pixels);
  cairo_surface_mark_dirty (image);
}

static void
paint_pixels (const AttnDrawLayout *layout,
              const AttnDrawItem *item,
              const AttnDrawTarget *target,
              cairo_t *cr)
{
  size_t width = attn_draw_cells_to_device (item->rect.width, target->scale);
  size_t height = attn_draw_cells_to_device (item->rect.height, target->scale);
  cairo_surface_t *image = make_image (layout, item, width, height, target->scale);
  if (item->kind == ATTN_DRAW_ITEM_PANEL)
    write_values (layout, item->panel, image, target->scale);
  double x = round (target->x + item->rect.x * target->scale);
  double y = round (target->y + item->rect.y * target->scale);

  attn_draw_target_enter (cr, target);
  paint_image (cr, image, x, y);
  cairo_restore (cr);
  cairo_surface_destroy (image);
}

/* Repeats every pixel @times × @times times. */
static cairo_surface_t *
enlarge (cairo_surface_t *image, int times)
{
  int width = cairo_image_surface_get_width (image) * times;
  int height = cairo_image_surface_get_height (image) * times;
  cairo_surface_t *large = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (large);

  cairo_scale (cr, times, times);
  paint_image (cr, image, 0, 0);
  cairo_destroy (cr);
  return large;
}

/* Cells as an image on a vector surface: one pixel a cell, or a px where cells are smaller. */
static void
paint_cell_image (const AttnDrawLayout *layout, const AttnDrawItem *item, cairo_t *cr)
{
  bool is_svg = cairo_surface_get_type (cairo_get_target (cr)) == CAIRO_SURFACE_TYPE_SVG;
  int times = is_svg ? SVG_ENLARGEMENT : 1;
  AttnDrawSpan rows = attn_draw_cells_get_rows (layout, item->panel);
  AttnDrawSpan columns = attn_draw_cells_get_columns (layout, item->panel);
  size_t width = MIN (attn_draw_span_get_n (&columns), (size_t)item->rect.width);
  size_t height = MIN (attn_draw_span_get_n (&rows), (size_t)item->rect.height);
  cairo_surface_t *small = make_image (layout, item, width, height, 1);
  cairo_surface_t *image = enlarge (small, times);

  cairo_save (cr);
  cairo_translate (cr, item->rect.x, item->rect.y);
  cairo_scale (cr, item->rect.width / (double)(width * (size_t)times),
               item->rect.height / (double)(height * (size_t)times));
  paint_image (cr, image, 0, 0);
  cairo_restore (cr);
  cairo_surface_destroy (image);
  cairo_surface_destroy (small);
}

static void
paint_panel (const AttnDrawLayout *layout,
             const AttnDrawItem *item,
             const AttnDrawTarget *target,
             cairo_t *cr)
{
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, item->panel);
  AttnDrawSpan rows = attn_draw_layout_get_rows (layout, item->panel);
  AttnDrawSpan columns = attn_draw_layout_get_columns (layout, item->panel);
  bool is_pooled = attn_draw_blocks_is_pooled (blocks) ||
                   item->rect.width < (double)attn_draw_span_get_n (&columns) ||
                   item->rect.height < (double)attn_draw_span_get_n (&rows);
  size_t max_rectangles = MAX_RECTANGLES / attn_draw_panels_get_n (layout->panels);

  if (target->has_pixels)
    paint_pixels (layout, item, target, cr);
  else if (is_pooled || !attn_draw_paint_cells (layout, item->panel, max_rectangles, cr))
    paint_cell_image (layout, item, cr);
  if (!target->has_pixels)
    attn_draw_values_paint (layout, item->panel, cr);
}

static void
paint_mark (const AttnDrawItem *item, const AttnDrawTarget *target, cairo_t *cr)
{
  AttnDrawRect outside = {
      item->rect.x - item->line_width,
      item->rect.y - item->line_width,
      item->rect.width + 2 * item->line_width,
      item->rect.height + 2 * item->line_width,
  };

  attn_draw_set_source (cr, item->color);
  cairo_save (cr);
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
  attn_draw_target_add_rectangle (&outside, target, cr);
  attn_draw_target_add_rectangle (&item->rect, target, cr);
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
paint_text (const AttnDrawItem *item, cairo_t *cr)
{
  cairo_save (cr);
  attn_draw_set_source (cr, item->color);
  cairo_translate (cr, item->text_x, item->text_y);
  cairo_rotate (cr, item->angle);
  cairo_move_to (cr, 0, 0);
  pango_cairo_show_layout (cr, item->text);
  cairo_restore (cr);
}

static void
paint_item (const AttnDrawLayout *layout,
            const AttnDrawItem *item,
            const AttnDrawTarget *target,
            cairo_t *cr)
{
  switch (item->kind) {
  case ATTN_DRAW_ITEM_PANEL:
    paint_panel (layout, item, target, cr);
    break;
  case ATTN_DRAW_ITEM_BAR:
    if (target->has_pixels)
      paint_pixels (layout, item, target, cr);
    else
      attn_draw_paint_bar (layout, item, cr);
    break;
  case ATTN_DRAW_ITEM_LINES:
    if (target->has_pixels)
      paint_pixels (layout, item, target, cr);
    else
      attn_draw_paint_lines (layout, cr);
    break;
  case ATTN_DRAW_ITEM_TEXT:
    paint_text (item, cr);
    break;
  case ATTN_DRAW_ITEM_RULE:
    attn_draw_set_source (cr, item->color);
    attn_draw_target_add_rectangle (&item->rect, target, cr);
    cairo_fill (cr);
    break;
  case ATTN_DRAW_ITEM_MARK:
    paint_mark (item, target, cr);
    break;
  default:
    break;
  }
}

bool
attn_draw_paint_asking (const AttnDrawLayout *layout,
                        cairo_t *cr,
                        AttnProgressFunc progress,
                        void *progress_data,
                        GError **error)
{
  AttnDrawTarget target = attn_draw_target_find (cr);
  AttnDrawRect all = {0, 0, layout->width, layout->height};
  guint n = layout->items->len;
  bool goes_on = true;

  cairo_save (cr);
  cairo_new_path (cr);
  attn_draw_set_source (cr, layout->ink->background);
  attn_draw_target_add_rectangle (&all, &target, cr);
  cairo_fill (cr);
  for (guint i = 0; i < n && goes_on; i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->kind == ATTN_DRAW_ITEM_PANEL)
      goes_on = attn_progress_tell (progress, progress_data, (double)i / (double)n, error);
    if (goes_on)
      paint_item (layout, item, &target, cr);
  }
  cairo_new_path (cr);
  cairo_restore (cr);
  return goes_on;
}

void
attn_draw_paint (const AttnDrawLayout *layout, cairo_t *cr)
{
  attn_draw_paint_asking (layout, cr, NULL, NULL, NULL);
}
