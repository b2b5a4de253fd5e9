/* SPDX-License-Identifier: MIT */
/* Adding items to a layout that is being built, and fitting cells into their room. */
#include "layout-private.h"

#include <math.h>

#define WHOLE_SHARE 0.9  /* cells are whole px where they keep this much of their size */
#define MAX_ASPECT 2.0   /* a panel's height over the width there is */
#define MIN_ASPECT 0.125 /* … and over the panel's own: rows of a few queries can be read */

/* @cell px, or whole px where that leaves little room unused; but a part of a map takes the same
 * room whatever it is. */
static double
prefer_whole (const AttnDrawBuild *build, double cell)
{
  double whole = floor (cell);
  return whole >= WHOLE_SHARE * cell && !attn_draw_layout_is_part (build->layout) ? whole : cell;
}

double
attn_draw_build_get_max_cell (const AttnDrawBuild *build, double max_em)
{
  const AttnDrawLayout *layout = build->layout;
  const AttnDrawPanels *panels = layout->panels;
  double rows = (double)attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY) /
                (double)attn_draw_span_get_n (&layout->rows);
  double columns = (double)attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY) /
                   (double)attn_draw_span_get_n (&layout->columns);

  return max_em * build->em * MIN (rows, columns);
}

AttnDrawCells
attn_draw_build_fit_cells (const AttnDrawBuild *build, double width, double max_cell)
{
  double n_queries = (double)attn_draw_labels_get_n (build->queries);
  double n_keys = (double)attn_draw_labels_get_n (build->keys);
  double room = MAX (floor (width), 1);
  double cell = prefer_whole (build, MIN (room / n_keys, max_cell));
  AttnDrawCells cells;

  cells.width = MAX (round (cell * n_keys), 1);
  cells.cell_x = cells.width / n_keys;
  cell = cells.cell_x;
  if (cell * n_queries > MAX_ASPECT * room)
    cell = prefer_whole (build, MAX_ASPECT * room / n_queries);
  cell = MAX (cell, MIN (MIN_ASPECT * cells.width / n_queries, max_cell));
  cells.height = MAX (round (cell * n_queries), 1);
  cells.cell_y = cells.height / n_queries;
  return cells;
}

/* The bounding box of a text's logical width and ink height, turned about its origin. */
static AttnDrawRect
find_bounds (const AttnDrawExtents *extents, const AttnDrawTextPlace *place)
{
  double cosine = cos (place->angle), sine = sin (place->angle);
  double xs[2] = {extents->left, extents->left + extents->width};
  double ys[2] = {MIN (extents->ink_top, extents->baseline), extents->ink_bottom};
  double left = G_MAXDOUBLE, right = -G_MAXDOUBLE, top = G_MAXDOUBLE, bottom = -G_MAXDOUBLE;

  ys[1] = MAX (ys[1], extents->baseline);
  for (int corner = 0; corner < 4; corner++) {
    double x = xs[corner & 1], y = ys[corner >> 1];
    double turned_x = place->x + x * cosine - y * sine;
    double turned_y = place->y + x * sine + y * cosine;
    left = MIN (left, turned_x);
    right = MAX (right, turned_x);
    top = MIN (top, turned_y);
    bottom = MAX (bottom, turned_y);
  }
  return (AttnDrawRect){left, top, right - left, bottom - top};
}

void
attn_draw_build_add_text (AttnDrawBuild *build, PangoLayout *text, const AttnDrawTextPlace *place)
{
  AttnDrawExtents extents = attn_draw_text_measure (text);
  AttnDrawItem item = {
      .kind = ATTN_DRAW_ITEM_TEXT,
      .role = place->role,
      .rect = find_bounds (&extents, place),
      .panel = place->panel,
      .token = place->token,
      .color = place->color,
      .text = g_object_ref (text),
      .text_x = place->x,
      .text_y = place->y,
      .angle = place->angle,
  };
  g_array_append_val (build->layout->items, item);
}

void
attn_draw_build_add_fill (
    AttnDrawBuild *build, AttnDrawRole role, size_t panel, AttnDrawRect rect, AttnDrawColor color)
{
  AttnDrawItem item = {
      .kind = ATTN_DRAW_ITEM_RULE,
      .role = role,
      .rect = rect,
      .panel = panel,
      .token = G_MAXSIZE,
      .color = color,
  };
  g_array_append_val (build->layout->items, item);
}

