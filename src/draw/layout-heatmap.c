/* SPDX-License-Identifier: MIT */
/* One head, large, with the labels of both sides and the colour bar. */
#include "bar.h"
#include "layout-private.h"

#include <math.h>

/* all in em of the view's font */
#define MAX_CELL 7.2
#define QUERY_LABEL_MAX 11.0
#define KEY_LABEL_MAX 8.5
#define LABEL_GAP 0.45
#define KEY_GAP 0.35
#define BAR_GAP 1.6
#define LABELS_FROM 9.0 /* narrower pictures have no labels */
#define BAR_FROM 13.0   /* … and no colour bar */
/* of the picture's width, at most */
#define QUERY_LABEL_SHARE 0.28
#define KEY_LABEL_SHARE 0.3

typedef struct {
  bool has_labels, has_bar;
  double bar_room;  /* px at the right, with its gap */
  double label_max; /* px of the longest query label there may be */
  double left;      /* px of the query labels with their gap */
  AttnDrawCells cells;
  AttnDrawLabelPlan queries, keys;
  double key_gap, key_height; /* px over the panel: to the labels' anchor, and in all */
} Heatmap;

static double
get_room (const AttnDrawBuild *build, const Heatmap *map, double left)
{
  return build->width - 2 * build->margin - map->bar_room - left;
}

static void
fit_cells (const AttnDrawBuild *build, Heatmap *map, double left)
{
  map->left = left;
  map->cells = attn_draw_build_fit_cells (build, get_room (build, map, left), MAX_CELL * build->em);
}

/* Both sides with the same size of letters and the same stride, which looks calmer. */
static void
plan_labels (AttnDrawBuild *build, Heatmap *map)
{
  AttnDrawLabelRoom rows = {
      .pitch = map->cells.cell_y,
      .max_length = map->label_max,
      .max_size = build->em,
  };
  AttnDrawLabelRoom columns = {
      .pitch = map->cells.cell_x,
      .max_length = MIN (KEY_LABEL_MAX * build->em, KEY_LABEL_SHARE * build->width),
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
}

/* The room for labels depends on their size, that on the cells', and that on the room: from the
 * smallest cells there can be, then once more with the room their labels really need. */
static void
fit_labels (AttnDrawBuild *build, Heatmap *map)
{
  double gap = LABEL_GAP * build->em;
  double longest = 0;

  map->label_max = floor (MIN (QUERY_LABEL_MAX * build->em, QUERY_LABEL_SHARE * build->width));
  fit_cells (build, map, ceil (map->label_max + gap));
  for (int round_trip = 0; round_trip < 2; round_trip++) {
    plan_labels (build, map);
    longest = MAX (longest, ceil (map->queries.length));
    fit_cells (build, map, ceil (longest + gap));
  }
  map->label_max = longest;
  plan_labels (build, map);
}

static void
measure_keys (const AttnDrawBuild *build, Heatmap *map)
{
  const AttnDrawLabelPlan *keys = &map->keys;
  double cosine = cos (keys->angle), sine = sin (-keys->angle);

  map->key_gap = KEY_GAP * build->em + keys->down * cosine;
  map->key_height = ceil (map->key_gap + keys->length * sine + keys->up * cosine);
}

static Heatmap
plan_heatmap (AttnDrawBuild *build)
{
  Heatmap map = {
      .has_labels = build->width >= LABELS_FROM * build->em,
      .has_bar = build->width >= BAR_FROM * build->em,
  };

  if (map.has_bar)
    map.bar_room = ceil (BAR_GAP * build->em + build->bar_width);
  if (map.has_labels) {
    fit_labels (build, &map);
    measure_keys (build, &map);
  } else {
    fit_cells (build, &map, 0);
  }
  return map;
}

static void
add_query_labels (AttnDrawBuild *build, const Heatmap *map, double x, double y)
{
  for (size_t token = 0; token < attn_draw_labels_get_n (build->queries); token++) {
    double middle = y + ((double)token + 0.5) * map->cells.cell_y;
    if (attn_draw_labels_is_shown (build->queries, &map->queries, token))
      attn_draw_labels_add_query (build, &map->queries, 0, token, x - LABEL_GAP * build->em,
                                  middle);
  }
}

static void
add_key_labels (AttnDrawBuild *build, const Heatmap *map, double x, double y)
{
  for (size_t token = 0; token < attn_draw_labels_get_n (build->keys); token++) {
    double middle = x + ((double)token + 0.5) * map->cells.cell_x;
    if (attn_draw_labels_is_shown (build->keys, &map->keys, token))
      attn_draw_labels_add_key (build, &map->keys, 0, token, middle, y - map->key_gap);
  }
}

double
attn_draw_layout_heatmap (AttnDrawBuild *build)
{
  Heatmap map = plan_heatmap (build);
  double x = build->margin + map.left;
  double y = attn_draw_build_heading (build) + map.key_height;
  double right = x + map.cells.width;
  double bottom = y + map.cells.height;
  AttnDrawCells cells = map.cells;

  attn_draw_build_add_panel (build, 0, x, y, &cells, map.has_labels ? build->margin : -1);
  if (map.has_labels && build->emits) {
    add_query_labels (build, &map, x, y);
    add_key_labels (build, &map, x, y);
  }
  if (map.has_bar) {
    attn_draw_bar_add (build, right + round (BAR_GAP * build->em), y, cells.height);
    right += map.bar_room;
  }
  attn_draw_build_add_pins (build, 0);

  bool is_thinned = map.has_labels && (map.queries.is_thinned || map.keys.is_thinned);
  bool is_pooled = cells.cell_x < 1 || cells.cell_y < 1;
  bottom = attn_draw_build_notes (build, bottom + round (0.8 * build->em), right,
                                  map.queries.stride, is_thinned, is_pooled);
  return bottom + build->margin;
}

double
attn_draw_layout_heatmap_least (AttnDrawBuild *build)
{
  Heatmap map = {.has_bar = build->width >= BAR_FROM * build->em};
  double label = MIN (QUERY_LABEL_MAX * build->em, QUERY_LABEL_SHARE * build->width);
  double left = ceil (floor (label) + LABEL_GAP * build->em);

  if (map.has_bar)
    map.bar_room = ceil (BAR_GAP * build->em + build->bar_width);
  fit_cells (build, &map, left);
  return 2 * build->margin + map.cells.height;
}
