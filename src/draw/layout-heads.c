/* SPDX-License-Identifier: MIT */
/* Every head of a layer side by side: small maps, one bar, labels beside the first column. */
#include "bar.h"
#include "layout-private.h"
#include "wording.h"

#include <math.h>

/* all in em of the view's font */
#define MAX_CELL 3.6
#define QUERY_LABEL_MAX 7.0 /* more where the maps leave it */
#define LABEL_GAP 0.4
#define COLUMN_GAP 1.8
#define ROW_GAP 1.1
#define TITLE_SIZE 0.92
#define TITLE_GAP 0.25
#define BAR_GAP 1.8
#define BAR_HEIGHT_MAX 60.0
#define LEAST_PANEL 5.0 /* up to four columns, as many as keep maps this wide … */
#define WIDE_PANEL 10.0 /* … and more only where maps stay this wide */
#define LEAST_MAP 4.0   /* the smallest useful map where the height is limited */
#define LABELS_FROM 14.0
#define BAR_FROM 24.0
/* of the picture's width, at most */
#define QUERY_LABEL_SHARE 0.16
#define COLUMN_GAP_SHARE 0.03
#define USUAL_COLUMNS 4
#define USUAL_SHARE 0.85 /* of the largest maps' size: the usual number of columns is kept */
#define RAGGED_SHARE 0.9 /* what maps count whose last row is not full */
#define SCROLL_SHARE 0.5 /* of the limited height: what a map may take where all do not fit */

typedef struct {
  size_t n_columns, n_rows;
  bool has_labels, has_bar;
  double bar_room, left;                    /* px, as in the heat map */
  double column_gap, row_gap, title_height; /* px, whole */
  AttnDrawCells cells;
  AttnDrawLabelPlan queries;
  AttnDrawParts parts;
} Grid;

static size_t
get_first (const AttnDrawBuild *build)
{
  const AttnDrawView *view = build->layout->view;
  size_t n = attn_draw_panels_get_n (build->layout->panels);
  return view->n_heads > 0 ? MIN (view->first_head, n - 1) : 0;
}

static size_t
get_n_heads (const AttnDrawBuild *build)
{
  const AttnDrawView *view = build->layout->view;
  size_t n = attn_draw_panels_get_n (build->layout->panels) - get_first (build);
  return view->n_heads > 0 ? MIN (view->n_heads, n) : n;
}

/* px that @n maps of @width px take side by side. */
static double
get_span (const Grid *grid, size_t n, double width)
{
  return (double)n * width + (double)(n - 1) * grid->column_gap;
}

/* px there are for maps and labels. */
static double
get_inside (const AttnDrawBuild *build, const Grid *grid)
{
  return build->width - 2 * build->margin - grid->bar_room;
}

static double
get_label_max (const AttnDrawBuild *build)
{
  return floor (MIN (QUERY_LABEL_MAX * build->em, QUERY_LABEL_SHARE * build->width));
}

static size_t
count_rows (const AttnDrawBuild *build, size_t n_columns)
{
  return (get_n_heads (build) + n_columns - 1) / n_columns;
}

static void
plan_labels (AttnDrawBuild *build, Grid *grid)
{
  double gap = LABEL_GAP * build->em;
  double span = get_span (grid, grid->n_columns, grid->cells.width);
  double spare = floor (get_inside (build, grid) - span - gap);
  AttnDrawLabelRoom rows = {
      .pitch = grid->cells.cell_y,
      .max_length = MAX (get_label_max (build), spare),
      .max_size = 0.9 * build->em,
  };
  grid->queries = attn_draw_labels_plan (build->queries, &rows);
  grid->left = ceil (grid->queries.length + gap);
}

static AttnDrawSize
arrange (AttnDrawBuild *build, const AttnDrawCells *cells, void *data)
{
  Grid *grid = data;
  double row_height = grid->title_height + cells->height + grid->row_gap;

  grid->cells = *cells;
  if (grid->has_labels)
    plan_labels (build, grid);
  grid->parts.width = grid->left + get_span (grid, grid->n_columns, cells->width) + grid->bar_room;
  grid->parts.height = (double)grid->n_rows * row_height - grid->row_gap;
  AttnDrawNotes notes = {
      .width = grid->parts.width,
      .stride = grid->queries.stride,
      .is_thinned = grid->has_labels && grid->queries.is_thinned,
      .is_pooled = cells->cell_x < 1 || cells->cell_y < 1,
  };
  grid->parts.notes = attn_draw_lines_notes (build, &notes);
  return attn_draw_parts_measure (build, &grid->parts);
}

/* The largest maps in @n_columns columns. Returns: whether the picture is at most @max_height px
 * high. */
