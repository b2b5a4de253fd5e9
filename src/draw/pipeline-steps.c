/* SPDX-License-Identifier: MIT */
/* The numbers of the pipeline: every step's matrix, and one number's arithmetic. */
#include "pipeline-private.h"

#include <math.h>

#define MOST_FACTOR 64 /* rows and columns of the picture of a factor */

AttnDrawSteps *
attn_draw_steps_ref (AttnDrawSteps *steps)
{
  g_atomic_ref_count_inc (&steps->ref_count);
  return steps;
}

void
attn_draw_steps_unref (AttnDrawSteps *steps)
{
  if (steps == NULL || !g_atomic_ref_count_dec (&steps->ref_count))
    return;
  for (AttnStep step = 0; step < ATTN_N_STEPS; step++)
    attn_matrix_free (steps->matrices[step]);
  for (AttnFactor factor = 0; factor < ATTN_N_FACTORS; factor++)
    attn_matrix_free (steps->factors[factor]);
  g_clear_pointer (&steps->maps, attn_maps_unref);
  attn_trace_unref (steps->trace);
  g_free (steps);
}

static bool
has_hidden (const AttnMatrix *scores)
{
  for (size_t i = 0; i < scores->n_rows * scores->n_columns; i++)
    if (isinf (scores->values[i]))
      return true;
  return false;
}

/* Means of blocks of equal size, but for the last ones. */
static AttnMatrix *
shrink (AttnMatrix *matrix)
{
  const size_t share = (matrix->n_columns + MOST_FACTOR - 1) / MOST_FACTOR;
  const size_t n = (matrix->n_columns + share - 1) / share;
  for (size_t row = 0; row < n; row++)
    for (size_t column = 0; column < n; column++) {
      const size_t end_row = MIN ((row + 1) * share, matrix->n_rows);
      const size_t end = MIN ((column + 1) * share, matrix->n_columns);
      double sum = 0;
      for (size_t y = row * share; y < end_row; y++)
        for (size_t x = column * share; x < end; x++)
          sum += (double)matrix->values[y * matrix->n_columns + x];
      const size_t n_values = (end_row - row * share) * (end - column * share);
      /* what is written over was read already: n is at most n_columns */
      matrix->values[row * n + column] = (float)(sum / (double)n_values);
    }
  matrix->n_rows = matrix->n_columns = n;
  matrix->values = g_renew (float, matrix->values, n *n);
  return matrix;
}

static bool
compute_factors (AttnDrawSteps *steps, GError **error)
{
  for (AttnFactor factor = 0; factor < ATTN_N_FACTORS; factor++) {
    AttnMatrix *matrix = attn_step_compute_factor (steps->trace, factor, steps->layer, error);
    if (matrix == NULL)
      return false;
    steps->factors[factor] = shrink (matrix);
  }
  return true;
}

static bool
compute (AttnDrawSteps *steps, GError **error)
{
  const AttnModel *model = attn_trace_peek_model (steps->trace);
  for (AttnStep step = 0; step < ATTN_N_STEPS; step++) {
    if (!attn_step_is_there (model, step))
      continue;
    steps->matrices[step] =
        attn_step_compute (steps->trace, step, steps->layer, steps->head, error);
    if (steps->matrices[step] == NULL)
      return false;
  }
  /* a token always sees itself */
  g_autoptr (AttnCell) score =
      attn_cell_explain (steps->trace, ATTN_STEP_SCORES, steps->layer, steps->head, 0, 0, error);
  if (score == NULL)
    return false;
  steps->scale = score->scale;
  g_autoptr (AttnCell) normed = NULL;
  if (steps->matrices[ATTN_STEP_NORMED] != NULL) {
    normed =
        attn_cell_explain (steps->trace, ATTN_STEP_NORMED, steps->layer, steps->head, 0, 0, error);
    if (normed == NULL)
      return false;
    steps->is_left = normed->kind == ATTN_CELL_COPIED;
  }
  steps->has_hidden = has_hidden (steps->matrices[ATTN_STEP_SCORES]);
  return true;
}

