/* SPDX-License-Identifier: MIT */
/* A step's matrix as a picture: what shares a cell, its range of colours, and what is marked. */
#include "pipeline-private.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_COLUMN 3.0 /* px of a cell: narrower ones share one */
#define LEAST_ROW 1.5
#define MOST_SHARE 0.995 /* of the shown values that are within the range of colours */
#define FAR 1.5 /* times that: the largest may be so far off and still be the range's end */

/* Means of the values that share a cell, or the values themselves. */
static size_t
collect (const AttnMatrix *matrix, const AttnDrawShown *shown, float *sizes, double *largest)
{
  size_t n = 0;
  for (size_t top = 0; top < matrix->n_rows; top += shown->rows_per_cell)
    for (size_t left = 0; left < matrix->n_columns; left += shown->columns_per_cell) {
      const size_t end_row = MIN (top + shown->rows_per_cell, matrix->n_rows);
      const size_t end = MIN (left + shown->columns_per_cell, matrix->n_columns);
      double sum = 0;
      size_t n_values = 0;
      for (size_t row = top; row < end_row; row++)
        for (size_t column = left; column < end; column++) {
          const double value = (double)matrix->values[row * matrix->n_columns + column];
          if (!isfinite (value))
            continue;
          if (fabs (value) > fabs (*largest))
            *largest = value;
          sum += value;
          n_values++;
        }
      if (n_values > 0)
        sizes[n++] = (float)fabs (sum / (double)n_values);
    }
  return n;
}

static int
compare_sizes (const void *a, const void *b)
{
  const float left = *(const float *)a, right = *(const float *)b;
  return left < right ? -1 : left > right;
}

/* A few numbers far off would leave all others without a colour: then they do not count. */
static double
find_max (float *sizes, size_t n)
{
  if (n == 0)
    return 1;
  qsort (sizes, n, sizeof *sizes, compare_sizes);
  const double most = (double)sizes[n - 1];
  const double usual = (double)sizes[(size_t)(MOST_SHARE * (double)(n - 1))];
  const double max = most > FAR * usual ? usual : most;
  return max > 0 ? max : most > 0 ? most : 1;
}

AttnDrawShown
attn_draw_pipe_find_shown (const AttnDrawPipe *pipe, AttnStep step, double width, double height)
{
  const AttnMatrix *matrix = attn_draw_steps_peek (pipe->steps, step);
  const size_t d_k = pipe->steps->d_k;
  AttnDrawShown shown = {
      .rows_per_cell = attn_draw_figure_find_share (matrix->n_rows, height, LEAST_ROW, 0),
      .is_signed = step != ATTN_STEP_WEIGHTS,
  };
  const bool is_square = attn_draw_pipe_is_square (step);
  const double least = is_square ? LEAST_ROW : LEAST_COLUMN;
  shown.columns_per_cell =
      attn_draw_figure_find_share (matrix->n_columns, width, least, is_square ? 0 : d_k);
  const AttnDrawShown each = {.rows_per_cell = 1, .columns_per_cell = 1};
  g_autofree float *sizes = g_new (float, matrix->n_rows * matrix->n_columns);
  const size_t n = collect (matrix, shown.is_signed ? &shown : &each, sizes, &shown.largest);
  shown.max = shown.is_signed ? find_max (sizes, n) : MAX (shown.largest, 1e-9);
  return shown;
}

static bool
has_key_rows (AttnStep step)
{
  return step == ATTN_STEP_KEYS || step == ATTN_STEP_VALUES || step == ATTN_STEP_HEAD_KEYS ||
         step == ATTN_STEP_HEAD_VALUES;
}

bool
attn_draw_pipe_find_key (const AttnDrawPipe *pipe, size_t *key)
{
  const AttnDrawExample *example = pipe->asked->example;
  if (!pipe->asked->has_cell || example == NULL ||
      (example->step != ATTN_STEP_SCORES && example->step != ATTN_STEP_WEIGHTS))
    return false;
  *key = example->cell->column;
  return true;
}

static bool
has_head_columns (AttnStep step)
{
  return (step >= ATTN_STEP_QUERIES && step <= ATTN_STEP_VALUES) || step == ATTN_STEP_CONCAT;
}

