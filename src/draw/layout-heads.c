/* SPDX-License-Identifier: MIT */
/* Every head of a layer side by side: small maps, one bar, labels beside the first column. */
#include "bar.h"
#include "layout-private.h"
#include "wording.h"

#include <math.h>

/* all in em of the view's font */
#define MAX_CELL 3.6
#define QUERY_LABEL_MAX 7.0
#define LABEL_GAP 0.4
#define COLUMN_GAP 1.8
#define ROW_GAP 1.1
#define TITLE_SIZE 0.92
#define TITLE_GAP 0.25
#define BAR_GAP 1.8
#define BAR_HEIGHT_MAX 60.0
#define LEAST_PANEL \
  5.0 /* up to the usual number of columns, as many as let a map be this wide … \
       */
#define WIDE_PANEL 10.0 /* … and more only where maps stay this wide */
#define LABELS_FROM 14.0
#define BAR_FROM 24.0
/* of the picture's width, at most */
#define QUERY_LABEL_SHARE 0.16
#define COLUMN_GAP_SHARE 0.03
#define USUAL_COLUMNS 4

typedef struct {
  size_t n_columns, n_rows;
  bool has_labels, has_bar;
  double bar_room, label_max, left; /* px, as in the heat map */
  double column_gap, title_height;  /* px, whole */
  AttnDrawCells cells;
  AttnDrawLabelPlan queries;
} Grid;

static size_t
get_n_heads (const AttnDrawBuild *build)
{
  return attn_draw_panels_get_n (build->layout->panels);
}

static double
get_room (const AttnDrawBuild *build, const Grid *grid, double left)
{
  double gaps = (double)(grid->n_columns - 1) * grid->column_gap;
  return (build->width - 2 * build->margin - grid->bar_room - left - gaps) /
         (double)grid->n_columns;
}

/* Four columns, more where the picture is wide; rather a number that leaves no row half empty. */
static size_t
choose_columns (const AttnDrawBuild *build, const Grid *grid, double left)
{
  size_t n_heads = get_n_heads (build);
  size_t asked = build->layout->view->n_columns;
  if (asked > 0)
    return MIN (asked, n_heads);

  double room = build->width - 2 * build->margin - grid->bar_room - left + grid->column_gap;
  double usual = floor (room / (LEAST_PANEL * build->em + grid->column_gap));
  double wide = floor (room / (WIDE_PANEL * build->em + grid->column_gap));
  double fitting = MAX (MIN (usual, USUAL_COLUMNS), wide);
  size_t most = (size_t)CLAMP (fitting, 1, (double)n_heads);
  size_t least = most >= USUAL_COLUMNS ? USUAL_COLUMNS : MIN (most, 2);
  for (size_t n = most; n >= least; n--)
    if (n_heads % n == 0)
      return n;
  return MIN (most, USUAL_COLUMNS);
}

static void
fit_cells (const AttnDrawBuild *build, Grid *grid, double left)
{
  grid->left = left;
  grid->cells =
      attn_draw_build_fit_cells (build, get_room (build, grid, left), MAX_CELL * build->em);
}

static void
plan_labels (AttnDrawBuild *build, Grid *grid)
{
  AttnDrawLabelRoom rows = {
      .pitch = grid->cells.cell_y,
      .max_length = grid->label_max,
      .max_size = 0.9 * build->em,
  };
  grid->queries = attn_draw_labels_plan (build->queries, &rows);
}

static AttnDrawStyle
get_title_style (const AttnDrawBuild *build)
{
  return (AttnDrawStyle){
      .size_px = TITLE_SIZE * build->em,
      .bold = true,
  };
}