AttnDrawSteps *
attn_draw_steps_new (AttnTrace *trace, size_t layer, size_t head, GError **error)
{
  const AttnConfig *config = attn_model_peek_config (attn_trace_peek_model (trace));
  g_return_val_if_fail (layer < config->n_layers && head < config->n_heads, NULL);
  g_autoptr (AttnDrawSteps) steps = g_new0 (AttnDrawSteps, 1);
  g_atomic_ref_count_init (&steps->ref_count);
  steps->trace = attn_trace_ref (trace);
  if (attn_trace_peek_tokens (trace) != NULL)
    steps->maps = attn_maps_new_from_trace (trace);
  steps->layer = layer;
  steps->head = head;
  steps->n_tokens = attn_trace_get_n_tokens (trace);
  steps->d_model = config->d_model;
  steps->d_k = config->d_k;
  steps->n_heads = config->n_heads;
  steps->n_layers = config->n_layers;
  steps->has_bias = !config->no_attention_bias;
  steps->has_norm_bias = !config->no_norm_bias;
  steps->hidden_from =
      config->local_layers != NULL && config->local_layers[layer] ? config->hidden_from : 0;
  steps->family = attn_steps_get_family (attn_trace_peek_model (trace));
  steps->is_rotated = config->rope_theta > 0;
  steps->distance = config->relative.on     ? ATTN_DRAW_DISTANCE_INSIDE
                    : config->n_buckets > 0 ? ATTN_DRAW_DISTANCE_AFTER
                                            : ATTN_DRAW_DISTANCE_NONE;
  return compute (steps, error) && compute_factors (steps, error) ? g_steal_pointer (&steps) : NULL;
}

const AttnMatrix *
attn_draw_steps_peek (const AttnDrawSteps *steps, AttnStep step)
{
  g_return_val_if_fail (step < ATTN_N_STEPS, NULL);
  return steps->matrices[step];
}

AttnTrace *
attn_draw_steps_peek_trace (const AttnDrawSteps *steps)
{
  return steps->trace;
}

size_t
attn_draw_steps_get_layer (const AttnDrawSteps *steps)
{
  return steps->layer;
}

size_t
attn_draw_steps_get_head (const AttnDrawSteps *steps)
{
  return steps->head;
}

/* The first step of a step's stage. */
static AttnStep
find_first (AttnStep step)
{
  if (step > ATTN_STEP_QUERIES && step <= ATTN_STEP_VALUES)
    return ATTN_STEP_QUERIES;
  if (step > ATTN_STEP_HEAD_QUERIES && step <= ATTN_STEP_HEAD_VALUES)
    return ATTN_STEP_HEAD_QUERIES;
  return step;
}

bool
attn_draw_steps_is_same_stage (AttnStep a, AttnStep b)
{
  return find_first (a) == find_first (b);
}

static bool
begins_stage (const AttnDrawSteps *steps, AttnStep step)
{
  return steps->matrices[step] != NULL && find_first (step) == step;
}

AttnStep
attn_draw_steps_move (const AttnDrawSteps *steps, AttnStep step, int by)
{
  AttnStep at = step;
  for (int left = ABS (by); left > 0; left--) {
    int next = (int)find_first (at) + (by > 0 ? 1 : -1);
    while (next >= 0 && next < ATTN_N_STEPS && !begins_stage (steps, (AttnStep)next))
      next += by > 0 ? 1 : -1;
    if (next < 0 || next >= ATTN_N_STEPS)
      break;
    at = (AttnStep)next;
  }
  return at;
}

size_t
attn_draw_steps_get_stage (const AttnDrawSteps *steps, AttnStep step, size_t *stage)
{
  size_t n = 0;
  *stage = 1;
  for (AttnStep s = 0; s < ATTN_N_STEPS; s++)
    if (begins_stage (steps, s)) {
      n++;
      if (s <= step)
        *stage = n;
    }
  return n;
}