/* A part of a matrix, outlined so that it can be seen although it is small. */
static void
mark (const AttnDrawPipe *pipe,
      const AttnMatrix *matrix,
      const AttnDrawRect *rect,
      size_t row,
      size_t first,
      size_t end,
      double line)
{
  const double cell_x = rect->width / (double)matrix->n_columns;
  const double cell_y = rect->height / (double)matrix->n_rows;
  AttnDrawRect cells = *rect;
  if (row != G_MAXSIZE) {
    cells.y += cell_y * (double)row;
    cells.height = MAX (cell_y, 2);
  }
  if (end > first) {
    cells.x += cell_x * (double)first;
    cells.width = MAX (cell_x * (double)(end - first), 2);
  }
  cells.x = floor (cells.x);
  cells.y = floor (cells.y);
  cells.width = ceil (cells.width);
  cells.height = ceil (cells.height);
  attn_draw_figure_add_frame (
      pipe->builder, cells, attn_draw_tone_get (&pipe->asked->style, ATTN_DRAW_TONE_ACCENT), line);
}

static void
add_marks (const AttnDrawPipe *pipe, AttnStep step, const AttnDrawRect *rect)
{
  const AttnDrawSteps *steps = pipe->steps;
  const AttnMatrix *matrix = attn_draw_steps_peek (steps, step);
  const AttnDrawExample *example = pipe->asked->example;
  size_t row = pipe->asked->followed;
  bool has_row = pipe->asked->has_followed;
  if (has_key_rows (step) && attn_draw_pipe_find_key (pipe, &row))
    has_row = true;
  if (has_head_columns (step))
    mark (pipe, matrix, rect, G_MAXSIZE, steps->head * steps->d_k, (steps->head + 1) * steps->d_k,
          1);
  if (has_row && row < matrix->n_rows)
    mark (pipe, matrix, rect, row, 0, 0, 1.5);
  if (pipe->asked->has_cell && example != NULL && example->step == step)
    mark (pipe, matrix, rect, example->cell->row, example->cell->column, example->cell->column + 1,
          2);
}

AttnDrawShown
attn_draw_pipe_add_matrix (const AttnDrawPipe *pipe,
                           AttnStep step,
                           AttnDrawRect rect,
                           unsigned part)
{
  const AttnMatrix *matrix = attn_draw_steps_peek (pipe->steps, step);
  const AttnDrawShown shown = attn_draw_pipe_find_shown (pipe, step, rect.width, rect.height);
  const AttnDrawFigureMatrix drawn = {
      .n_rows = matrix->n_rows,
      .n_columns = matrix->n_columns,
      .values = matrix->values,
      .is_signed = shown.is_signed,
      .max = shown.max,
      .rows_per_cell = shown.rows_per_cell,
      .columns_per_cell = shown.columns_per_cell,
  };
  attn_draw_figure_add_matrix (pipe->builder, &drawn, rect, ATTN_DRAW_PIPELINE_STEP + step);
  attn_draw_figure_name_part (pipe->builder, part);
  add_marks (pipe, step, &rect);
  return shown;
}

void
attn_draw_pipe_add_factor (const AttnDrawPipe *pipe, AttnFactor factor, AttnDrawRect rect)
{
  const AttnDrawSteps *steps = pipe->steps;
  const AttnMatrix *matrix = steps->factors[factor];
  AttnDrawFigureMatrix drawn = {
      .n_rows = matrix->n_rows,
      .n_columns = matrix->n_columns,
      .values = matrix->values,
      .is_signed = true,
      .rows_per_cell = attn_draw_figure_find_share (matrix->n_rows, rect.height, LEAST_ROW, 0),
      .columns_per_cell = attn_draw_figure_find_share (matrix->n_columns, rect.width, LEAST_ROW, 0),
  };
  const AttnDrawShown each = {.rows_per_cell = drawn.rows_per_cell,
                              .columns_per_cell = drawn.columns_per_cell};
  g_autofree float *sizes = g_new (float, matrix->n_rows * matrix->n_columns);
  double largest = 0;
  const size_t n = collect (matrix, &each, sizes, &largest);
  drawn.max = find_max (sizes, n);
  attn_draw_figure_add_matrix (pipe->builder, &drawn, rect, 0);
  const AttnMatrix whole = {.n_rows = steps->d_model, .n_columns = steps->d_model};
  const size_t first = steps->head * steps->d_k, end = first + steps->d_k;
  if (factor == ATTN_FACTOR_OUTPUT) {
    const double cell = rect.height / (double)steps->d_model;
    AttnDrawRect rows = rect;
    rows.y = floor (rect.y + cell * (double)first);
    rows.height = MAX (round (cell * (double)steps->d_k), 2);
    attn_draw_figure_add_frame (pipe->builder, rows,
                                attn_draw_tone_get (&pipe->asked->style, ATTN_DRAW_TONE_ACCENT), 1);
  } else {
    mark (pipe, &whole, &rect, G_MAXSIZE, first, end, 1);
  }
}
