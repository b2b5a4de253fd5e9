/* SPDX-License-Identifier: MIT */
/* One head, large, with the labels of both sides and the colour bar. */
#include "bar.h"
#include "layout-private.h"

#include <math.h>

/* all in em of the view's font */
#define MAX_CELL 7.2
#define QUERY_LABEL_MAX 11.0 /* more where the map leaves it */
#define KEY_LABEL_MAX 8.5
#define LABEL_GAP 0.45
#define KEY_GAP 0.35
#define BAR_GAP 1.6
#define LEAST_MAP 10.0  /* the smallest useful map */
#define LABELS_FROM 9.0 /* narrower pictures have no labels */
#define BAR_FROM 13.0   /* … and no colour bar */
/* of the picture's width, at most */
#define QUERY_LABEL_SHARE 0.28
#define KEY_LABEL_SHARE 0.3
#define KEY_LABEL_HEIGHT_SHARE 0.25 /* of its height, where that is limited */

typedef struct {
  bool has_labels, has_bar;
  double bar_room; /* px at the right, with its gap */
  double left;     /* px of the query labels with their gap */
  AttnDrawCells cells;
  AttnDrawLabelPlan queries, keys;
  double key_gap, key_height; /* px over the panel: to the labels' anchor, and in all */
  AttnDrawParts parts;
} Heatmap;

/* px there are beside cells of @width px. */
static double
get_spare (const AttnDrawBuild *build, const Heatmap *map, double width)
{
  return build->width - 2 * build->margin - map->bar_room - width;
}

/* px a query's label may be long. */
static double
get_query_max (const AttnDrawBuild *build, const Heatmap *map)
{
  double least = MIN (QUERY_LABEL_MAX * build->em, QUERY_LABEL_SHARE * build->width);
  double spare = get_spare (build, map, map->cells.width) - LABEL_GAP * build->em;

  return floor (MAX (least, spare));
}

static double
get_key_max (const AttnDrawBuild *build)
{
  double max = MIN (KEY_LABEL_MAX * build->em, KEY_LABEL_SHARE * build->width);

  return MIN (max, KEY_LABEL_HEIGHT_SHARE * build->max_height);
}

/* Both sides with the same size of letters and the same stride, which looks calmer. */
static void
plan_labels (AttnDrawBuild *build, Heatmap *map)
{
  AttnDrawLabelRoom rows = {
      .pitch = map->cells.cell_y,
      .max_length = get_query_max (build, map),
      .max_size = build->em,
  };
  AttnDrawLabelRoom columns = {
      .pitch = map->cells.cell_x,
      .max_length = get_key_max (build),
      .max_size = build->em,
      .turns = true,
      .slants = map->has_bar,
  };

  map->queries = attn_draw_labels_plan (build->queries, &rows);
  map->keys = attn_draw_labels_plan (build->keys, &columns);
  size_t stride = MAX (map->queries.stride, map->keys.stride);
  double size = MIN (map->queries.size_px, map->keys.size_px);
  if (map->queries.stride != stride || map->queries.size_px > size) {
    rows.min_stride = stride;
    rows.max_size = size;
    map->queries = attn_draw_labels_plan (build->queries, &rows);
  }
  if (map->keys.stride != stride || map->keys.size_px > size) {
    columns.min_stride = stride;
    columns.max_size = size;
    map->keys = attn_draw_labels_plan (build->keys, &columns);
  }
  map->left = ceil (map->queries.length + LABEL_GAP * build->em);
}

static void
measure_keys (const AttnDrawBuild *build, Heatmap *map)
{
  const AttnDrawLabelPlan *keys = &map->keys;
  double cosine = cos (keys->angle), sine = sin (-keys->angle);

  map->key_gap = KEY_GAP * build->em + keys->down * cosine;
  map->key_height = ceil (map->key_gap + keys->length * sine + keys->up * cosine);
}

static AttnDrawSize
arrange (AttnDrawBuild *build, const AttnDrawCells *cells, void *data)
{
  Heatmap *map = data;

  map->cells = *cells;
  if (map->has_labels) {
    plan_labels (build, map);
    measure_keys (build, map);
  }
  map->parts.width = map->left + cells->width + map->bar_room;
  map->parts.height = map->key_height + cells->height;
  AttnDrawNotes notes = {
      .width = map->parts.width,
      .stride = map->queries.stride,
      .is_thinned = map->has_labels && (map->queries.is_thinned || map->keys.is_thinned),
      .is_pooled = cells->cell_x < 1 || cells->cell_y < 1,
  };
  map->parts.notes = attn_draw_lines_notes (build, &notes);
  return attn_draw_parts_measure (build, &map->parts);
}

