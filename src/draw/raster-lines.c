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

/* Where a line's middle is in the column or row @i, and how far it reaches to both sides, in
 * 1/65536 px: whole numbers, so that a line is the same whichever part of it is painted. */
typedef struct {
  int64_t begin, step, reach;
} Course;

static int64_t
to_fixed (double px)
{
  return llround (px * 65536);
}

/* Two channels at a time: none grows into its neighbour. */
static inline void
mix (uint32_t *pixel, uint32_t color, unsigned share)
{
  const uint32_t lanes = 0x00ff00ff, half = 0x00800080;
  uint32_t rest = ONE - share;
  uint32_t outer = ((*pixel & lanes) * rest + (color & lanes) * share + half) >> 8 & lanes;
  uint32_t inner = ((*pixel >> 8 & 0xff) * rest + (color >> 8 & 0xff) * share + ONE / 2) & 0xff00;
  *pixel = 0xff000000 | outer | inner;
}

/* Some pixels of a column or a row. */
typedef struct {
  uint32_t *pixels; /* of the first */
  size_t step;      /* to the next one */
  int begin, end;
} Run;

/* Paints what lies around @middle, each pixel by how much of it is covered in ONEs. */
static inline void
paint_run (const Run *run, int64_t middle, int64_t reach, const Stroke *stroke)
{
  int low = (int)((middle - reach) >> 8), high = (int)((middle + reach) >> 8);
  int first = MAX (low >> 8, run->begin), end = MIN ((high + ONE - 1) >> 8, run->end);

  for (int i = first; i < end; i++) {
    unsigned cover = (unsigned)(MIN (high, (i + 1) * ONE) - MAX (low, i * ONE));
    unsigned share = (cover * stroke->opacity + ONE / 2) / ONE;
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
  Course course = {to_fixed (stroke->left_y + slope / 2), to_fixed (slope), to_fixed (reach)};
  double from = 0, to = width;

  if (fabs (slope) > 1e-12) {
    double a = (canvas->top - reach - 1 - stroke->left_y) / slope;
    double b = (canvas->bottom + reach + 1 - stroke->left_y) / slope;
    from = MAX (floor (MIN (a, b)), 0);
    to = MIN (ceil (MAX (a, b)), width);
  }
  Run column = {NULL, canvas->stride, (int)canvas->top, (int)canvas->bottom};
  for (int x = (int)from; x < (int)to; x++) {
    column.pixels = canvas->pixels + x;
    paint_run (&column, course.begin + x * course.step, course.reach, stroke);
  }
}

/* A line that is higher than wide: row by row. */
static void
paint_steep (const Canvas *canvas, const Stroke *stroke)
{
  double slope = (double)canvas->width / (stroke->right_y - stroke->left_y); /* px a row */
  double reach = stroke->half_width * sqrt (1 + slope * slope);
  Course course = {to_fixed ((0.5 - stroke->left_y) * slope), to_fixed (slope), to_fixed (reach)};
  double upper = MIN (stroke->left_y, stroke->right_y);
  double lower = MAX (stroke->left_y, stroke->right_y);
  int from = (int)MAX (floor (upper - stroke->half_width), canvas->top);
  int to = (int)MIN (ceil (lower + stroke->half_width), canvas->bottom);

  Run row = {NULL, 1, 0, (int)canvas->width};
  for (int y = from; y < to; y++) {
    row.pixels = canvas->pixels + (size_t)(y - (int)canvas->top) * canvas->stride;
    paint_run (&row, course.begin + y * course.step, course.reach, stroke);
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
