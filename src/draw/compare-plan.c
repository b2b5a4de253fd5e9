/* SPDX-License-Identifier: MIT */
/* How large the maps of a comparison are, and whether side by side or one under the other. */
#include "compare-plan.h"

#include "bar.h"

#include <math.h>

/* all in em of the view's font */
#define MAX_CELL 5.0
#define QUERY_LABEL_MAX 7.0
#define KEY_LABEL_MAX 7.0
#define KEY_GAP 0.35
#define COLUMN_GAP 1.2
#define ROW_GAP 1.2
#define LEAST_MAP 6.0    /* the smallest useful map */
#define WIDE_MAP 11.0    /* side by side where no height is given, if maps are at least so wide */
#define LABELS_FROM 11.0 /* of room for each map; less has no labels */
#define BARS_FROM 13.0   /* … and no colour bars */
#define SIDE_SHARE 0.85  /* of the largest maps' size: then they stand side by side all the same */
#define SCROLL_SHARE 0.6 /* of the limited height: what a map may take where not all fit */
/* of the room for each map, at most */
#define QUERY_LABEL_SHARE 0.3
#define KEY_LABEL_SHARE 0.4
#define KEY_LABEL_HEIGHT_SHARE 0.2 /* of the picture's height, where that is limited */

static size_t
get_row (const AttnDrawCompared *compare, size_t panel)
{
  return panel / compare->n_columns;
}

size_t
attn_draw_compared_get_column (const AttnDrawCompared *compare, size_t panel)
{
  return panel % compare->n_columns;
}

/* px of width there are for each map with labels and bar. */
static double
get_room (const AttnDrawBuild *build, const AttnDrawCompared *compare)
{
  double gaps = (double)(compare->n_columns - 1) * COLUMN_GAP * build->em;
  return (build->width - 2 * build->margin - gaps) / (double)compare->n_columns;
}

bool
attn_draw_compared_is_drawn (const AttnDrawComparedMap *map)
{
  return map->n_queries > 0 && map->n_keys > 0;
}

/* A and B have one range: the last of them in a row has the bar. A − B has its own. */
static bool
has_bar (const AttnDrawCompared *compare, size_t panel)
{
  if (!attn_draw_compared_is_drawn (&compare->maps[panel]))
    return false;
  bool is_last = panel + 1 == compare->n ||
                 attn_draw_compared_get_column (compare, panel) + 1 == compare->n_columns ||
                 !attn_draw_compared_is_drawn (&compare->maps[panel + 1]);
  return compare->has_bars && (panel > 0 || is_last);
}

static AttnDrawLabelRoom
get_query_room (const AttnDrawBuild *build,
                const AttnDrawCompared *compare,
                const AttnDrawComparedMap *map)
{
  double share = QUERY_LABEL_SHARE * get_room (build, compare);
  return (AttnDrawLabelRoom){
      .pitch = map->cells.cell_y,
      .max_length = floor (MIN (QUERY_LABEL_MAX * build->em, share)),
      .max_size = build->em,
  };
}

static AttnDrawLabelRoom
get_key_room (const AttnDrawBuild *build,
              const AttnDrawCompared *compare,
              const AttnDrawComparedMap *map)
{
  double length = MIN (KEY_LABEL_MAX * build->em, KEY_LABEL_SHARE * get_room (build, compare));
  return (AttnDrawLabelRoom){
      .pitch = map->cells.cell_x,
      .max_length = MIN (length, KEY_LABEL_HEIGHT_SHARE * build->max_height),
      .max_size = build->em,
      .turns = true,
      .slants = compare->has_bars,
  };
}

/* All sides of all maps with the same size of letters and the same stride, which looks calmer. */
static void
plan_labels (const AttnDrawBuild *build, AttnDrawCompared *compare)
{
  size_t stride = 1;
  double size = build->em;

  for (size_t i = 0; i < compare->n; i++) {
    AttnDrawComparedMap *map = &compare->maps[i];
    if (!attn_draw_compared_is_drawn (map))
      continue;
    AttnDrawLabelRoom rows = get_query_room (build, compare, map);
    AttnDrawLabelRoom columns = get_key_room (build, compare, map);
    map->query_plan = attn_draw_labels_plan (map->queries, &rows);
    map->key_plan = attn_draw_labels_plan (map->keys, &columns);
    stride = MAX (stride, MAX (map->query_plan.stride, map->key_plan.stride));
    size = MIN (size, MIN (map->query_plan.size_px, map->key_plan.size_px));
  }
  for (size_t i = 0; i < compare->n; i++) {
    AttnDrawComparedMap *map = &compare->maps[i];
    if (!attn_draw_compared_is_drawn (map))
      continue;
    AttnDrawLabelRoom rows = get_query_room (build, compare, map);
    AttnDrawLabelRoom columns = get_key_room (build, compare, map);
    rows.min_stride = columns.min_stride = stride;
    rows.max_size = columns.max_size = size;
    if (map->query_plan.stride != stride || map->query_plan.size_px > size)
      map->query_plan = attn_draw_labels_plan (map->queries, &rows);
    if (map->key_plan.stride != stride || map->key_plan.size_px > size)
      map->key_plan = attn_draw_labels_plan (map->keys, &columns);
  }
}