static bool
fit_grid (AttnDrawBuild *build, Grid *grid, size_t n_columns, double max_cell, double max_height)
{
  grid->n_columns = n_columns;
  grid->n_rows = count_rows (build, n_columns);
  double between = (double)grid->n_rows * (grid->title_height + grid->row_gap) - grid->row_gap;
  AttnDrawSearch search = {
      .room = (get_inside (build, grid) - get_span (grid, n_columns, 0)) / (double)n_columns,
      .max_cell = max_cell,
      .least = LEAST_MAP * build->em,
      .max_height = max_height,
      .apart = 2 * build->margin + grid->parts.heading.height + between,
      .n_rows = grid->n_rows,
      .arrange = arrange,
      .data = grid,
  };
  return attn_draw_build_search (build, &search, &grid->cells);
}

/* Four columns, more where the picture is wide; rather a number that leaves no row half empty. */
static size_t
choose_columns (const AttnDrawBuild *build, const Grid *grid)
{
  double least_panel = (isfinite (build->max_height) ? LEAST_MAP : LEAST_PANEL) * build->em;
  size_t n_heads = get_n_heads (build);
  double left = grid->has_labels ? ceil (get_label_max (build) + LABEL_GAP * build->em) : 0;
  double room = get_inside (build, grid) - left + grid->column_gap;
  double usual = floor (room / (least_panel + grid->column_gap));
  double wide = floor (room / (WIDE_PANEL * build->em + grid->column_gap));
  double fitting = MAX (MIN (usual, USUAL_COLUMNS), wide);
  size_t most = (size_t)CLAMP (fitting, 1, (double)n_heads);
  size_t least = most >= USUAL_COLUMNS ? USUAL_COLUMNS : MIN (most, 2);

  for (size_t n = most; n >= least; n--)
    if (n_heads % n == 0)
      return n;
  return MIN (most, USUAL_COLUMNS);
}

/* How much the maps of a grid that fits are worth. */
static double
rate_grid (AttnDrawBuild *build, const Grid *grid)
{
  bool is_full = get_n_heads (build) % grid->n_columns == 0;
  return sqrt (grid->cells.width * grid->cells.height) * (is_full ? 1 : RAGGED_SHARE);
}

/* The columns that make the maps largest within width and height, but four where that is hardly
 * worse. Returns: 0 if no number of columns gives useful maps. */
static size_t
find_columns (AttnDrawBuild *build, const Grid *begun, double max_cell)
{
  size_t n_heads = get_n_heads (build), best = 0;
  double best_rate = 0, usual_rate = 0;

  for (size_t n = 1; n <= n_heads; n++) {
    Grid grid = *begun;
    if (!fit_grid (build, &grid, n, max_cell, build->max_height))
      continue;
    double rate = rate_grid (build, &grid);
    if (n == MIN (USUAL_COLUMNS, n_heads))
      usual_rate = rate;
    if (rate > best_rate) {
      best_rate = rate;
      best = n;
    }
  }
  if (usual_rate > 0 && usual_rate >= USUAL_SHARE * best_rate)
    return MIN (USUAL_COLUMNS, n_heads);
  return best;
}

static AttnDrawStyle
get_title_style (const AttnDrawBuild *build)
{
  return (AttnDrawStyle){
      .size_px = TITLE_SIZE * build->em,
      .bold = true,
  };
}

/* What does not depend on the number of columns. */
static Grid
begin_grid (AttnDrawBuild *build)
{
  AttnDrawStyle style = get_title_style (build);
  AttnDrawExtents extents =
      attn_draw_text_measure (attn_draw_fonts_shape (build->fonts, "8", &style));
  Grid grid = {
      .has_labels = build->width >= LABELS_FROM * build->em,
      .has_bar = build->width >= BAR_FROM * build->em,
      .column_gap = round (MIN (COLUMN_GAP * build->em, COLUMN_GAP_SHARE * build->width)),
      .row_gap = round (ROW_GAP * build->em),
      .title_height = ceil (extents.height + TITLE_GAP * build->em),
      .parts.heading = attn_draw_lines_heading (build),
  };

  if (grid.has_bar)
    grid.bar_room = ceil (BAR_GAP * build->em + build->bar_width);
  return grid;
}

/* Where not all maps fit in the height, some of them do, each as large as is useful. */
static Grid
plan_grid (AttnDrawBuild *build)
{
  Grid grid = begin_grid (build);
  size_t asked =
      MIN (build->layout->view->n_columns, attn_draw_panels_get_n (build->layout->panels));
  double n_queries = (double)attn_draw_labels_get_n (build->queries);
  double max_cell = attn_draw_build_get_max_cell (build, MAX_CELL);
  size_t n_columns = asked;

  if (n_columns == 0 && isfinite (build->max_height))
    n_columns = find_columns (build, &grid, max_cell);
  if (n_columns > 0 && fit_grid (build, &grid, n_columns, max_cell, build->max_height))
    return grid;
  if (isfinite (build->max_height)) {
    double useful = MAX (LEAST_MAP * build->em, SCROLL_SHARE * build->max_height);
    max_cell = MIN (max_cell, useful / n_queries);
  }
  fit_grid (build, &grid, asked > 0 ? asked : choose_columns (build, &grid), max_cell, HUGE_VAL);
  return grid;
}

