/* SPDX-License-Identifier: MIT */
/* Cells as paths, one per colour, so that they stay exact at any size and leave no seams.
 *
 * Viewers smooth the edges of shapes: where two shapes only touch, the ground shines through. So
 * colours are painted from least to most, each also under those neighbours that will cover it. */
#include "paint-cells.h"

#include "cells.h"
#include "panels-private.h"

#define HATCH_LINE 0.7 /* px across the line; a raster's diagonal of whole pixels looks so */

typedef struct {
  size_t first, end; /* columns */
  size_t top;        /* row it began in */
} Run;

typedef struct {
  size_t n_queries, n_keys; /* that are drawn */
  AttnDrawRect rect;
  uint16_t *codes; /* [n_queries, n_keys] */
  bool *row_has;   /* [n_queries, ATTN_DRAW_N_CODES] */
  bool has[ATTN_DRAW_N_CODES];
  Run *open, *runs; /* [n_keys] each, scratch */
} Cells;

void
attn_draw_set_source_pixel (cairo_t *cr, uint32_t pixel)
{
  cairo_set_source_rgb (cr, (pixel >> 16 & 255) / 255.0, (pixel >> 8 & 255) / 255.0,
                        (pixel & 255) / 255.0);
}

static void
cells_init (Cells *cells, const AttnDrawLayout *layout, size_t panel)
{
  AttnDrawSpan queries = attn_draw_layout_get_rows (layout, panel);
  AttnDrawSpan keys = attn_draw_layout_get_columns (layout, panel);
  size_t n_queries = attn_draw_span_get_n (&queries), n_keys = attn_draw_span_get_n (&keys);
  g_autofree float *weights = g_new (float, n_keys);
  AttnDrawCoder coder;

  attn_draw_coder_init (&coder, layout, panel);
  *cells = (Cells){
      .n_queries = n_queries,
      .n_keys = n_keys,
      .rect = attn_draw_layout_get_panel_rect (layout, panel),
      .codes = g_new (uint16_t, n_queries * n_keys),
      .row_has = g_malloc0_n (n_queries, ATTN_DRAW_N_CODES * sizeof (bool)),
      .open = g_new (Run, n_keys),
      .runs = g_new (Run, n_keys),
  };
  for (size_t query = 0; query < n_queries; query++) {
    uint16_t *row = cells->codes + query * n_keys;
    AttnDrawSpan rows = {queries.first + query, queries.first + query + 1};
    attn_draw_cells_code_row (layout, panel, &coder, rows, weights, row);
    for (size_t key = 0; key < n_keys; key++) {
      cells->row_has[query * ATTN_DRAW_N_CODES + row[key]] = true;
      cells->has[row[key]] = true;
    }
  }
}

static void
cells_clear (Cells *cells)
{
  g_free (cells->codes);
  g_free (cells->row_has);
  g_free (cells->open);
  g_free (cells->runs);
}

static bool
has_code (const Cells *cells, size_t query, uint16_t code)
{
  return query < cells->n_queries && cells->row_has[query * ATTN_DRAW_N_CODES + code];
}

/* Whether the cell has to be painted with @code: it has it, or it will be covered by a later colour
 * and has a neighbour with it. */
static bool
needs (const Cells *cells, size_t query, size_t key, uint16_t code)
{
  size_t n_keys = cells->n_keys;
  const uint16_t *cell = cells->codes + query * n_keys + key;

  if (*cell <= code)
    return *cell == code;
  return (key > 0 && cell[-1] == code) || (key + 1 < n_keys && cell[1] == code) ||
         (query > 0 && *(cell - n_keys) == code) ||
         (query + 1 < cells->n_queries && cell[n_keys] == code);
}

static void
add_rectangle (const Cells *cells, const Run *run, size_t bottom, cairo_t *cr)
{
  const AttnDrawRect *rect = &cells->rect;
  double left = attn_draw_edge (rect->x, rect->width, cells->n_keys, run->first);
  double right = attn_draw_edge (rect->x, rect->width, cells->n_keys, run->end);
  double top = attn_draw_edge (rect->y, rect->height, cells->n_queries, run->top);
  double end = attn_draw_edge (rect->y, rect->height, cells->n_queries, bottom);

  cairo_rectangle (cr, left, top, right - left, end - top);
}

/* Writes the runs of row @query that are painted with @code; between two cells that need it they
 * go on over cells that later colours cover. Returns: how many. */
static size_t
find_runs (const Cells *cells, size_t query, uint16_t code, Run *runs)
{
  const uint16_t *row = cells->codes + query * cells->n_keys;
  bool may = has_code (cells, query, code) || has_code (cells, query + 1, code) ||
             (query > 0 && has_code (cells, query - 1, code));
  bool goes_on = false; /* no cell that must stay free since the last run's end */
  size_t n = 0;

  for (size_t key = 0; may && key < cells->n_keys; key++) {
    if (needs (cells, query, key, code)) {
      if (goes_on)
        runs[n - 1].end = key + 1;
      else
        runs[n++] = (Run){key, key + 1, query};
      goes_on = true;
    } else if (row[key] < code) {
      goes_on = false;
    }
  }
  return n;
}

/* Runs of equal extent in successive rows become one rectangle; others end above row @query.
 * Returns: how many rectangles ended; they are added to the path unless @cr is NULL. */
static size_t
join_runs (const Cells *cells,
           const Run *open,
           size_t n_open,
           Run *runs,
           size_t n_runs,
           size_t query,
           cairo_t *cr)
{
  size_t r = 0, n_ended = 0;

  for (size_t o = 0; o < n_open; o++) {
    while (r < n_runs && runs[r].first < open[o].first)
      r++;
    if (r < n_runs && runs[r].first == open[o].first && runs[r].end == open[o].end) {
      runs[r].top = open[o].top;
      continue;
    }
    n_ended++;
    if (cr != NULL)
      add_rectangle (cells, &open[o], query, cr);
  }
  return n_ended;
}

