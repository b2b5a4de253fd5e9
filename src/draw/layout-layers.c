/* SPDX-License-Identifier: MIT */
/* Every head of every layer: a row of small maps for each layer, numbered on both sides. */
#include "bar.h"
#include "layout-private.h"
#include "panels-private.h"

#include <math.h>

/* all in em of the view's font */
#define MAX_CELL 3.6
#define LEAST_MAP 2.2 /* the smallest useful map where the height is limited */
#define NAME_SIZE 0.92
#define NAME_GAP 0.4 /* from a name to its maps */
#define NAMES_APART 0.5
#define MOST_GAP 0.8 /* between maps */
#define BAR_GAP 1.4
#define BAR_HEIGHT_MAX 60.0
#define NAMES_FROM 9.0 /* width of a picture with numbers on its sides */
#define BAR_FROM 24.0
#define GAP_SHARE 0.12   /* of a map's side */
#define MOST_MAP 20000.0 /* px of a map whose size is chosen */
#define USUAL_GAP 3.0    /* px: two frames and a px of ground … */
#define LEAST_GAP 1.0    /* … and where maps are smaller than SMALL_MAP px, one frame for both */
#define SMALL_MAP 12.0
#define FULL_NAME_SHARE 0.1 /* of the picture's width: "layer 3" where it takes at most this */
#define SCROLL_SHARE 0.5    /* of the limited height: what a map may take where all do not fit */

/* Which of a side's numbers are shown. */
typedef struct {
  size_t every; /* multiples of it … */
  bool first;   /* … and 1 where the next one is far enough */
} Stride;

typedef struct {
  size_t first_layer, n_rows, n_columns;
  bool has_names, has_bar;
  bool full_rows, full_columns; /* "layer 3", or the number alone */
  Stride rows, columns;
  double name_height, row_name_width; /* px of the names */
  double number_width, full_width;    /* px of the widest column's number and name */
  double bar_room, left, top, gap;    /* px, whole */
  AttnDrawCells cells;
  AttnDrawParts parts;
} Sheet;

static PangoLayout *
shape_name (AttnDrawBuild *build, const char *format, size_t index)
{
  AttnDrawStyle style = {.size_px = NAME_SIZE * build->em};
  g_autofree char *number = g_strdup_printf ("%zu", index + 1);
  g_autofree char *name =
      format != NULL ? attn_draw_format_string (format, number) : g_strdup (number);

  return attn_draw_fonts_shape (build->fonts, name, &style);
}

/* px of the widest of the names of the first @n layers or heads; digits are equally wide in nearly
 * all fonts, but not in all. */
static double
measure_names (AttnDrawBuild *build, const char *format, size_t n)
{
  double widest = 0;

  for (size_t i = 0; i < n; i++)
    widest = MAX (widest, attn_draw_text_measure (shape_name (build, format, i)).width);
  return widest;
}

/* One in 1, 2, 5, 10 … that keeps names of @length px apart. */
static Stride
choose_stride (double length, double pitch)
{
  size_t every = 1;

  for (size_t power = 1; (double)every * pitch < length && power < 1000000; power *= 10) {
    every = 2 * power;
    if ((double)every * pitch < length)
      every = 5 * power;
    if ((double)every * pitch < length)
      every = 10 * power;
  }
  return (Stride){every, (double)(every - 1) * pitch >= length};
}

static bool
is_named (size_t index, Stride stride)
{
  return (index + 1) % stride.every == 0 || (index == 0 && stride.first);
}

static double
get_span (size_t n, double side, double gap)
{
  return (double)n * side + (double)(n - 1) * gap;
}

static void
plan_names (AttnDrawBuild *build, Sheet *sheet)
{
  double apart = NAMES_APART * build->em;
  double pitch = sheet->cells.width + sheet->gap;

  sheet->full_columns = sheet->full_width + apart <= pitch;
  double length = sheet->full_columns ? sheet->full_width : sheet->number_width;
  sheet->columns = choose_stride (length + apart, pitch);
  sheet->rows = choose_stride (sheet->name_height, sheet->cells.height + sheet->gap);
}

