/* SPDX-License-Identifier: MIT */
/* The steps of multi-head attention in one layer, each a matrix of the numbers that ran. */
#include "config-private.h"
#include "model-private.h"
#include "steps-private.h"

#include "attn/error.h"
#include "attn/names.h"

#include <string.h>

const char *const attn_step_names[ATTN_N_STEPS + 1] = {
    [ATTN_STEP_INPUT] = "input",
    [ATTN_STEP_NORMED] = "normed",
    [ATTN_STEP_QUERIES] = "queries",
    [ATTN_STEP_KEYS] = "keys",
    [ATTN_STEP_VALUES] = "values",
    [ATTN_STEP_HEAD_QUERIES] = "head-queries",
    [ATTN_STEP_HEAD_KEYS] = "head-keys",
    [ATTN_STEP_HEAD_VALUES] = "head-values",
    [ATTN_STEP_SCORES] = "scores",
    [ATTN_STEP_WEIGHTS] = "weights",
    [ATTN_STEP_HEAD_OUTPUT] = "head-output",
    [ATTN_STEP_CONCAT] = "concat",
    [ATTN_STEP_CONTRIBUTION] = "contribution",
    [ATTN_STEP_OUTPUT] = "output",
    [ATTN_STEP_SUM] = "sum",
    [ATTN_STEP_RESULT] = "result",
};

const char *
attn_step_peek_name (AttnStep step)
{
  g_return_val_if_fail (step < ATTN_N_STEPS, NULL);
  return attn_step_names[step];
}

AttnStep
attn_step_find (const char *name)
{
  return (AttnStep)attn_name_find (name, attn_step_names, ATTN_N_STEPS);
}

bool
attn_step_is_there (const AttnModel *model, AttnStep step)
{
  switch (step) {
  case ATTN_STEP_NORMED:
    return model->arch->norm == ATTN_NORM_BEFORE;
  case ATTN_STEP_RESULT:
    return model->arch->norm == ATTN_NORM_AFTER;
  default:
    return step < ATTN_N_STEPS;
  }
}

static bool
has_role (const AttnModel *model, AttnRole role)
{
  return model->arch->roles[role].need != ATTN_NEED_NEVER;
}

AttnStepFamily
attn_steps_get_family (const AttnModel *model)
{
  return (AttnStepFamily){
      .has_positions = has_role (model, ATTN_ROLE_POSITIONS) && !model->config->no_positions,
      .has_types = has_role (model, ATTN_ROLE_TYPES) && model->config->n_types > 0,
      .is_normed = has_role (model, ATTN_ROLE_EMBED_NORM_GAIN),
      .is_causal = model->arch->causal,
  };
}

bool
attn_step_is_of_head (AttnStep step)
{
  return step >= ATTN_STEP_HEAD_QUERIES && step <= ATTN_STEP_CONTRIBUTION &&
         step != ATTN_STEP_CONCAT;
}

const AttnLayerWeights *
attn_steps_peek_weights (const AttnTrace *trace, size_t layer)
{
  const AttnModel *model = trace->model;
  return &model->weights.layers[attn_config_get_weight_layer (model->config, layer)];
}

AttnStep
attn_steps_get_projected (const AttnTrace *trace)
{
  return trace->model->arch->norm == ATTN_NORM_BEFORE ? ATTN_STEP_NORMED : ATTN_STEP_INPUT;
}

AttnMatrix *
attn_matrix_new (size_t n_rows, size_t n_columns, GError **error)
{
  size_t n = 0;
  float *values = NULL;
  if (g_size_checked_mul (&n, n_rows, n_columns))
    values = g_try_new (float, n);
  if (values == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory for a matrix of %zu × %zu",
                 n_rows, n_columns);
    return NULL;
  }
  AttnMatrix *matrix = g_new (AttnMatrix, 1);
  *matrix = (AttnMatrix){n_rows, n_columns, values};
  return matrix;
}

void
attn_matrix_free (AttnMatrix *matrix)
{
  if (matrix == NULL)
    return;
  g_free (matrix->values);
  g_free (matrix);
}

/* What is asked for. */
typedef struct {
  const AttnTrace *trace;
  size_t layer, head;
  size_t T, D, d_k;
} Place;

/* Columns [first, first + matrix width) of a tap. */
static void
copy_tap (const Place *place, AttnTap tap, size_t first, AttnMatrix *matrix)
{
  size_t stride;
  const float *rows = attn_trace_peek_tap (place->trace, tap, place->layer, &stride) + first;
  for (size_t t = 0; t < matrix->n_rows; t++)
    memcpy (matrix->values + t * matrix->n_columns, rows + t * stride,
            matrix->n_columns * sizeof (float));
}

static void
norm_rows (const Place *place, const float *x, AttnMatrix *matrix)
{
  const AttnNormWeights *norm = &attn_steps_peek_weights (place->trace, place->layer)->attn_norm;
  if (norm->gain == NULL) /* ModernBERT's first layer has none */
    memmove (matrix->values, x, place->T * place->D * sizeof *x);
  else
    attn_ops_layer_norm (matrix->values, x, norm->gain, norm->bias, place->T, place->D,
                         place->trace->model->config->layer_norm_eps);
}

/* weights · V of one head, into columns of a wider matrix. */
static bool
mix_values (const Place *place, size_t head, float *out, size_t ldo, GError **error)
{
  AttnAttendCall call = {
      .score = attn_trace_get_score_call (place->trace, place->layer, head),
      .n_queries = place->T,
      .out = out,
      .ldo = ldo,
  };
  call.v = attn_trace_peek_tap (place->trace, ATTN_TAP_VALUE, place->layer, &call.ldv) +
           head * place->d_k;
  g_auto (AttnBlock) block = {0};
  const AttnCutter layout = {.used = attn_ops_attend_scratch_size (&call.score)};
  if (!attn_block_init (&block, &layout, "a head's scratch memory", false, error))
    return false;
  attn_ops_attend (&call, block.data);
  return true;
}