void
attn_draw_build_add_rule (AttnDrawBuild *build, AttnDrawRole role, size_t panel, AttnDrawRect rect)
{
  attn_draw_build_add_fill (build, role, panel, rect, build->layout->ink->rule);
}

void
attn_draw_build_add_panel (AttnDrawBuild *build,
                           size_t panel,
                           double x,
                           double y,
                           const AttnDrawCells *cells,
                           double labels_left)
{
  AttnDrawRect rect = {x, y, cells->width, cells->height};
  AttnDrawRect frame = {x - 1, y - 1, cells->width + 2, cells->height + 2};
  AttnDrawItem item = {
      .kind = ATTN_DRAW_ITEM_PANEL,
      .role = ATTN_DRAW_ROLE_MAP,
      .rect = rect,
      .panel = panel,
      .token = G_MAXSIZE,
  };
  build->layout->places[panel] = (AttnDrawPlace){rect, labels_left};
  attn_draw_build_add_rule (build, ATTN_DRAW_ROLE_MAP, panel, frame);
  g_array_append_val (build->layout->items, item);
}

/* Around whole px, so that it covers no weight of what it marks. */
void
attn_draw_build_add_outline (AttnDrawBuild *build,
                             size_t panel,
                             AttnDrawRect cells,
                             double line_width)
{
  double left = floor (cells.x), top = floor (cells.y);
  AttnDrawItem item = {
      .kind = ATTN_DRAW_ITEM_MARK,
      .role = ATTN_DRAW_ROLE_MAP,
      .rect = {left, top, ceil (cells.x + cells.width) - left, ceil (cells.y + cells.height) - top},
      .panel = panel,
      .token = G_MAXSIZE,
      .color = build->layout->ink->accent,
      .line_width = line_width,
  };
  g_array_append_val (build->layout->items, item);
}

void
attn_draw_build_add_mark (
    AttnDrawBuild *build, size_t panel, size_t query, size_t key, double line_width)
{
  AttnDrawRect cells = attn_draw_layout_place (build->layout, panel, query, key);
  attn_draw_build_add_outline (build, panel, cells, line_width);
}

void
attn_draw_build_add_pins (AttnDrawBuild *build, size_t panel)
{
  const AttnDrawLayout *layout = build->layout;
  const AttnDrawView *view = layout->view;
  AttnDrawSpan rows = attn_draw_layout_get_rows (layout, panel);
  AttnDrawSpan columns = attn_draw_layout_get_columns (layout, panel);
  size_t query =
      attn_draw_panels_find_joint (layout->panels, panel, ATTN_SIDE_QUERY, view->pin_query);
  size_t key = attn_draw_panels_find_joint (layout->panels, panel, ATTN_SIDE_KEY, view->pin_key);
  bool has_query = attn_draw_span_has (&rows, query);
  bool has_key = attn_draw_span_has (&columns, key);

  if (!view->has_pin || !(layout->places[panel].rect.width > 0))
    return;
  AttnDrawRect rect = layout->places[panel].rect;
  double cell = rect.height / (double)attn_draw_labels_get_n (build->queries);
  double thick = cell >= 1.2 * build->em ? 2 : 1;
  if (has_key)
    attn_draw_build_add_mark (build, panel, G_MAXSIZE, key, 1);
  if (has_query)
    attn_draw_build_add_mark (build, panel, query, G_MAXSIZE, thick);
  if (has_query && has_key)
    attn_draw_build_add_mark (build, panel, query, key, thick);
}

void
attn_draw_build_add_row_pin (AttnDrawBuild *build, size_t panel)
{
  const AttnDrawView *view = build->layout->view;
  bool has_query = attn_draw_span_has (&build->layout->rows, view->pin_query);
  bool has_key = attn_draw_span_has (&build->layout->columns, view->pin_key);

  if (view->has_pin && (has_query || has_key))
    attn_draw_build_add_mark (build, panel, has_query ? view->pin_query : G_MAXSIZE,
                              has_query ? G_MAXSIZE : view->pin_key, 1);
}
