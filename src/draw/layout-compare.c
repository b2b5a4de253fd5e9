/* SPDX-License-Identifier: MIT */
/* A, B and A − B: side by side where there is room, else one under the other. */
#include "bar.h"
#include "layout-private.h"
#include "panels-private.h"

#include <math.h>

#define MAX_PANELS ATTN_DRAW_MAX_COMPARED

/* all in em of the view's font */
#define MAX_CELL 5.0
#define QUERY_LABEL_MAX 7.0
#define KEY_LABEL_MAX 7.0
#define LABEL_GAP 0.45
#define KEY_GAP 0.35
#define BAR_GAP 0.8
#define COLUMN_GAP 1.2
#define ROW_GAP 1.2
#define TITLE_GAP 0.25
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

static const char *const titles[MAX_PANELS] = {"A", "B", "A − B"};

/* One map with its labels. */
typedef struct {
  AttnDrawLabels *queries, *keys;
  AttnDrawSpan rows, columns; /* that are drawn; none where the part has no token of it */
  size_t n_queries, n_keys;   /* how many these are */
  AttnDrawLabelPlan query_plan, key_plan;
  AttnDrawCells cells;
  double title_width; /* px */
  double bar_width;   /* px with numbers and gap; 0 for none */
  double x, y;        /* px of the cells from the maps' corner */
} Map;

typedef struct {
  Map maps[MAX_PANELS];
  size_t n, n_columns, n_rows;
  size_t n_most_queries, n_most_keys;
  size_t largest; /* panel: the first that is drawn */
  bool has_labels, has_bars;
  double title_height, key_gap, key_height; /* px over each map */
  double left[MAX_PANELS];                  /* px of the query labels of each column */
  AttnDrawParts parts;
} Compare;

static size_t
get_row (const Compare *compare, size_t panel)
{
  return panel / compare->n_columns;
}

static size_t
get_column (const Compare *compare, size_t panel)
{
  return panel % compare->n_columns;
}

/* px of width there are for each map with labels and bar. */
static double
get_room (const AttnDrawBuild *build, const Compare *compare)
{
  double gaps = (double)(compare->n_columns - 1) * COLUMN_GAP * build->em;
  return (build->width - 2 * build->margin - gaps) / (double)compare->n_columns;
}

static bool
is_drawn (const Map *map)
{
  return map->n_queries > 0 && map->n_keys > 0;
}

/* A and B have one range: the last of them in a row has the bar. A − B has its own. */
static bool
has_bar (const Compare *compare, size_t panel)
{
  if (!is_drawn (&compare->maps[panel]))
    return false;
  bool is_last = panel + 1 == compare->n || get_column (compare, panel) + 1 == compare->n_columns ||
                 !is_drawn (&compare->maps[panel + 1]);
  return compare->has_bars && (panel > 0 || is_last);
}

static AttnDrawStyle
get_title_style (const AttnDrawBuild *build)
{
  return (AttnDrawStyle){.size_px = build->em, .bold = true};
}

/* ---- planning ---- */

static AttnDrawLabelRoom
get_query_room (const AttnDrawBuild *build, const Compare *compare, const Map *map)
{
  double share = QUERY_LABEL_SHARE * get_room (build, compare);
  return (AttnDrawLabelRoom){
      .pitch = map->cells.cell_y,
      .max_length = floor (MIN (QUERY_LABEL_MAX * build->em, share)),
      .max_size = build->em,
  };
}