static bool
concat (const Place *place, AttnMatrix *matrix, GError **error)
{
  const size_t n_heads = place->D / place->d_k;
  for (size_t head = 0; head < n_heads; head++)
    if (!mix_values (place, head, matrix->values + head * place->d_k, place->D, error))
      return false;
  return true;
}

/* matrix = mixed Wᵀ + b, and X where @with_input. */
static void
project_out (const Place *place,
             const AttnLinear *out,
             const float *mixed,
             bool with_input,
             AttnMatrix *matrix)
{
  AttnLinearCall call = {
      .x = mixed,
      .ldx = place->D,
      .y = matrix->values,
      .ldy = place->D,
      .n_rows = place->T,
      .after = with_input ? ATTN_AFTER_ADD : ATTN_AFTER_NOTHING,
      .add = place->trace->hiddens[place->layer],
  };
  attn_linear_run (out, &call, NULL);
}

static bool
compute_output (const Place *place, AttnStep step, AttnMatrix *matrix, GError **error)
{
  g_autoptr (AttnMatrix) mixed = attn_matrix_new (place->T, place->D, error);
  if (mixed == NULL || !concat (place, mixed, error))
    return false;
  const AttnLinear *out = &attn_steps_peek_weights (place->trace, place->layer)->out;
  project_out (place, out, mixed->values, step != ATTN_STEP_OUTPUT, matrix);
  if (step == ATTN_STEP_RESULT)
    norm_rows (place, matrix->values, matrix);
  return true;
}

/* The other heads' columns are 0, and b_O is left out. */
static bool
compute_contribution (const Place *place, AttnMatrix *matrix, GError **error)
{
  g_autoptr (AttnMatrix) mixed = attn_matrix_new (place->T, place->D, error);
  if (mixed == NULL)
    return false;
  memset (mixed->values, 0, place->T * place->D * sizeof (float));
  if (!mix_values (place, place->head, mixed->values + place->head * place->d_k, place->D, error))
    return false;
  AttnLinear out = attn_steps_peek_weights (place->trace, place->layer)->out;
  out.bias = NULL;
  project_out (place, &out, mixed->values, false, matrix);
  return true;
}

static bool
fill (const Place *place, AttnStep step, AttnMatrix *matrix, GError **error)
{
  const size_t own = place->head * place->d_k;
  switch (step) {
  case ATTN_STEP_INPUT:
    copy_tap (place, ATTN_TAP_HIDDEN, 0, matrix);
    return true;
  case ATTN_STEP_NORMED:
    norm_rows (place, place->trace->hiddens[place->layer], matrix);
    return true;
  case ATTN_STEP_QUERIES:
  case ATTN_STEP_HEAD_QUERIES:
    copy_tap (place, ATTN_TAP_QUERY, step == ATTN_STEP_QUERIES ? 0 : own, matrix);
    return true;
  case ATTN_STEP_KEYS:
  case ATTN_STEP_HEAD_KEYS:
    copy_tap (place, ATTN_TAP_KEY, step == ATTN_STEP_KEYS ? 0 : own, matrix);
    return true;
  case ATTN_STEP_VALUES:
  case ATTN_STEP_HEAD_VALUES:
    copy_tap (place, ATTN_TAP_VALUE, step == ATTN_STEP_VALUES ? 0 : own, matrix);
    return true;
  case ATTN_STEP_SCORES:
    attn_trace_compute_scores (place->trace, place->layer, place->head, matrix->values);
    return true;
  case ATTN_STEP_WEIGHTS:
    attn_trace_compute_map (place->trace, place->layer, place->head, matrix->values);
    return true;
  case ATTN_STEP_HEAD_OUTPUT:
    return mix_values (place, place->head, matrix->values, place->d_k, error);
  case ATTN_STEP_CONCAT:
    return concat (place, matrix, error);
  case ATTN_STEP_CONTRIBUTION:
    return compute_contribution (place, matrix, error);
  case ATTN_STEP_OUTPUT:
  case ATTN_STEP_SUM:
  case ATTN_STEP_RESULT:
    return compute_output (place, step, matrix, error);
  case ATTN_N_STEPS:
    break;
  }
  g_return_val_if_reached (false);
}

static size_t
get_n_columns (const Place *place, AttnStep step)
{
  switch (step) {
  case ATTN_STEP_SCORES:
  case ATTN_STEP_WEIGHTS:
    return place->T;
  case ATTN_STEP_HEAD_QUERIES:
  case ATTN_STEP_HEAD_KEYS:
  case ATTN_STEP_HEAD_VALUES:
  case ATTN_STEP_HEAD_OUTPUT:
    return place->d_k;
  default:
    return place->D;
  }
}

AttnMatrix *
attn_step_compute (const AttnTrace *trace, AttnStep step, size_t layer, size_t head, GError **error)
{
  const AttnConfig *config = trace->model->config;
  g_return_val_if_fail (attn_step_is_there (trace->model, step), NULL);
  g_return_val_if_fail (layer < config->n_layers && head < config->n_heads, NULL);
  const Place place = {trace, layer, head, trace->n_tokens, config->d_model, config->d_k};
  g_autoptr (AttnMatrix) matrix = attn_matrix_new (place.T, get_n_columns (&place, step), error);
  if (matrix == NULL || !fill (&place, step, matrix, error))
    return NULL;
  return g_steal_pointer (&matrix);
}
