/* SPDX-License-Identifier: MIT */
/* Painting a figure's items in order. */
#include "figure-private.h"
#include "paint-target.h"

#include <pango/pangocairo.h>

#include <math.h>

#define ARROW_HEAD 4.5 /* px along the arrow */
#define ARROW_HALF 2.6 /* px across it */
#define CORNER 5.0     /* px of an arrow's round corners */
#define ROUND 0.5523   /* of a radius: where a quarter circle's curve has its control points */

/* Where cells begin; the last may have fewer values than the others. */
static double
find_edge (double origin, double length, size_t n, size_t per_cell, size_t cell)
{
  return attn_draw_figure_edge (origin, length, n, MIN (cell * per_cell, n));
}

static uint32_t
find_pixel (const AttnDrawFigure *figure, const uint32_t *lut, bool is_reversed, uint16_t code)
{
  const AttnDrawInk *ink = attn_draw_palette_peek_ink (figure->style.palette);
  if (code == ATTN_DRAW_FIGURE_HIDDEN)
    return attn_draw_color_to_pixel (
        attn_draw_color_mix (attn_draw_color_from_pixel (ink->hidden),
                             attn_draw_color_from_pixel (ink->hidden_line), 0.25));
  if (code == ATTN_DRAW_FIGURE_NAN)
    return ink->not_a_number_line;
  return lut[is_reversed ? 255 - code : code];
}

typedef struct {
  const uint32_t *lut;
  bool is_reversed;
} Colors;

static Colors
find_colors (const AttnDrawFigure *figure, const AttnDrawFigurePart *part)
{
  const AttnDrawFigureStyle *style = &figure->style;
  const AttnDrawView view = {.palette = style->palette, .color_map = style->color_map};
  const bool is_dark = style->palette == ATTN_DRAW_PALETTE_SCREEN_DARK;
  if (part->is_signed)
    return (Colors){attn_draw_diverging_peek_lut (is_dark ? ATTN_DRAW_DIVERGING_DARK
                                                          : ATTN_DRAW_DIVERGING_LIGHT),
                    false};
  return (Colors){attn_draw_color_map_peek_lut (style->color_map),
                  attn_draw_view_reverses_map (&view)};
}

/* Cells of a row and what is left of each column, from the run's first one on: later ones cover it,
 * so that no seam of the ground shines through where shapes only touch. */
static AttnDrawRect
place_run (const AttnDrawFigurePart *part, size_t row, size_t first, size_t end, bool has_pixels)
{
  const AttnDrawRect *rect = &part->item.rect;
  const size_t n_rows = part->item.n_rows, n_columns = part->item.n_columns;
  const size_t per_row = part->rows_per_cell, per_column = part->columns_per_cell;
  const double left = find_edge (rect->x, rect->width, n_columns, per_column, first);
  const double top = find_edge (rect->y, rect->height, n_rows, per_row, row);
  double right = find_edge (rect->x, rect->width, n_columns, per_column, end);
  double bottom = find_edge (rect->y, rect->height, n_rows, per_row, row + 1);
  if (!has_pixels) {
    right = find_edge (rect->x, rect->width, n_columns, per_column, end + 1);
    bottom = find_edge (rect->y, rect->height, n_rows, per_row, row + 2);
  }
  return (AttnDrawRect){left, top, right - left, bottom - top};
}

static void
fill_run (const AttnDrawRect *run,
          uint32_t pixel,
          const AttnDrawTarget *target,
          const AttnDrawPixels *pixels,
          cairo_t *cr)
{
  if (pixels->data != NULL) {
    attn_draw_pixels_fill (pixels, run, target, pixel);
    return;
  }
  attn_draw_set_source (cr, attn_draw_color_from_pixel (pixel));
  attn_draw_target_add_rectangle (run, target, cr);
  cairo_fill (cr);
}

