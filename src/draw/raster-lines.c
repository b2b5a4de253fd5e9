/* SPDX-License-Identifier: MIT */
/* Lines as pixels: each as wide and as opaque as it should be, with smooth edges. */
#include "cells.h"
#include "layout-private.h"
#include "links.h"

#include <math.h>

#define ONE 256 /* of a pixel's cover and of an opacity */

/* The part of the picture that is painted, and where on it. */
typedef struct {
  uint32_t *pixels;
  size_t stride, width;
  double top, bottom; /* device px of the first row, and behind the last */
} Canvas;

/* A line in device px of the item, its left end at 0. */
typedef struct {
  double left_y, right_y, half_width;
  uint32_t color;
  unsigned opacity; /* of ONE */
} Stroke;

static unsigned
mix_channel (unsigned ground, unsigned color, unsigned share)
{
  return (ground * (ONE - share) + color * share + ONE / 2) / ONE;
}

static void
mix (uint32_t *pixel, uint32_t color, unsigned share)
{
  unsigned red = mix_channel (*pixel >> 16 & 0xff, color >> 16 & 0xff, share);
  unsigned green = mix_channel (*pixel >> 8 & 0xff, color >> 8 & 0xff, share);
  unsigned blue = mix_channel (*pixel & 0xff, color & 0xff, share);
  *pixel = 0xff000000 | red << 16 | green << 8 | blue;
}

/* Some pixels of a column or a row. */
typedef struct {
  uint32_t *pixels; /* of the first */
  size_t step;      /* to the next one */
  double begin, end;
} Run;

/* Paints what lies from @low to @high, each pixel by how much of it is covered; the same whichever
 * pixels the run has. */
static void
paint_run (const Run *run, double low, double high, const Stroke *stroke)
{
  double first = MAX (floor (low), run->begin), end = MIN (ceil (high), run->end);

  for (double i = first; i < end; i++) {
    double cover = MIN (high, i + 1) - MAX (low, i);
    unsigned share = (unsigned)(cover * stroke->opacity + 0.5);
    if (share > 0)
      mix (&run->pixels[(size_t)(i - run->begin) * run->step], stroke->color, share);
  }
}

/* A line that is wider than high: column by column. */
static void
paint_flat (const Canvas *canvas, const Stroke *stroke)
{
  double width = (double)canvas->width;
  double slope = (stroke->right_y - stroke->left_y) / width;
  double reach = stroke->half_width * sqrt (1 + slope * slope);
  double from = 0, to = width;

  if (fabs (slope) > 1e-12) {
    double a = (canvas->top - reach - stroke->left_y) / slope;
    double b = (canvas->bottom + reach - stroke->left_y) / slope;
    from = MAX (floor (MIN (a, b)), 0);
    to = MIN (ceil (MAX (a, b)), width);
  }
  Run column = {NULL, canvas->stride, canvas->top, canvas->bottom};
  for (double x = from; x < to; x++) {
    double middle = stroke->left_y + slope * (x + 0.5);
    column.pixels = canvas->pixels + (size_t)x;
    paint_run (&column, middle - reach, middle + reach, stroke);
  }
}

/* A line that is higher than wide: row by row. */
static void
paint_steep (const Canvas *canvas, const Stroke *stroke)
{
  double slope = (double)canvas->width / (stroke->right_y - stroke->left_y); /* px a row */
  double reach = stroke->half_width * sqrt (1 + slope * slope);
  double upper = MIN (stroke->left_y, stroke->right_y);
  double lower = MAX (stroke->left_y, stroke->right_y);
  double from = MAX (floor (upper - stroke->half_width), canvas->top);
  double to = MIN (ceil (lower + stroke->half_width), canvas->bottom);

  Run row = {NULL, 1, 0, (double)canvas->width};
  for (double y = from; y < to; y++) {
    double middle = (y + 0.5 - stroke->left_y) * slope;
    row.pixels = canvas->pixels + (size_t)(y - canvas->top) * canvas->stride;
    paint_run (&row, middle - reach, middle + reach, stroke);
  }
}

static void
paint_links (const AttnDrawLinks *links,
             const AttnDrawLinkSet *set,
             double scale,
             const Canvas *canvas)
{
  for (guint i = 0; i < set->links->len; i++) {
    const AttnDrawLink *link = &g_array_index (set->links, AttnDrawLink, i);
    Stroke stroke = {
        .left_y =
            (attn_draw_links_get_end (links, link->query, link->slot) - links->rect.y) * scale,
        .right_y = (attn_draw_links_get_end (links, link->key, link->slot) - links->rect.y) * scale,
        .half_width = links->line_width * scale / 2,
        .color = links->colors[link->slot],
        .opacity = (link->code * ONE + 127) / 255,
    };
    double reach = 2 * stroke.half_width;
    if (MAX (stroke.left_y, stroke.right_y) + reach < canvas->top ||
        MIN (stroke.left_y, stroke.right_y) - reach > canvas->bottom)
      continue;
    if (fabs (stroke.right_y - stroke.left_y) <= (double)canvas->width)
      paint_flat (canvas, &stroke);
    else
      paint_steep (canvas, &stroke);
  }
}

void
attn_draw_raster_lines (const AttnDrawLayout *layout,
                        const AttnDrawFocus *focus,
                        double scale,
                        size_t first_row,
                        size_t n_rows,
                        uint32_t *pixels,
                        size_t stride)
{
  const AttnDrawLinks *links = layout->links;

  g_return_if_fail (links != NULL);
  Canvas canvas = {
      .pixels = pixels,
      .stride = stride,
      .width = attn_draw_cells_to_device (links->rect.width, scale),
      .top = (double)first_row,
      .bottom = (double)(first_row + n_rows),
  };
  uint32_t ground = attn_draw_color_to_pixel (layout->ink->background);
  for (size_t y = 0; y < n_rows; y++)
    for (size_t x = 0; x < canvas.width; x++)
      pixels[y * stride + x] = ground;
  if (focus == NULL) {
    paint_links (links, &links->shown, scale, &canvas);
    return;
  }
  AttnDrawLinkSet set;
  attn_draw_links_choose (links, layout, focus, &set);
  paint_links (links, &set, scale, &canvas);
  g_array_unref (set.links);
}