AttnDrawExample *
attn_draw_example_ref (AttnDrawExample *example)
{
  g_atomic_ref_count_inc (&example->ref_count);
  return example;
}

void
attn_draw_example_unref (AttnDrawExample *example)
{
  if (example == NULL || !g_atomic_ref_count_dec (&example->ref_count))
    return;
  attn_cell_free (example->cell);
  attn_cell_free (example->score);
  attn_cell_free (example->softmax);
  attn_draw_steps_unref (example->steps);
  g_free (example);
}

static AttnCell *
explain (const AttnDrawSteps *steps, AttnStep step, size_t row, size_t column, GError **error)
{
  return attn_cell_explain (steps->trace, step, steps->layer, steps->head, row, column, error);
}

AttnDrawExample *
attn_draw_example_new (
    AttnDrawSteps *steps, AttnStep step, size_t row, size_t column, GError **error)
{
  const AttnMatrix *matrix = attn_draw_steps_peek (steps, step);
  g_return_val_if_fail (matrix != NULL, NULL);
  g_return_val_if_fail (row < matrix->n_rows && column < matrix->n_columns, NULL);
  g_autoptr (AttnDrawExample) example = g_new0 (AttnDrawExample, 1);
  g_atomic_ref_count_init (&example->ref_count);
  example->steps = attn_draw_steps_ref (steps);
  example->step = step;
  example->cell = explain (steps, step, row, column, error);
  if (example->cell == NULL)
    return NULL;
  if ((step != ATTN_STEP_SCORES && step != ATTN_STEP_WEIGHTS) ||
      example->cell->kind == ATTN_CELL_HIDDEN)
    return g_steal_pointer (&example);
  example->score = explain (steps, ATTN_STEP_SCORES, row, column, error);
  if (example->score != NULL)
    example->softmax = explain (steps, ATTN_STEP_WEIGHTS, row, column, error);
  return example->softmax != NULL ? g_steal_pointer (&example) : NULL;
}

/* NaN is no number, and −∞ stands for what is hidden: without any other it is the first column. */
static size_t
find_largest (const AttnMatrix *matrix, size_t row)
{
  const float *values = matrix->values + row * matrix->n_columns;
  size_t largest = 0;
  for (size_t i = 1; i < matrix->n_columns; i++)
    if (values[i] > values[largest] || (isnan (values[largest]) && values[i] > -INFINITY))
      largest = i;
  return largest;
}

AttnDrawExample *
attn_draw_example_new_usual (AttnDrawSteps *steps, AttnStep step, size_t row, GError **error)
{
  const AttnMatrix *matrix = attn_draw_steps_peek (steps, step);
  g_return_val_if_fail (matrix != NULL && row < matrix->n_rows, NULL);
  if (attn_draw_pipe_is_square (step))
    return attn_draw_example_new (steps, step, row, find_largest (matrix, row), error);
  const size_t own = find_largest (attn_draw_steps_peek (steps, ATTN_STEP_HEAD_OUTPUT), row);
  const bool is_whole = step < ATTN_STEP_HEAD_QUERIES || step > ATTN_STEP_HEAD_OUTPUT;
  const size_t column = is_whole ? steps->head * steps->d_k + own : own;
  return attn_draw_example_new (steps, step, row, column, error);
}

static double
get_value (const AttnMatrix *matrix, size_t row, size_t column)
{
  return (double)matrix->values[row * matrix->n_columns + column];
}

double
attn_draw_steps_get_weight (const AttnDrawSteps *steps, size_t query, size_t key)
{
  return get_value (steps->matrices[ATTN_STEP_WEIGHTS], query, key);
}

double
attn_draw_steps_get_score (const AttnDrawSteps *steps, size_t query, size_t key)
{
  return get_value (steps->matrices[ATTN_STEP_SCORES], query, key);
}

const AttnCell *
attn_draw_example_peek_cell (const AttnDrawExample *example)
{
  return example->cell;
}

AttnStep
attn_draw_example_get_step (const AttnDrawExample *example)
{
  return example->step;
}