static void
paint_matrix (const AttnDrawFigure *figure,
              const AttnDrawFigurePart *part,
              const AttnDrawTarget *target,
              cairo_t *cr)
{
  const AttnDrawPixels pixels = attn_draw_pixels_begin (cr, target);
  const size_t height = attn_draw_figure_count_cells (part->item.n_rows, part->rows_per_cell);
  const size_t width = attn_draw_figure_count_cells (part->item.n_columns, part->columns_per_cell);
  const Colors colors = find_colors (figure, part);
  for (size_t y = 0; y < height; y++) {
    const uint16_t *row = part->codes + y * width;
    for (size_t x = 0, end = 0; x < width; x = end) {
      for (end = x + 1; end < width && row[end] == row[x];)
        end++;
      const AttnDrawRect run = place_run (part, y, x, end, target->has_pixels);
      const uint32_t pixel = find_pixel (figure, colors.lut, colors.is_reversed, row[x]);
      fill_run (&run, pixel, target, &pixels, cr);
    }
  }
  attn_draw_pixels_end (&pixels);
}

static void
paint_text (const AttnDrawFigurePart *part, cairo_t *cr)
{
  cairo_save (cr);
  attn_draw_set_source (cr, part->item.color);
  cairo_translate (cr, part->text_x, part->text_y);
  if (part->is_turned)
    cairo_rotate (cr, -G_PI_2);
  cairo_move_to (cr, 0, 0);
  pango_cairo_show_layout (cr, part->item.layout);
  cairo_restore (cr);
}