static Heatmap
plan_heatmap (AttnDrawBuild *build)
{
  Heatmap map = {
      .has_labels = build->width >= LABELS_FROM * build->em,
      .has_bar = build->width >= BAR_FROM * build->em,
      .parts.heading = attn_draw_lines_heading (build),
  };

  if (map.has_bar)
    map.bar_room = ceil (BAR_GAP * build->em + build->bar_width);
  AttnDrawSearch search = {
      .room = get_spare (build, &map, 0),
      .max_cell = attn_draw_build_get_max_cell (build, MAX_CELL),
      .least = LEAST_MAP * build->em,
      .max_height = build->max_height,
      .apart = 2 * build->margin + map.parts.heading.height,
      .n_rows = 1,
      .arrange = arrange,
      .data = &map,
  };
  attn_draw_build_search (build, &search, &map.cells);
  return map;
}

/* px from the map's first cell to the middle of @token's. */
static double
find_middle (const AttnDrawLabels *labels, size_t token, double cell)
{
  return ((double)(token - attn_draw_labels_get_drawn (labels).first) + 0.5) * cell;
}

/* px from the map's left to where a key's label of @width px ends at the right, its margin left
 * out. */
static double
find_key_end (const AttnDrawBuild *build, const Heatmap *map, size_t token, double width)
{
  const AttnDrawLabelPlan *plan = &map->keys;
  double along = plan->angle == 0 ? width / 2 : width * cos (plan->angle);

  return find_middle (build->keys, token, map->cells.cell_x) + along -
         plan->down * sin (plan->angle);
}

static double
find_overhang (AttnDrawBuild *build, const Heatmap *map)
{
  AttnDrawSpan keys = attn_draw_labels_get_drawn (build->keys);
  const AttnDrawLabelPlan *plan = &map->keys;
  double end = 0;

  /* a part of a map stands still while it moves over the map: its last label may be any */
  if (map->has_labels && attn_draw_layout_is_part (build->layout))
    end = find_key_end (build, map, keys.end - 1, plan->length);
  for (size_t token = keys.first; token < keys.end; token++) {
    if (!map->has_labels || !attn_draw_labels_is_shown (build->keys, plan, token))
      continue;
    PangoLayout *text = attn_draw_labels_shape (build->keys, plan, token, plan->max_length);
    end = MAX (end, find_key_end (build, map, token, attn_draw_text_measure (text).width));
  }
  return ceil (map->left + end - map->parts.width - build->margin / 2);
}

static void
add_query_labels (AttnDrawBuild *build, const Heatmap *map, double x, double y)
{
  AttnDrawSpan queries = attn_draw_labels_get_drawn (build->queries);

  for (size_t token = queries.first; token < queries.end; token++) {
    double middle = y + find_middle (build->queries, token, map->cells.cell_y);
    if (attn_draw_labels_is_shown (build->queries, &map->queries, token))
      attn_draw_labels_add_query (build, &map->queries, 0, token, x - LABEL_GAP * build->em,
                                  middle);
  }
}

static void
add_key_labels (AttnDrawBuild *build, const Heatmap *map, double x, double y)
{
  AttnDrawSpan keys = attn_draw_labels_get_drawn (build->keys);

  for (size_t token = keys.first; token < keys.end; token++) {
    double middle = x + find_middle (build->keys, token, map->cells.cell_x);
    if (attn_draw_labels_is_shown (build->keys, &map->keys, token))
      attn_draw_labels_add_key (build, &map->keys, 0, token, middle, y - map->key_gap);
  }
}

void
attn_draw_layout_heatmap (AttnDrawBuild *build)
{
  Heatmap map = plan_heatmap (build);
  double left, top;

  map.parts.overhang = find_overhang (build, &map);
  attn_draw_parts_add (build, &map.parts, &left, &top);
  double x = left + map.left, y = top + map.key_height;
  attn_draw_build_add_panel (build, 0, x, y, &map.cells, map.has_labels ? left : -1);
  if (map.has_labels) {
    add_query_labels (build, &map, x, y);
    add_key_labels (build, &map, x, y);
  }
  if (map.has_bar)
    attn_draw_bar_add (build, G_MAXSIZE, x + map.cells.width + round (BAR_GAP * build->em), y,
                       map.cells.height);
  attn_draw_build_add_pins (build, 0);
}