static AttnDrawSize
arrange (AttnDrawBuild *build, const AttnDrawCells *cells, void *data)
{
  Sheet *sheet = data;
  double side = MIN (cells->width, cells->height);

  sheet->cells = *cells;
  sheet->gap = MAX (round (MIN (GAP_SHARE * side, MOST_GAP * build->em)),
                    side < SMALL_MAP ? LEAST_GAP : USUAL_GAP);
  if (sheet->has_names)
    plan_names (build, sheet);
  sheet->parts.width =
      sheet->left + get_span (sheet->n_columns, cells->width, sheet->gap) + sheet->bar_room;
  sheet->parts.height = sheet->top + get_span (sheet->n_rows, cells->height, sheet->gap);
  size_t stride = MAX (sheet->rows.every, sheet->columns.every);
  AttnDrawNotes notes = {
      .width = sheet->parts.width,
      .stride = stride,
      .is_thinned = stride > 1,
      .is_pooled =
          cells->cell_x < 1 || cells->cell_y < 1 ||
          attn_draw_blocks_is_pooled (attn_draw_panels_peek_blocks (build->layout->panels, 0)),
  };
  sheet->parts.notes = attn_draw_lines_notes (build, &notes);
  return attn_draw_parts_measure (build, &sheet->parts);
}

/* Returns: whether the largest maps that fit in the width do in @max_height, too. */
static bool
fit_sheet (AttnDrawBuild *build, Sheet *sheet, double max_cell, double max_height)
{
  double inside = build->width - 2 * build->margin - sheet->left - sheet->bar_room;
  AttnDrawSearch search = {
      .room = (inside + LEAST_GAP) / (double)sheet->n_columns - LEAST_GAP,
      .max_cell = max_cell,
      .least = LEAST_MAP * build->em,
      .max_height = max_height,
      .apart = 2 * build->margin + sheet->parts.heading.height + sheet->top +
               (double)(sheet->n_rows - 1) * LEAST_GAP,
      .n_rows = sheet->n_rows,
      .arrange = arrange,
      .data = sheet,
  };
  return attn_draw_build_search (build, &search, &sheet->cells);
}

static void
begin_names (AttnDrawBuild *build, Sheet *sheet)
{
  const AttnDrawStrings *strings = &build->layout->view->strings;
  AttnMaps *maps = attn_draw_panels_peek_maps (build->layout->panels);
  size_t n_layers = attn_maps_get_n_layers (maps); /* also those on other pages */
  double gap = ceil (NAME_GAP * build->em);
  double full = measure_names (build, strings->layer_format, n_layers);
  double number = measure_names (build, NULL, n_layers);

  /* room that grows with the width, or maps would be smaller in a slightly wider picture */
  sheet->row_name_width = MIN (full, MAX (number, FULL_NAME_SHARE * build->width));
  sheet->full_rows = sheet->row_name_width >= full;
  sheet->full_width = measure_names (build, strings->head_format, sheet->n_columns);
  sheet->number_width = measure_names (build, NULL, sheet->n_columns);
  sheet->name_height = attn_draw_text_measure (shape_name (build, NULL, 0)).height;
  sheet->left = ceil (sheet->row_name_width) + gap;
  sheet->top = ceil (sheet->name_height + gap / 2);
}

/* What does not depend on the maps' size. */
static Sheet
begin_sheet (AttnDrawBuild *build)
{
  const AttnDrawView *view = build->layout->view;
  AttnMaps *maps = attn_draw_panels_peek_maps (build->layout->panels);
  size_t n_layers = attn_maps_get_n_layers (maps);
  Sheet sheet = {
      .n_rows = n_layers,
      .n_columns = attn_maps_get_n_heads (maps),
      .has_names = build->width >= NAMES_FROM * build->em,
      .has_bar = build->width >= BAR_FROM * build->em,
      .rows = {1, false},
      .columns = {1, false},
      .parts.heading = attn_draw_lines_heading (build),
  };

  if (view->n_layers > 0) {
    sheet.first_layer = MIN (view->first_layer, n_layers - 1);
    sheet.n_rows = MIN (view->n_layers, n_layers - sheet.first_layer);
  }
  if (sheet.has_names)
    begin_names (build, &sheet);
  if (sheet.has_bar)
    sheet.bar_room = ceil (BAR_GAP * build->em + build->bar_width);
  return sheet;
}

/* Maps of a chosen size, in a picture that is as wide as they need. */
static Sheet
plan_chosen (AttnDrawBuild *build, double map_px)
{
  double n_queries = (double)attn_draw_labels_get_n (build->queries);
  double n_keys = (double)attn_draw_labels_get_n (build->keys);
  AttnDrawCells cells = attn_draw_build_fit_cells (build, map_px, map_px / MAX (n_queries, n_keys));
  Sheet sheet = begin_sheet (build);
  AttnDrawSize size = arrange (build, &cells, &sheet);

  build->max_height = HUGE_VAL;
  if (size.width > build->width) {
    build->width = ceil (size.width);
    sheet = begin_sheet (build); /* names may be longer now */
    build->width = MAX (build->width, ceil (arrange (build, &cells, &sheet).width));
  }
  return sheet;
}