static void
add_round (const AttnDrawRect *rect, double radius, cairo_t *cr)
{
  const double left = rect->x + radius, right = rect->x + rect->width - radius;
  const double top = rect->y + radius, bottom = rect->y + rect->height - radius;
  cairo_new_sub_path (cr);
  cairo_arc (cr, right, top, radius, -G_PI_2, 0);
  cairo_arc (cr, right, bottom, radius, 0, G_PI_2);
  cairo_arc (cr, left, bottom, radius, G_PI_2, G_PI);
  cairo_arc (cr, left, top, radius, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

/* A card's line lies on whole pixels at scale 1. */
static void
paint_card (const AttnDrawFigurePart *part, cairo_t *cr)
{
  const AttnDrawRect *rect = &part->item.rect;
  const AttnDrawRect line = {floor (rect->x) + 0.5, floor (rect->y) + 0.5, round (rect->width) - 1,
                             round (rect->height) - 1};
  add_round (&line, MIN (part->radius, MIN (line.width, line.height) / 2), cr);
  attn_draw_set_source (cr, part->fill);
  cairo_fill_preserve (cr);
  attn_draw_set_source (cr, part->item.color);
  cairo_set_line_width (cr, part->line_width);
  cairo_stroke (cr);
}

static void
paint_frame (const AttnDrawFigurePart *part, const AttnDrawTarget *target, cairo_t *cr)
{
  if (part->radius > 0) {
    paint_card (part, cr);
    return;
  }
  const AttnDrawRect *inside = &part->item.rect;
  const double line = part->line_width;
  const AttnDrawRect outside = {inside->x - line, inside->y - line, inside->width + 2 * line,
                                inside->height + 2 * line};
  attn_draw_set_source (cr, part->item.color);
  cairo_save (cr);
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
  attn_draw_target_add_rectangle (&outside, target, cr);
  attn_draw_target_add_rectangle (inside, target, cr);
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
paint_line (const AttnDrawFigurePart *part, cairo_t *cr)
{
  const AttnDrawColor *color = &part->item.color;
  for (size_t i = 0; i < part->n_points; i++)
    cairo_line_to (cr, part->points[i].x, part->points[i].y);
  if (part->opacity > 0) {
    cairo_set_source_rgba (cr, color->red, color->green, color->blue, part->opacity);
    cairo_close_path (cr);
    cairo_fill (cr);
    return;
  }
  attn_draw_set_source (cr, *color);
  cairo_set_line_width (cr, part->line_width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_stroke (cr);
}

/* @from moved @by px towards @to. */
static AttnDrawPoint
move_towards (AttnDrawPoint from, AttnDrawPoint to, double by)
{
  const double length = hypot (to.x - from.x, to.y - from.y);
  const double share = length > 0 ? by / length : 0;
  return (AttnDrawPoint){from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
}

static double
get_distance (AttnDrawPoint a, AttnDrawPoint b)
{
  return hypot (a.x - b.x, a.y - b.y);
}

static void
add_corner (AttnDrawPoint before, AttnDrawPoint at, AttnDrawPoint after, cairo_t *cr)
{
  const double most = MIN (get_distance (before, at), get_distance (at, after)) / 2;
  const double radius = MIN (CORNER, most);
  const AttnDrawPoint begin = move_towards (at, before, radius);
  const AttnDrawPoint end = move_towards (at, after, radius);
  const AttnDrawPoint first = move_towards (at, before, radius * (1 - ROUND));
  const AttnDrawPoint second = move_towards (at, after, radius * (1 - ROUND));
  cairo_line_to (cr, begin.x, begin.y);
  cairo_curve_to (cr, first.x, first.y, second.x, second.y, end.x, end.y);
}

static void
paint_arrow (const AttnDrawFigurePart *part, cairo_t *cr)
{
  const AttnDrawPoint *points = part->points;
  const AttnDrawPoint from = points[part->n_points - 2], to = points[part->n_points - 1];
  if (!(get_distance (from, to) > 0))
    return;
  cairo_save (cr);
  attn_draw_set_source (cr, part->item.color);
  cairo_set_line_width (cr, part->line_width);
  cairo_move_to (cr, points[0].x, points[0].y);
  for (size_t i = 1; i + 1 < part->n_points; i++)
    add_corner (points[i - 1], points[i], points[i + 1], cr);
  cairo_line_to (cr, to.x, to.y);
  cairo_translate (cr, to.x, to.y);
  cairo_rotate (cr, atan2 (to.y - from.y, to.x - from.x));
  cairo_move_to (cr, -ARROW_HEAD, -ARROW_HALF);
  cairo_line_to (cr, 0, 0);
  cairo_line_to (cr, -ARROW_HEAD, ARROW_HALF);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
paint_part (const AttnDrawFigure *figure,
            const AttnDrawFigurePart *part,
            const AttnDrawTarget *target,
            cairo_t *cr)
{
  switch (part->item.kind) {
  case ATTN_DRAW_FIGURE_MATRIX:
    paint_matrix (figure, part, target, cr);
    return;
  case ATTN_DRAW_FIGURE_TEXT:
    paint_text (part, cr);
    return;
  case ATTN_DRAW_FIGURE_RULE:
    attn_draw_set_source (cr, part->item.color);
    attn_draw_target_add_rectangle (&part->item.rect, target, cr);
    cairo_fill (cr);
    return;
  case ATTN_DRAW_FIGURE_FRAME:
    paint_frame (part, target, cr);
    return;
  case ATTN_DRAW_FIGURE_LINE:
    paint_line (part, cr);
    return;
  case ATTN_DRAW_FIGURE_ARROW:
    paint_arrow (part, cr);
    return;
  }
}

void
attn_draw_figure_paint (const AttnDrawFigure *figure, cairo_t *cr)
{
  const AttnDrawTarget target = attn_draw_target_find (cr);
  const AttnDrawRect all = {0, 0, figure->width, figure->height};
  cairo_save (cr);
  cairo_new_path (cr);
  attn_draw_set_source (cr, attn_draw_tone_get (&figure->style, ATTN_DRAW_TONE_BACKGROUND));
  attn_draw_target_add_rectangle (&all, &target, cr);
  cairo_fill (cr);
  for (guint i = 0; i < figure->parts->len; i++) {
    cairo_new_path (cr);
    paint_part (figure, attn_draw_figure_peek_part (figure, i), &target, cr);
  }
  cairo_new_path (cr);
  cairo_restore (cr);
}