static void
measure_labels (const AttnDrawBuild *build, AttnDrawCompared *compare)
{
  double gap = ATTN_DRAW_COMPARED_LABEL_GAP * build->em;

  compare->key_gap = compare->key_height = 0;
  for (size_t i = 0; i < compare->n; i++) {
    const AttnDrawLabelPlan *keys = &compare->maps[i].key_plan;
    double *left = &compare->left[attn_draw_compared_get_column (compare, i)];
    double key_gap = KEY_GAP * build->em + keys->down * cos (keys->angle);
    compare->key_gap = MAX (compare->key_gap, key_gap);
    *left = MAX (*left, ceil (compare->maps[i].query_plan.length + gap));
  }
  for (size_t i = 0; i < compare->n; i++) {
    const AttnDrawLabelPlan *keys = &compare->maps[i].key_plan;
    double height = keys->length * sin (-keys->angle) + keys->up * cos (keys->angle);
    compare->key_height = MAX (compare->key_height, ceil (compare->key_gap + height));
  }
}

static void
set_cells (AttnDrawCompared *compare, const AttnDrawCells *cells)
{
  for (size_t i = 0; i < compare->n; i++) {
    AttnDrawComparedMap *map = &compare->maps[i];
    AttnDrawCells *own = &map->cells;
    own->width = MAX (round (cells->cell_x * (double)map->n_keys), 1);
    own->height = MAX (round (cells->cell_y * (double)map->n_queries), 1);
    own->cell_x = own->width / (double)MAX (map->n_keys, 1);
    own->cell_y = own->height / (double)MAX (map->n_queries, 1);
  }
}

/* Columns as wide as their widest map, rows as high as their highest. */
static void
set_places (const AttnDrawBuild *build, AttnDrawCompared *compare)
{
  double x = 0, y = 0;

  compare->parts.width = compare->parts.height = 0;
  for (size_t column = 0; column < compare->n_columns; column++) {
    double end = x;
    for (size_t i = column; i < compare->n; i += compare->n_columns) {
      AttnDrawComparedMap *map = &compare->maps[i];
      map->x = x + compare->left[column];
      end = MAX (end, map->x + MAX (map->cells.width + map->bar_width, map->title_width));
    }
    compare->parts.width = MAX (compare->parts.width, end);
    x = end + round (COLUMN_GAP * build->em);
  }
  for (size_t row = 0; row < compare->n_rows; row++) {
    double end = y, first = (double)row * (double)compare->n_columns;
    for (size_t i = (size_t)first; i < compare->n && get_row (compare, i) == row; i++) {
      AttnDrawComparedMap *map = &compare->maps[i];
      map->y = y + compare->title_height + compare->key_height;
      end = MAX (end, map->y + map->cells.height);
    }
    compare->parts.height = end;
    y = end + round (ROW_GAP * build->em);
  }
}

static bool
is_thinned (const AttnDrawCompared *compare)
{
  bool thinned = false;

  for (size_t i = 0; i < compare->n && compare->has_labels; i++)
    thinned |= compare->maps[i].query_plan.is_thinned || compare->maps[i].key_plan.is_thinned;
  return thinned;
}

/* One of all labels. */
static size_t
find_stride (const AttnDrawCompared *compare)
{
  size_t stride = 1;

  for (size_t i = 0; i < compare->n; i++)
    stride = MAX (stride, compare->maps[i].query_plan.stride);
  return stride;
}

static AttnDrawSize
arrange (AttnDrawBuild *build, const AttnDrawCells *cells, void *data)
{
  AttnDrawCompared *compare = data;

  set_cells (compare, cells);
  for (size_t column = 0; column < ATTN_DRAW_MAX_COMPARED; column++)
    compare->left[column] = 0;
  if (compare->has_labels) {
    plan_labels (build, compare);
    measure_labels (build, compare);
  }
  set_places (build, compare);
  AttnDrawNotes notes = {
      .width = compare->parts.width,
      .stride = find_stride (compare),
      .is_thinned = is_thinned (compare),
      .is_pooled = cells->cell_x < 1 || cells->cell_y < 1,
  };
  compare->parts.notes = attn_draw_lines_notes (build, &notes);
  return attn_draw_parts_measure (build, &compare->parts);
}