/* What does not depend on labels: rooms and the number of columns. */
static Grid
begin_grid (AttnDrawBuild *build)
{
  Grid grid = {
      .has_labels = build->width >= LABELS_FROM * build->em,
      .has_bar = build->width >= BAR_FROM * build->em,
      .column_gap = round (MIN (COLUMN_GAP * build->em, COLUMN_GAP_SHARE * build->width)),
  };

  if (grid.has_bar)
    grid.bar_room = ceil (BAR_GAP * build->em + build->bar_width);
  if (grid.has_labels) {
    grid.label_max = floor (MIN (QUERY_LABEL_MAX * build->em, QUERY_LABEL_SHARE * build->width));
    grid.left = ceil (grid.label_max + LABEL_GAP * build->em);
  }
  grid.n_columns = choose_columns (build, &grid, grid.left);
  grid.n_rows = (get_n_heads (build) + grid.n_columns - 1) / grid.n_columns;
  return grid;
}

static Grid
plan_grid (AttnDrawBuild *build)
{
  Grid grid = begin_grid (build);
  double longest = 0;

  fit_cells (build, &grid, grid.left);
  for (int round_trip = 0; grid.has_labels && round_trip < 2; round_trip++) {
    plan_labels (build, &grid);
    longest = MAX (longest, ceil (grid.queries.length));
    fit_cells (build, &grid, ceil (longest + LABEL_GAP * build->em));
  }
  if (grid.has_labels) {
    grid.label_max = longest;
    plan_labels (build, &grid);
  }
  AttnDrawStyle style = get_title_style (build);
  AttnDrawExtents extents =
      attn_draw_text_measure (attn_draw_fonts_shape (build->fonts, "8", &style));
  grid.title_height = ceil (extents.height + TITLE_GAP * build->em);
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
  for (size_t token = 0; token < attn_draw_labels_get_n (build->queries); token++) {
    double middle = y + ((double)token + 0.5) * grid->cells.cell_y;
    if (attn_draw_labels_is_shown (build->queries, &grid->queries, token))
      attn_draw_labels_add_query (build, &grid->queries, panel, token, x - LABEL_GAP * build->em,
                                  middle);
  }
}

static void
add_head (AttnDrawBuild *build, const Grid *grid, size_t panel, double top)
{
  size_t row = panel / grid->n_columns, column = panel % grid->n_columns;
  double row_height = grid->title_height + grid->cells.height + round (ROW_GAP * build->em);
  double x = build->margin + grid->left + (double)column * (grid->cells.width + grid->column_gap);
  double y = top + (double)row * row_height;
  bool has_labels = grid->has_labels && column == 0;

  add_title (build, grid, panel, x, y);
  y += grid->title_height;
  attn_draw_build_add_panel (build, panel, x, y, &grid->cells, has_labels ? build->margin : -1);
  if (has_labels)
    add_labels (build, grid, panel, x, y);
  attn_draw_build_add_pins (build, panel);
}

double
attn_draw_layout_heads (AttnDrawBuild *build)
{
  Grid grid = plan_grid (build);
  double top = attn_draw_build_heading (build);
  double row_gap = round (ROW_GAP * build->em);
  double bottom = top + (double)grid.n_rows * (grid.title_height + grid.cells.height + row_gap);
  double right = build->margin + grid.left + (double)grid.n_columns * grid.cells.width +
                 (double)(grid.n_columns - 1) * grid.column_gap;

  bottom -= row_gap;
  for (size_t panel = 0; build->emits && panel < get_n_heads (build); panel++)
    add_head (build, &grid, panel, top);
  if (grid.has_bar) {
    double bar_top = top + grid.title_height;
    double height = MIN (bottom - bar_top, round (BAR_HEIGHT_MAX * build->em));
    attn_draw_bar_add (build, right + round (BAR_GAP * build->em), bar_top, height);
    right += grid.bar_room;
  }
  bottom = attn_draw_build_notes (build, bottom + round (0.8 * build->em), right,
                                  grid.queries.stride, grid.has_labels && grid.queries.is_thinned,
                                  grid.cells.cell_x < 1 || grid.cells.cell_y < 1);
  return bottom + build->margin;
}

double
attn_draw_layout_heads_least (AttnDrawBuild *build)
{
  Grid grid = begin_grid (build);

  fit_cells (build, &grid, grid.left);
  return 2 * build->margin + (double)grid.n_rows * grid.cells.height;
}