/* Adds all cells that are painted with @code to the path. Returns: how many rectangles they are. */
static size_t
add_color (const Cells *cells, uint16_t code, cairo_t *cr)
{
  size_t n_queries = cells->n_queries;
  Run *open = cells->open, *runs = cells->runs;
  size_t n_open = 0, n_rectangles = 0;

  for (size_t query = 0; query <= n_queries; query++) {
    size_t n_runs = query < n_queries ? find_runs (cells, query, code, runs) : 0;
    n_rectangles += join_runs (cells, open, n_open, runs, n_runs, query, cr);
    Run *swap = open;
    open = runs;
    runs = swap;
    n_open = n_runs;
  }
  return n_rectangles;
}

static bool
is_within (const Cells *cells, size_t max_rectangles)
{
  size_t n = 0;

  for (uint16_t code = 0; code < ATTN_DRAW_N_CODES && n <= max_rectangles; code++)
    if (cells->has[code])
      n += add_color (cells, code, NULL);
  return n <= max_rectangles;
}

static void
add_diagonals (const AttnDrawRect *rect, double period, bool rising, cairo_t *cr)
{
  double n = (rect->width + rect->height) / period;

  for (double line = 0; line <= n; line++) {
    /* the middle of the pixels whose coordinates add up to a multiple of the period */
    double offset = line * period + 1;
    double start_x = rising ? rect->x + offset : rect->x + rect->width - offset;
    double end_x = rising ? start_x - rect->height : start_x + rect->height;
    cairo_move_to (cr, start_x, rect->y);
    cairo_line_to (cr, end_x, rect->y + rect->height);
  }
}

/* Draws dots of one px, as dashes of lines; a raster's are where both coordinates are multiples. */
static void
add_dots (const AttnDrawRect *rect, double period, cairo_t *cr)
{
  cairo_set_dash (cr, (double[]){1, period - 1}, 2, 0);
  for (double y = 0; y < rect->height; y += period) {
    cairo_move_to (cr, rect->x, rect->y + y + 0.5);
    cairo_line_to (cr, rect->x + rect->width, rect->y + y + 0.5);
  }
}

/* Fills the path with a pattern's ground and draws its lines inside. */
static void
fill_pattern (const AttnDrawLayout *layout, const AttnDrawRect *rect, uint16_t code, cairo_t *cr)
{
  AttnDrawPattern pattern = attn_draw_cells_get_pattern (1);
  const AttnDrawInk *ink = layout->ink;
  const uint32_t grounds[] = {ink->hidden, ink->not_a_number, ink->zero};
  const uint32_t lines[] = {ink->hidden_line, ink->not_a_number_line, ink->zero_dot};

  cairo_save (cr);
  attn_draw_set_source_pixel (cr, grounds[code - ATTN_DRAW_CODE_HIDDEN]);
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  attn_draw_set_source_pixel (cr, lines[code - ATTN_DRAW_CODE_HIDDEN]);
  cairo_set_line_width (cr, code == ATTN_DRAW_CODE_ZERO ? 1 : HATCH_LINE);
  if (code == ATTN_DRAW_CODE_ZERO)
    add_dots (rect, (double)pattern.period, cr);
  else if (code == ATTN_DRAW_CODE_HIDDEN)
    add_diagonals (rect, (double)pattern.period, true, cr);
  else
    for (int rising = 0; rising < 2; rising++)
      add_diagonals (rect, (double)pattern.cross_period, rising == 1, cr);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
paint_colors (const AttnDrawLayout *layout, size_t panel, const Cells *cells, cairo_t *cr)
{
  const uint32_t *lut = attn_draw_layout_peek_lut (layout, panel);
  const AttnDrawRect *rect = &cells->rect;
  bool is_ground = true; /* the least colour fills the panel; all others lie on it */

  cairo_new_path (cr);
  for (uint16_t code = 0; code < ATTN_DRAW_N_CODES; code++) {
    if (!cells->has[code])
      continue;
    if (is_ground)
      cairo_rectangle (cr, rect->x, rect->y, rect->width, rect->height);
    else
      add_color (cells, code, cr);
    is_ground = false;
    if (code >= ATTN_DRAW_CODE_HIDDEN) {
      fill_pattern (layout, rect, code, cr);
      continue;
    }
    attn_draw_set_source_pixel (cr, lut[code]);
    cairo_fill (cr);
  }
}

bool
attn_draw_paint_cells (const AttnDrawLayout *layout,
                       size_t panel,
                       size_t max_rectangles,
                       cairo_t *cr)
{
  Cells cells;

  cells_init (&cells, layout, panel);
  bool is_possible = is_within (&cells, max_rectangles);
  if (is_possible)
    paint_colors (layout, panel, &cells, cr);
  cells_clear (&cells);
  return is_possible;
}

/* Each colour also under all that follow below it. */
void
attn_draw_paint_bar (const AttnDrawLayout *layout, const AttnDrawItem *item, cairo_t *cr)
{
  const uint32_t *lut = attn_draw_layout_peek_lut (layout, item->panel);
  size_t n_colors = attn_draw_cells_count_colors (layout, item->panel);
  AttnDrawRect rect = item->rect;
  double bottom = rect.y + rect.height;

  for (size_t i = 0; i < n_colors; i++) {
    double top = attn_draw_edge (rect.y, rect.height, n_colors, i);
    cairo_rectangle (cr, rect.x, top, rect.width, bottom - top);
    attn_draw_set_source_pixel (cr, lut[255 - i]);
    cairo_fill (cr);
  }
}