static AttnDrawLabelRoom
get_key_room (const AttnDrawBuild *build, const Compare *compare, const Map *map)
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
plan_labels (const AttnDrawBuild *build, Compare *compare)
{
  size_t stride = 1;
  double size = build->em;

  for (size_t i = 0; i < compare->n; i++) {
    Map *map = &compare->maps[i];
    if (!is_drawn (map))
      continue;
    AttnDrawLabelRoom rows = get_query_room (build, compare, map);
    AttnDrawLabelRoom columns = get_key_room (build, compare, map);
    map->query_plan = attn_draw_labels_plan (map->queries, &rows);
    map->key_plan = attn_draw_labels_plan (map->keys, &columns);
    stride = MAX (stride, MAX (map->query_plan.stride, map->key_plan.stride));
    size = MIN (size, MIN (map->query_plan.size_px, map->key_plan.size_px));
  }
  for (size_t i = 0; i < compare->n; i++) {
    Map *map = &compare->maps[i];
    if (!is_drawn (map))
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
measure_labels (const AttnDrawBuild *build, Compare *compare)
{
  double gap = LABEL_GAP * build->em;

  compare->key_gap = compare->key_height = 0;
  for (size_t i = 0; i < compare->n; i++) {
    const AttnDrawLabelPlan *keys = &compare->maps[i].key_plan;
    double *left = &compare->left[get_column (compare, i)];
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
set_cells (Compare *compare, const AttnDrawCells *cells)
{
  for (size_t i = 0; i < compare->n; i++) {
    Map *map = &compare->maps[i];
    AttnDrawCells *own = &map->cells;
    own->width = MAX (round (cells->cell_x * (double)map->n_keys), 1);
    own->height = MAX (round (cells->cell_y * (double)map->n_queries), 1);
    own->cell_x = own->width / (double)MAX (map->n_keys, 1);
    own->cell_y = own->height / (double)MAX (map->n_queries, 1);
  }
}

/* Columns as wide as their widest map, rows as high as their highest. */
static void
set_places (const AttnDrawBuild *build, Compare *compare)
{
  double x = 0, y = 0;

  compare->parts.width = compare->parts.height = 0;
  for (size_t column = 0; column < compare->n_columns; column++) {
    double end = x;
    for (size_t i = column; i < compare->n; i += compare->n_columns) {
      Map *map = &compare->maps[i];
      map->x = x + compare->left[column];
      end = MAX (end, map->x + MAX (map->cells.width + map->bar_width, map->title_width));
    }
    compare->parts.width = MAX (compare->parts.width, end);
    x = end + round (COLUMN_GAP * build->em);
  }
  for (size_t row = 0; row < compare->n_rows; row++) {
    double end = y, first = (double)row * (double)compare->n_columns;
    for (size_t i = (size_t)first; i < compare->n && get_row (compare, i) == row; i++) {
      Map *map = &compare->maps[i];
      map->y = y + compare->title_height + compare->key_height;
      end = MAX (end, map->y + map->cells.height);
    }
    compare->parts.height = end;
    y = end + round (ROW_GAP * build->em);
  }
}

static bool
is_thinned (const Compare *compare)
{
  bool thinned = false;

  for (size_t i = 0; i < compare->n && compare->has_labels; i++)
    thinned |= compare->maps[i].query_plan.is_thinned || compare->maps[i].key_plan.is_thinned;
  return thinned;
}

/* One of all labels. */
static size_t
find_stride (const Compare *compare)
{
  size_t stride = 1;

  for (size_t i = 0; i < compare->n; i++)
    stride = MAX (stride, compare->maps[i].query_plan.stride);
  return stride;
}

static AttnDrawSize
arrange (AttnDrawBuild *build, const AttnDrawCells *cells, void *data)
{
  Compare *compare = data;

  set_cells (compare, cells);
  for (size_t column = 0; column < MAX_PANELS; column++)
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
set_columns (AttnDrawBuild *build, Compare *compare, size_t n_columns)
{
  compare->n_columns = MIN (n_columns, compare->n);
  compare->n_rows = (compare->n + compare->n_columns - 1) / compare->n_columns;
  double room = get_room (build, compare);
  compare->has_labels = room >= LABELS_FROM * build->em;
  compare->has_bars = room >= BARS_FROM * build->em;
  compare->key_gap = compare->key_height = 0;
  for (size_t i = 0; i < compare->n; i++) {
    double width = has_bar (compare, i) ? attn_draw_bar_measure (build, i) : 0;
    compare->maps[i].bar_width = width > 0 ? ceil (BAR_GAP * build->em + width) : 0;
  }
}

/* Cells as high as the highest map of each row, over those of the highest of all. */
static double
count_heights (const Compare *compare)
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
make_largest (const AttnDrawBuild *build, const Compare *compare)
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
fit (AttnDrawBuild *build, Compare *compare, size_t n_columns, double max_cell, double max_height)
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
find_columns (AttnDrawBuild *build, const Compare *begun, double max_cell)
{
  double best = 0, side = 0;
  size_t n_best = 0;

  for (size_t n = begun->n; n >= 1; n--) {
    Compare compare = *begun;
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
choose_columns (AttnDrawBuild *build, const Compare *begun, double max_cell)
{
  for (size_t n = begun->n; n > 1; n--) {
    Compare compare = *begun;
    fit (build, &compare, n, max_cell, HUGE_VAL);
    const AttnDrawCells *cells = &compare.maps[begun->largest].cells;
    bool is_largest = cells->cell_x >= 0.99 * max_cell;
    if (cells->width >= WIDE_MAP * build->em || is_largest)
      return n;
  }
  return 1;
}

static void
plan (AttnDrawBuild *build, Compare *compare)
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

/* ---- adding ---- */

static void
add_labels (AttnDrawBuild *build, const Compare *compare, const Map *map, size_t panel)
{
  AttnDrawRect rect = build->layout->places[panel].rect;

  for (size_t token = map->rows.first; token < map->rows.end; token++) {
    double middle = rect.y + ((double)(token - map->rows.first) + 0.5) * map->cells.cell_y;
    if (attn_draw_labels_is_shown (map->queries, &map->query_plan, token))
      attn_draw_labels_add_query (build, &map->query_plan, panel, token,
                                  rect.x - LABEL_GAP * build->em, middle);
  }
  for (size_t token = map->columns.first; token < map->columns.end; token++) {
    double middle = rect.x + ((double)(token - map->columns.first) + 0.5) * map->cells.cell_x;
    if (attn_draw_labels_is_shown (map->keys, &map->key_plan, token))
      attn_draw_labels_add_key (build, &map->key_plan, panel, token, middle,
                                rect.y - compare->key_gap);
  }
}

static void
add_title (AttnDrawBuild *build, const Compare *compare, size_t panel, double x, double y)
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
add_map (const AttnDrawBuild *build, const Compare *compare, size_t panel, double left, double top)
{
  const Map *map = &compare->maps[panel];
  AttnDrawBuild own = *build;
  double labels_left = left + map->x - compare->left[get_column (compare, panel)];

  add_title (&own, compare, panel, left + map->x, top + map->y);
  if (!is_drawn (map))
    return;
  own.queries = map->queries;
  own.keys = map->keys;
  attn_draw_build_add_panel (&own, panel, left + map->x, top + map->y, &map->cells,
                             compare->has_labels ? labels_left : -1);
  if (compare->has_labels)
    add_labels (&own, compare, map, panel);
  if (map->bar_width > 0)
    attn_draw_bar_add (&own, panel, left + map->x + map->cells.width + round (BAR_GAP * own.em),
                       top + map->y, map->cells.height);
  attn_draw_build_add_pins (&own, panel);
}

/* px that the rightmost maps' slanted labels stand out of everything. */
static double
find_overhang (const AttnDrawBuild *build, const Compare *compare)
{
  double end = 0;

  for (size_t i = 0; i < compare->n && compare->has_labels; i++) {
    const Map *map = &compare->maps[i];
    const AttnDrawLabelPlan *plan = &map->key_plan;
    if (!is_drawn (map))
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
map_init (AttnDrawBuild *build, Map *map, size_t panel)
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
compare_init (AttnDrawBuild *build, Compare *compare)
{
  AttnDrawStyle style = get_title_style (build);
  AttnDrawExtents title =
      attn_draw_text_measure (attn_draw_fonts_shape (build->fonts, titles[0], &style));

  *compare = (Compare){
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
    if (!is_drawn (&compare->maps[compare->largest]))
      compare->largest = i;
  }
}

void
attn_draw_layout_compare (AttnDrawBuild *build)
{
  Compare compare;
  double left, top;

  compare_init (build, &compare);
  plan (build, &compare);
  compare.parts.overhang = find_overhang (build, &compare);
  attn_draw_parts_add (build, &compare.parts, &left, &top);
  for (size_t i = 0; i < compare.n; i++) {
    add_map (build, &compare, i, left, top);
    attn_draw_labels_free (compare.maps[i].queries);
    attn_draw_labels_free (compare.maps[i].keys);
  }
}