static void
add_title_text (AttnDrawBuild *build, PangoLayout *text, size_t panel, double x, double y, bool dim)
{
  const AttnDrawInk *ink = build->layout->ink;
  AttnDrawExtents extents = attn_draw_text_measure (text);

  attn_draw_build_add_text (build, text,
                            &(AttnDrawTextPlace){.role = ATTN_DRAW_ROLE_HEAD_TITLE,
                                                 .panel = panel,
                                                 .token = G_MAXSIZE,
                                                 .x = x - extents.left,
                                                 .y = y,
                                                 .color = dim ? ink->dim : ink->text});
}

/* "head 3", or "3" where that leaves less than @reserved px of the map's width. */
static PangoLayout *
shape_title (AttnDrawBuild *build, const Grid *grid, size_t panel, double reserved)
{
  const char *format = build->layout->view->strings.head_format;
  AttnDrawStyle style = get_title_style (build);
  g_autofree char *number = g_strdup_printf ("%zu", panel + 1);
  g_autofree char *title = attn_draw_format_string (format, number);

  PangoLayout *text = attn_draw_fonts_shape (build->fonts, title, &style);
  if (attn_draw_text_measure (text).width + reserved <= grid->cells.width)
    return text;
  style.max_width = MAX (grid->cells.width, 1);
  return attn_draw_fonts_shape_within (build->fonts, number, &style);
}

/* The head's number, and at the right the end of the map's own range where ranges differ. */
static void
add_title (AttnDrawBuild *build, const Grid *grid, size_t panel, double x, double y)
{
  AttnDrawStyle style = {.size_px = TITLE_SIZE * build->em};
  g_autofree char *max = attn_draw_bar_format_max (build, panel);
  PangoLayout *end = attn_draw_fonts_shape (build->fonts, max, &style);
  double end_width = attn_draw_text_measure (end).width;
  bool has_end = attn_draw_view_resolve_range (build->layout->view) == ATTN_DRAW_RANGE_MAP;
  double reserved = has_end ? end_width + 0.5 * build->em : 0;
  PangoLayout *title = shape_title (build, grid, panel, reserved);

  add_title_text (build, title, panel, x, y, false);
  if (has_end && attn_draw_text_measure (title).width + reserved <= grid->cells.width)
    add_title_text (build, end, panel, x + grid->cells.width - end_width, y, true);
}

static void
add_labels (AttnDrawBuild *build, const Grid *grid, size_t panel, double x, double y)
{
  AttnDrawSpan queries = attn_draw_labels_get_drawn (build->queries);

  for (size_t token = queries.first; token < queries.end; token++) {
    double middle = y + ((double)(token - queries.first) + 0.5) * grid->cells.cell_y;
    if (attn_draw_labels_is_shown (build->queries, &grid->queries, token))
      attn_draw_labels_add_query (build, &grid->queries, panel, token, x - LABEL_GAP * build->em,
                                  middle);
  }
}

static void
add_head (AttnDrawBuild *build, const Grid *grid, size_t panel, double left, double top)
{
  size_t index = panel - get_first (build);
  size_t row = index / grid->n_columns, column = index % grid->n_columns;
  double row_height = grid->title_height + grid->cells.height + grid->row_gap;
  double x = left + grid->left + (double)column * (grid->cells.width + grid->column_gap);
  double y = top + (double)row * row_height;
  bool has_labels = grid->has_labels && column == 0;

  add_title (build, grid, panel, x, y);
  y += grid->title_height;
  attn_draw_build_add_panel (build, panel, x, y, &grid->cells, has_labels ? left : -1);
  if (has_labels)
    add_labels (build, grid, panel, x, y);
  attn_draw_build_add_pins (build, panel);
}

void
attn_draw_layout_heads (AttnDrawBuild *build)
{
  Grid grid = plan_grid (build);
  double left, top;

  attn_draw_parts_add (build, &grid.parts, &left, &top);
  for (size_t i = 0; i < get_n_heads (build); i++)
    add_head (build, &grid, get_first (build) + i, left, top);
  if (grid.has_bar) {
    double x = left + grid.parts.width - grid.bar_room + round (BAR_GAP * build->em);
    double height = grid.parts.height - grid.title_height;
    attn_draw_bar_add (build, G_MAXSIZE, x, top + grid.title_height,
                       MIN (height, round (BAR_HEIGHT_MAX * build->em)));
  }
}