/* Where not all maps fit in the height, they are as large as the width allows. */
static Sheet
plan_sheet (AttnDrawBuild *build)
{
  Sheet sheet = begin_sheet (build);
  double n_queries = (double)attn_draw_labels_get_n (build->queries);
  double max_cell = attn_draw_build_get_max_cell (build, MAX_CELL);

  if (!fit_sheet (build, &sheet, max_cell, build->max_height)) {
    if (isfinite (build->max_height)) {
      double useful = MAX (LEAST_MAP * build->em, SCROLL_SHARE * build->max_height);
      max_cell = MIN (max_cell, useful / n_queries);
    }
    fit_sheet (build, &sheet, max_cell, HUGE_VAL);
  }
  return sheet;
}

static void
add_name (
    AttnDrawBuild *build, PangoLayout *text, AttnDrawRole role, size_t index, double x, double y)
{
  attn_draw_build_add_text (build, text,
                            &(AttnDrawTextPlace){.role = role,
                                                 .panel = G_MAXSIZE,
                                                 .token = index,
                                                 .x = x - attn_draw_text_measure (text).left,
                                                 .y = y,
                                                 .color = build->layout->ink->text});
}

static void
add_row_names (AttnDrawBuild *build, const Sheet *sheet, double left, double top)
{
  const char *format = sheet->full_rows ? build->layout->view->strings.layer_format : NULL;
  double size = NAME_SIZE * build->em;

  for (size_t row = 0; row < sheet->n_rows; row++) {
    if (!is_named (row, sheet->rows))
      continue;
    PangoLayout *text = shape_name (build, format, sheet->first_layer + row);
    AttnDrawExtents extents = attn_draw_text_measure (text);
    double middle = top + sheet->top + (double)row * (sheet->cells.height + sheet->gap) +
                    sheet->cells.height / 2;
    add_name (build, text, ATTN_DRAW_ROLE_LAYER_TITLE, sheet->first_layer + row,
              left + sheet->row_name_width - extents.width,
              middle - attn_draw_labels_get_middle (&extents, size));
  }
}

/* Over the middle of their maps, but not beyond the sheet's ends. */
static void
add_column_names (AttnDrawBuild *build, const Sheet *sheet, double left, double top)
{
  const char *format = sheet->full_columns ? build->layout->view->strings.head_format : NULL;
  double maps_left = left + sheet->left;

  for (size_t column = 0; column < sheet->n_columns; column++) {
    if (!is_named (column, sheet->columns))
      continue;
    PangoLayout *text = shape_name (build, format, column);
    double width = attn_draw_text_measure (text).width;
    double middle =
        maps_left + (double)column * (sheet->cells.width + sheet->gap) + sheet->cells.width / 2;
    add_name (build, text, ATTN_DRAW_ROLE_HEAD_TITLE, column, middle - width / 2, top);
  }
}

static void
add_maps (AttnDrawBuild *build, const Sheet *sheet, double left, double top)
{
  for (size_t row = 0; row < sheet->n_rows; row++)
    for (size_t column = 0; column < sheet->n_columns; column++) {
      size_t panel = (sheet->first_layer + row) * sheet->n_columns + column;
      double x = left + sheet->left + (double)column * (sheet->cells.width + sheet->gap);
      double y = top + sheet->top + (double)row * (sheet->cells.height + sheet->gap);
      attn_draw_build_add_panel (build, panel, x, y, &sheet->cells, -1);
      attn_draw_build_add_row_pin (build, panel);
    }
}

void
attn_draw_layout_layers (AttnDrawBuild *build)
{
  double map_px = build->layout->view->map_px;
  Sheet sheet = map_px > 0 ? plan_chosen (build, MIN (map_px, MOST_MAP)) : plan_sheet (build);
  double left, top;

  attn_draw_parts_add (build, &sheet.parts, &left, &top);
  if (sheet.has_names) {
    add_row_names (build, &sheet, left, top);
    add_column_names (build, &sheet, left, top);
  }
  add_maps (build, &sheet, left, top);
  if (sheet.has_bar) {
    double x = left + sheet.parts.width - sheet.bar_room + round (BAR_GAP * build->em);
    double height = sheet.parts.height - sheet.top;
    attn_draw_bar_add (build, G_MAXSIZE, x, top + sheet.top,
                       MIN (height, round (BAR_HEIGHT_MAX * build->em)));
  }
}