static void
set_columns (AttnDrawBuild *build, AttnDrawCompared *compare, size_t n_columns)
{
  compare->n_columns = MIN (n_columns, compare->n);
  compare->n_rows = (compare->n + compare->n_columns - 1) / compare->n_columns;
  double room = get_room (build, compare);
  compare->has_labels = room >= LABELS_FROM * build->em;
  compare->has_bars = room >= BARS_FROM * build->em;
  compare->key_gap = compare->key_height = 0;
  for (size_t i = 0; i < compare->n; i++) {
    double width = has_bar (compare, i) ? attn_draw_bar_measure (build, i) : 0;
    compare->maps[i].bar_width =
        width > 0 ? ceil (ATTN_DRAW_COMPARED_BAR_GAP * build->em + width) : 0;
  }
}

/* Cells as high as the highest map of each row, over those of the highest of all. */
static double
count_heights (const AttnDrawCompared *compare)
{
  double sum = 0;

  for (size_t row = 0; row < compare->n_rows; row++) {
    size_t most = 0;
    for (size_t i = row * compare->n_columns; i < compare->n && get_row (compare, i) == row; i++)
      most = MAX (most, compare->maps[i].n_queries);
    sum += (double)most;
  }
  return sum / (double)compare->n_most_queries;
}

/* The build as the largest map's, for the cells that all have. */
static AttnDrawBuild
make_largest (const AttnDrawBuild *build, const AttnDrawCompared *compare)
{
  AttnDrawBuild largest = *build;

  for (size_t i = 0; i < compare->n; i++) {
    if (compare->maps[i].n_queries == compare->n_most_queries)
      largest.queries = compare->maps[i].queries;
    if (compare->maps[i].n_keys == compare->n_most_keys)
      largest.keys = compare->maps[i].keys;
  }
  return largest;
}

/* The largest maps in @n_columns columns. Returns: whether they fit in height. */
static bool
fit (AttnDrawBuild *build,
     AttnDrawCompared *compare,
     size_t n_columns,
     double max_cell,
     double max_height)
{
  set_columns (build, compare, n_columns);
  AttnDrawBuild largest = make_largest (build, compare);
  double between = (double)compare->n_rows * (compare->title_height + ROW_GAP * build->em);
  AttnDrawSearch search = {
      .room = get_room (build, compare),
      .max_cell = max_cell,
      .least = LEAST_MAP * build->em,
      .max_height = max_height,
      .apart = 2 * build->margin + compare->parts.heading.height + between - ROW_GAP * build->em,
      .n_rows = (size_t)MAX (count_heights (compare), 1),
      .arrange = arrange,
      .data = compare,
  };
  AttnDrawCells cells;
  /* beside a map with few columns there is more room for one with many */
  size_t n_in_row = 0;
  for (size_t i = 0; i < compare->n_columns; i++)
    n_in_row += compare->maps[i].n_keys;
  search.room *=
      (double)compare->n_columns * (double)compare->n_most_keys / (double)MAX (n_in_row, 1);
  return attn_draw_build_search (&largest, &search, &cells);
}

/* The number of columns that makes the maps largest, side by side where that is hardly worse.
 * Returns: 0 if none lets all fit. */
static size_t
find_columns (AttnDrawBuild *build, const AttnDrawCompared *begun, double max_cell)
{
  double best = 0, side = 0;
  size_t n_best = 0;

  for (size_t n = begun->n; n >= 1; n--) {
    AttnDrawCompared compare = *begun;
    if (!fit (build, &compare, n, max_cell, build->max_height))
      continue;
    double size = compare.maps[begun->largest].cells.cell_x;
    if (n == begun->n)
      side = size;
    if (size > best) {
      best = size;
      n_best = n;
    }
  }
  return side > 0 && side >= SIDE_SHARE * best ? begun->n : n_best;
}

/* Without a height to keep to: as many beside each other as leave them wide enough. */
static size_t
choose_columns (AttnDrawBuild *build, const AttnDrawCompared *begun, double max_cell)
{
  for (size_t n = begun->n; n > 1; n--) {
    AttnDrawCompared compare = *begun;
    fit (build, &compare, n, max_cell, HUGE_VAL);
    const AttnDrawCells *cells = &compare.maps[begun->largest].cells;
    bool is_largest = cells->cell_x >= 0.99 * max_cell;
    if (cells->width >= WIDE_MAP * build->em || is_largest)
      return n;
  }
  return 1;
}

void
attn_draw_compared_plan (AttnDrawBuild *build, AttnDrawCompared *compare)
{
  double max_cell = attn_draw_build_get_max_cell (build, MAX_CELL);
  bool is_limited = isfinite (build->max_height);
  size_t n_columns = is_limited ? find_columns (build, compare, max_cell) : 0;

  if (n_columns > 0 && fit (build, compare, n_columns, max_cell, build->max_height))
    return;
  if (is_limited) {
    double useful = MAX (LEAST_MAP * build->em, SCROLL_SHARE * build->max_height);
    max_cell = MIN (max_cell, useful / (double)compare->n_most_queries);
  }
  fit (build, compare, choose_columns (build, compare, max_cell), max_cell, HUGE_VAL);
}
