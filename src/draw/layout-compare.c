/* SPDX-License-Identifier: MIT */
/* A, B and A − B: side by side where there is room, else one under the other. */
#include "bar.h"
#include "compare-plan.h"
#include "panels-private.h"

#include <math.h>

#define TITLE_GAP 0.25 /* em */

static const char *const titles[ATTN_DRAW_MAX_COMPARED] = {"A", "B", "A − B"};

static AttnDrawStyle
get_title_style (const AttnDrawBuild *build)
{
  return (AttnDrawStyle){.size_px = build->em, .bold = true};
}

static void
add_labels (AttnDrawBuild *build,
            const AttnDrawCompared *compare,
            const AttnDrawComparedMap *map,
            size_t panel)
{
  AttnDrawRect rect = build->layout->places[panel].rect;

  for (size_t token = map->rows.first; token < map->rows.end; token++) {
    double middle = rect.y + ((double)(token - map->rows.first) + 0.5) * map->cells.cell_y;
    if (attn_draw_labels_is_shown (map->queries, &map->query_plan, token))
      attn_draw_labels_add_query (build, &map->query_plan, panel, token,
                                  rect.x - ATTN_DRAW_COMPARED_LABEL_GAP * build->em, middle);
  }
  for (size_t token = map->columns.first; token < map->columns.end; token++) {
    double middle = rect.x + ((double)(token - map->columns.first) + 0.5) * map->cells.cell_x;
    if (attn_draw_labels_is_shown (map->keys, &map->key_plan, token))
      attn_draw_labels_add_key (build, &map->key_plan, panel, token, middle,
                                rect.y - compare->key_gap);
  }
}

static void
add_title (AttnDrawBuild *build, const AttnDrawCompared *compare, size_t panel, double x, double y)
{
  AttnDrawStyle style = get_title_style (build);
  PangoLayout *text = attn_draw_fonts_shape (build->fonts, titles[panel], &style);
  AttnDrawExtents extents = attn_draw_text_measure (text);

  attn_draw_build_add_text (
      build, text,
      &(AttnDrawTextPlace){.role = ATTN_DRAW_ROLE_HEAD_TITLE,
                           .panel = panel,
                           .token = G_MAXSIZE,
                           .x = x - extents.left,
                           .y = y - compare->key_height - compare->title_height,
                           .color = build->layout->ink->text});
}

/* Labels ask the build for their texts: here it is one of the map's own. Of a map that has nothing
 * of the part that is drawn there is only the title. */
static void
add_map (const AttnDrawBuild *build,
         const AttnDrawCompared *compare,
         size_t panel,
         double left,
         double top)
{
  const AttnDrawComparedMap *map = &compare->maps[panel];
  AttnDrawBuild own = *build;
  double labels_left =
      left + map->x - compare->left[attn_draw_compared_get_column (compare, panel)];

  add_title (&own, compare, panel, left + map->x, top + map->y);
  if (!attn_draw_compared_is_drawn (map))
    return;
  own.queries = map->queries;
  own.keys = map->keys;
  attn_draw_build_add_panel (&own, panel, left + map->x, top + map->y, &map->cells,
                             compare->has_labels ? labels_left : -1);
  if (compare->has_labels)
    add_labels (&own, compare, map, panel);
  if (map->bar_width > 0)
    attn_draw_bar_add (
        &own, panel, left + map->x + map->cells.width + round (ATTN_DRAW_COMPARED_BAR_GAP * own.em),
        top + map->y, map->cells.height);
  attn_draw_build_add_pins (&own, panel);
}

/* px that the rightmost maps' slanted labels stand out of everything. */
static double
find_overhang (const AttnDrawBuild *build, const AttnDrawCompared *compare)
{
  double end = 0;

  for (size_t i = 0; i < compare->n && compare->has_labels; i++) {
    const AttnDrawComparedMap *map = &compare->maps[i];
    const AttnDrawLabelPlan *plan = &map->key_plan;
    if (!attn_draw_compared_is_drawn (map))
      continue;
    for (size_t token = map->columns.first; token < map->columns.end; token++) {
      if (!attn_draw_labels_is_shown (map->keys, plan, token))
        continue;
      PangoLayout *text = attn_draw_labels_shape (map->keys, plan, token, plan->max_length);
      double width = attn_draw_text_measure (text).width;
      double along = plan->angle == 0 ? width / 2 : width * cos (plan->angle);
      double middle = ((double)(token - map->columns.first) + 0.5) * map->cells.cell_x;
      end = MAX (end, map->x + middle + along - plan->down * sin (plan->angle));
    }
  }
  return ceil (end - compare->parts.width - build->margin / 2);
}

static void
map_init (AttnDrawBuild *build, AttnDrawComparedMap *map, size_t panel)
{
  const AttnDrawView *view = build->layout->view;
  AttnDrawPanels *panels = build->layout->panels;
  AttnMaps *maps = attn_draw_panels_peek (panels, panel)->maps;
  size_t pin_query = view->has_pin ? view->pin_query : G_MAXSIZE;
  size_t pin_key = view->has_pin ? view->pin_key : G_MAXSIZE;

  map->rows = attn_draw_layout_get_rows (build->layout, panel);
  map->columns = attn_draw_layout_get_columns (build->layout, panel);
  map->n_queries = attn_draw_span_get_n (&map->rows);
  map->n_keys = attn_draw_span_get_n (&map->columns);
  map->queries = attn_draw_labels_new (
      build->fonts, maps, ATTN_SIDE_QUERY,
      attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_QUERY, pin_query), map->rows);
  map->keys = attn_draw_labels_new (
      build->fonts, maps, ATTN_SIDE_KEY,
      attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_KEY, pin_key), map->columns);
}

static void
compare_init (AttnDrawBuild *build, AttnDrawCompared *compare)
{
  AttnDrawStyle style = get_title_style (build);
  AttnDrawExtents title =
      attn_draw_text_measure (attn_draw_fonts_shape (build->fonts, titles[0], &style));

  *compare = (AttnDrawCompared){
      .n = attn_draw_panels_get_n (build->layout->panels),
      .title_height = ceil (title.height + TITLE_GAP * build->em),
      .parts.heading = attn_draw_lines_heading (build),
  };
  for (size_t i = 0; i < compare->n; i++) {
    PangoLayout *text = attn_draw_fonts_shape (build->fonts, titles[i], &style);
    map_init (build, &compare->maps[i], i);
    compare->maps[i].title_width = ceil (attn_draw_text_measure (text).width);
    compare->n_most_queries = MAX (compare->n_most_queries, compare->maps[i].n_queries);
    compare->n_most_keys = MAX (compare->n_most_keys, compare->maps[i].n_keys);
    if (!attn_draw_compared_is_drawn (&compare->maps[compare->largest]))
      compare->largest = i;
  }
}

void
attn_draw_layout_compare (AttnDrawBuild *build)
{
  AttnDrawCompared compare;
  double left, top;

  compare_init (build, &compare);
  attn_draw_compared_plan (build, &compare);
  compare.parts.overhang = find_overhang (build, &compare);
  attn_draw_parts_add (build, &compare.parts, &left, &top);
  for (size_t i = 0; i < compare.n; i++) {
    add_map (build, &compare, i, left, top);
    attn_draw_labels_free (compare.maps[i].queries);
    attn_draw_labels_free (compare.maps[i].keys);
  }
}
