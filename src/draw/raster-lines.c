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

struct _AttnDrawStrokes {
  gatomicrefcount ref_count;
  uint32_t ground;
  size_t width; /* device px */
  size_t n;
  Stroke all[]; /* [n] the faintest first */
};

static AttnDrawStrokes *
make_strokes (const AttnDrawLayout *layout, const AttnDrawLinkSet *set, double scale)
{
  const AttnDrawLinks *links = layout->links;
  size_t n = set->links->len;
  AttnDrawStrokes *strokes = g_malloc (sizeof *strokes + n * sizeof strokes->all[0]);

  g_atomic_ref_count_init (&strokes->ref_count);
  strokes->ground = attn_draw_color_to_pixel (layout->ink->background);
  strokes->width = attn_draw_cells_to_device (links->rect.width, scale);
  strokes->n = n;
  for (size_t i = 0; i < n; i++) {
    const AttnDrawLink *link = &g_array_index (set->links, AttnDrawLink, i);
    double left = attn_draw_links_get_end (links, link->query, link->slot);
    double right = attn_draw_links_get_end (links, link->key, link->slot);
    strokes->all[i] = (Stroke){
        .left_y = (left - links->rect.y) * scale,
        .right_y = (right - links->rect.y) * scale,
        .half_width = links->line_width * scale / 2,
        .color = attn_draw_links_get_color (links, link),
        .opacity = (link->code * ONE + 127) / 255,
    };
  }
  return strokes;
}

AttnDrawStrokes *
attn_draw_strokes_new (const AttnDrawLayout *layout, const AttnDrawFocus *focus, double scale)
{
  AttnDrawLinkSet set;

  g_return_val_if_fail (layout->links != NULL, NULL);
  if (focus == NULL)
    return make_strokes (layout, &layout->links->shown, scale);
  attn_draw_links_choose (layout->links, layout, focus, &set);
  AttnDrawStrokes *strokes = make_strokes (layout, &set, scale);
  g_array_unref (set.links);
  return strokes;
}

AttnDrawStrokes *
attn_draw_strokes_ref (AttnDrawStrokes *strokes)
{
  g_atomic_ref_count_inc (&strokes->ref_count);
  return strokes;
}

void
attn_draw_strokes_unref (AttnDrawStrokes *strokes)
{
  if (strokes != NULL && g_atomic_ref_count_dec (&strokes->ref_count))
    g_free (strokes);
}

size_t
attn_draw_strokes_get_width (const AttnDrawStrokes *strokes)
{
  return strokes->width;
}

static bool
is_flat (const AttnDrawStrokes *strokes, const Stroke *stroke)
{
  return fabs (stroke->right_y - stroke->left_y) <= (double)strokes->width;
}

/* Device px of a line's height between two rows, its ends included. */
static double
get_overlap (const Stroke *stroke, double top, double bottom)
{
  double reach = 2 * stroke->half_width;
  double upper = MIN (stroke->left_y, stroke->right_y) - reach;
  double lower = MAX (stroke->left_y, stroke->right_y) + reach;
  return MIN (lower, bottom) - MAX (upper, top);
}

double
attn_draw_strokes_estimate (const AttnDrawStrokes *strokes, size_t first_row, size_t n_rows)
{
  double top = (double)first_row, bottom = top + (double)n_rows, sum = 0;

  for (size_t i = 0; i < strokes->n; i++) {
    const Stroke *stroke = &strokes->all[i];
    double height = fabs (stroke->right_y - stroke->left_y) + 4 * stroke->half_width;
    double overlap = get_overlap (stroke, top, bottom);
    if (overlap < 0)
      continue;
    sum += is_flat (strokes, stroke) ? (double)strokes->width * overlap / height : overlap;
  }
  return sum;
}

void
attn_draw_strokes_raster (const AttnDrawStrokes *strokes,
                          size_t first_row,
                          size_t n_rows,
                          uint32_t *pixels,
                          size_t stride)
{
  Canvas canvas = {
      .pixels = pixels,
      .stride = stride,
      .width = strokes->width,
      .top = (double)first_row,
      .bottom = (double)(first_row + n_rows),
  };

  for (size_t y = 0; y < n_rows; y++)
    for (size_t x = 0; x < canvas.width; x++)
      pixels[y * stride + x] = strokes->ground;
  for (size_t i = 0; i < strokes->n; i++) {
    const Stroke *stroke = &strokes->all[i];
    if (get_overlap (stroke, canvas.top, canvas.bottom) < 0)
      continue;
    if (is_flat (strokes, stroke))
      paint_flat (&canvas, stroke);
    else
      paint_steep (&canvas, stroke);
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
  g_return_if_fail (layout->links != NULL);
  AttnDrawStrokes *strokes = attn_draw_strokes_new (layout, focus, scale);
  attn_draw_strokes_raster (strokes, first_row, n_rows, pixels, stride);
  attn_draw_strokes_unref (strokes);
}
