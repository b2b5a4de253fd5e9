/* SPDX-License-Identifier: MIT */
/* The arithmetic of one cell of a step: its terms, and what they give together. */
#include "config-private.h"
#include "distances.h"
#include "kernels.h"
#include "model-private.h"
#include "steps-private.h"

#include "attn/error.h"

#include <math.h>
#include <stdlib.h>

/* What is explained. */
typedef struct {
  const AttnTrace *trace;
  const AttnLayerWeights *weights;
  size_t layer, head, row, column;
  size_t D, d_k;
  AttnCell *cell; /* being written */
} Case;

void
attn_cell_free (AttnCell *cell)
{
  if (cell == NULL)
    return;
  g_free (cell->terms);
  g_free (cell);
}

static bool
make_terms (AttnCell *cell, size_t n, GError **error)
{
  cell->n_terms = n;
  cell->terms = g_try_new0 (AttnCellTerm, n);
  if (cell->terms != NULL)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory for %zu terms", n);
  return false;
}

static int
compare_terms (const void *a, const void *b)
{
  const AttnCellTerm *left = a, *right = b;
  const double x = fabs (left->product), y = fabs (right->product);
  if (x != y)
    return x > y ? -1 : 1;
  return left->index < right->index ? -1 : left->index > right->index;
}

/* Σ left · right; right is read with a stride. */
static bool
multiply (AttnCell *cell,
          const float *left,
          const float *right,
          size_t right_stride,
          size_t n,
          GError **error)
{
  if (!make_terms (cell, n, error))
    return false;
  for (size_t i = 0; i < n; i++) {
    AttnCellTerm *term = &cell->terms[i];
    *term = (AttnCellTerm){.index = i, .left = left[i], .right = right[i * right_stride]};
    term->product = (double)term->left * (double)term->right;
    cell->sum += term->product;
  }
  return true;
}

static AttnMatrix *
compute (const Case *self, AttnStep step, GError **error)
{
  return attn_step_compute (self->trace, step, self->layer, self->head, error);
}

static double
read_bias (const AttnLinear *linear, size_t out)
{
  return linear->bias != NULL ? (double)linear->bias[out] : 0;
}

/* left row · row @out of a matrix */
static bool
explain_linear (
    const Case *self, const AttnLinear *linear, size_t out, AttnStep from, GError **error)
{
  g_autoptr (AttnMatrix) left = compute (self, from, error);
  if (left == NULL)
    return false;
  g_autofree float *weights = g_new (float, linear->n_in);
  attn_linear_read_row (linear, out, weights);
  AttnCell *cell = self->cell;
  cell->left_step = from;
  cell->kind = ATTN_CELL_DOT;
  cell->bias = read_bias (linear, out);
  return multiply (cell, left->values + self->row * left->n_columns, weights, 1, linear->n_in,
                   error);
}

/* Q or K before it is turned, in double. */
static double
project (const AttnLinear *linear, size_t out, const float *x, float *scratch)
{
  attn_linear_read_row (linear, out, scratch);
  double sum = read_bias (linear, out);
  for (size_t i = 0; i < linear->n_in; i++)
    sum += (double)x[i] * (double)scratch[i];
  return sum;
}

static void
set_term (AttnCellTerm *term, size_t index, double left, double right)
{
  *term = (AttnCellTerm){index, (float)left, (float)right, left * right};
}

/* The element and its partner half a head away, as attn_rotation_apply() turns them. */
static bool
explain_rotated (const Case *self, size_t first_out, GError **error)
{
  const AttnConfig *config = self->trace->model->config;
  const AttnLinear *linear = &self->weights->qkv;
  const size_t d_k = self->d_k, half = d_k / 2, at = self->column % d_k;
  const bool low = at < half, local = config->local_layers && config->local_layers[self->layer];
  const size_t partner = low ? self->column + half : self->column - half;
  const AttnStep from = attn_steps_get_projected (self->trace);
  g_autoptr (AttnMatrix) x = compute (self, from, error);
  if (x == NULL || !make_terms (self->cell, 2, error))
    return false;
  g_autofree float *scratch = g_new (float, linear->n_in);
  g_autofree float *angles = g_new (float, (self->row + 1) * d_k);
  attn_rotation_fill (angles, self->row + 1, d_k,
                      local ? config->local_rope_theta : config->rope_theta);
  const float *turn = angles + self->row * d_k, *row = x->values + self->row * x->n_columns;
  const double sine = (double)turn[half + at % half];
  AttnCell *cell = self->cell;
  cell->kind = ATTN_CELL_ROTATED;
  cell->left_step = from;
  set_term (&cell->terms[0], self->column, project (linear, first_out + self->column, row, scratch),
            (double)turn[at % half]);
  set_term (&cell->terms[1], partner, project (linear, first_out + partner, row, scratch),
            low ? -sine : sine);
  cell->sum = cell->terms[0].product + cell->terms[1].product;
  return true;
}

/* A column of Q, K or V; @part is 0, 1 or 2. */
static bool
explain_projected (const Case *self, size_t part, GError **error)
{
  const bool turned = self->trace->model->arch->positions == ATTN_POSITION_ROTARY && part < 2;
  if (turned)
    return explain_rotated (self, part * self->D, error);
  return explain_linear (self, &self->weights->qkv, part * self->D + self->column,
                         attn_steps_get_projected (self->trace), error);
}

/* The cell is another step's. */
static bool
explain_copy (const Case *self, AttnStep from, size_t column, GError **error)
{
  AttnCell *cell = self->cell;
  if (!make_terms (cell, 1, error))
    return false;
  cell->kind = ATTN_CELL_COPIED;
  cell->left_step = from;
  set_term (&cell->terms[0], column, (double)cell->value, 1);
  cell->sum = cell->terms[0].product;
  return true;
}

/* x · a row of a packed matrix of distances, [rows/panel][d_k][panel]. */
static double
meet_distance (const float *packed, size_t row, const float *x, size_t d_k)
{
  const size_t panel = attn_kernels_get ()->panel;
  const float *from = packed + row / panel * panel * d_k + row % panel;
  double sum = 0;
  for (size_t i = 0; i < d_k; i++)
    sum += (double)x[i] * (double)from[i * panel];
  return sum;
}

static bool
explain_score (const Case *self, GError **error)
{
  const AttnScoreCall call = attn_trace_get_score_call (self->trace, self->layer, self->head);
  const size_t query = self->row, key = self->column;
  const float *q = call.q + query * call.ldq, *k = call.k + key * call.ldk;
  AttnCell *cell = self->cell;
  size_t first, end;
  attn_ops_get_visible (&call, query, &first, &end);
  cell->kind = key < first || key >= end ? ATTN_CELL_HIDDEN : ATTN_CELL_DOT;
  if (cell->kind == ATTN_CELL_HIDDEN)
    return true;
  cell->left_step = ATTN_STEP_HEAD_QUERIES;
  cell->scale = (double)call.scale;
  if (call.bias != NULL)
    cell->bias = (double)call.bias[key + call.n_tokens - 1 - query];
  if (call.terms.rows != NULL) {
    const size_t row = (size_t)call.terms.rows[query + call.n_tokens - 1 - key];
    if (call.terms.keys != NULL)
      cell->added += meet_distance (call.terms.keys, row, q, call.d_k);
    if (call.terms.queries != NULL)
      cell->added += meet_distance (call.terms.queries, row, k, call.d_k);
  }
  return multiply (cell, q, k, 1, call.d_k, error);
}

static bool
explain_weight (const Case *self, GError **error)
{
  AttnCell *cell = self->cell;
  size_t first, end;
  attn_trace_get_visible (self->trace, self->layer, self->row, &first, &end);
  if (self->column < first || self->column >= end) {
    cell->kind = ATTN_CELL_HIDDEN;
    return true;
  }
  g_autoptr (AttnMatrix) scores = compute (self, ATTN_STEP_SCORES, error);
  if (scores == NULL || !make_terms (cell, end - first, error))
    return false;
  cell->kind = ATTN_CELL_SOFTMAX;
  cell->left_step = ATTN_STEP_SCORES;
  const float *row = scores->values + self->row * scores->n_columns;
  double largest = -INFINITY;
  for (size_t key = first; key < end; key++)
    largest = fmax (largest, (double)row[key]);
  for (size_t key = first; key < end; key++) {
    const double power = exp ((double)row[key] - largest);
    cell->terms[key - first] = (AttnCellTerm){key, row[key], (float)power, power};
    cell->sum += power;
  }
  for (size_t i = 0; i < cell->n_terms; i++)
    cell->terms[i].product /= cell->sum;
  cell->bias = largest;
  cell->result = cell->terms[self->column - first].product;
  return true;
}

static bool
explain_mixed (const Case *self, GError **error)
{
  g_autoptr (AttnMatrix) weights = compute (self, ATTN_STEP_WEIGHTS, error);
  if (weights == NULL)
    return false;
  size_t stride;
  const float *values = attn_trace_peek_tap (self->trace, ATTN_TAP_VALUE, self->layer, &stride) +
                        self->head * self->d_k + self->column;
  self->cell->kind = ATTN_CELL_DOT;
  self->cell->left_step = ATTN_STEP_WEIGHTS;
  return multiply (self->cell, weights->values + self->row * weights->n_columns, values, stride,
                   weights->n_columns, error);
}

/* The head's columns of W_O alone. */
static bool
explain_contribution (const Case *self, GError **error)
{
  g_autoptr (AttnMatrix) own = compute (self, ATTN_STEP_HEAD_OUTPUT, error);
  if (own == NULL)
    return false;
  const AttnLinear *out = &self->weights->out;
  g_autofree float *weights = g_new (float, out->n_in);
  attn_linear_read_row (out, self->column, weights);
  self->cell->kind = ATTN_CELL_DOT;
  self->cell->left_step = ATTN_STEP_HEAD_OUTPUT;
  return multiply (self->cell, own->values + self->row * self->d_k,
                   weights + self->head * self->d_k, 1, self->d_k, error);
}

static bool
explain_sum (const Case *self, GError **error)
{
  g_autoptr (AttnMatrix) output = compute (self, ATTN_STEP_OUTPUT, error);
  if (output == NULL || !make_terms (self->cell, 2, error))
    return false;
  AttnCell *cell = self->cell;
  const size_t at = self->row * self->D + self->column;
  cell->kind = ATTN_CELL_ADDED;
  cell->left_step = ATTN_STEP_INPUT;
  set_term (&cell->terms[0], self->column, (double)self->trace->hiddens[self->layer][at], 1);
  set_term (&cell->terms[1], self->column, (double)output->values[at], 1);
  cell->sum = cell->terms[0].product + cell->terms[1].product;
  return true;
}

static bool
explain_norm (const Case *self, AttnStep from, GError **error)
{
  const AttnNormWeights *norm = &self->weights->attn_norm;
  if (norm->gain == NULL)
    return explain_copy (self, from, self->column, error);
  g_autoptr (AttnMatrix) x = compute (self, from, error);
  if (x == NULL || !make_terms (self->cell, 1, error))
    return false;
  AttnCell *cell = self->cell;
  const float *row = x->values + self->row * self->D;
  double sum = 0, squares = 0;
  for (size_t i = 0; i < self->D; i++)
    sum += (double)row[i];
  cell->mean = sum / (double)self->D;
  for (size_t i = 0; i < self->D; i++)
    squares += ((double)row[i] - cell->mean) * ((double)row[i] - cell->mean);
  cell->kind = ATTN_CELL_NORMED;
  cell->left_step = from;
  cell->deviation = sqrt (squares / (double)self->D + self->trace->model->config->layer_norm_eps);
  cell->gain = (double)norm->gain[self->column];
  cell->bias = norm->bias != NULL ? (double)norm->bias[self->column] : 0;
  set_term (&cell->terms[0], self->column, (double)row[self->column], 1);
  cell->sum = cell->terms[0].product;
  return true;
}

static bool
explain (const Case *self, AttnStep step, GError **error)
{
  const size_t own = self->head * self->d_k + self->column;
  switch (step) {
  case ATTN_STEP_INPUT:
    return true;
  case ATTN_STEP_NORMED:
    return explain_norm (self, ATTN_STEP_INPUT, error);
  case ATTN_STEP_QUERIES:
  case ATTN_STEP_KEYS:
  case ATTN_STEP_VALUES:
    return explain_projected (self, step - ATTN_STEP_QUERIES, error);
  case ATTN_STEP_HEAD_QUERIES:
  case ATTN_STEP_HEAD_KEYS:
  case ATTN_STEP_HEAD_VALUES:
    return explain_copy (self, step - ATTN_STEP_HEAD_QUERIES + ATTN_STEP_QUERIES, own, error);
  case ATTN_STEP_SCORES:
    return explain_score (self, error);
  case ATTN_STEP_WEIGHTS:
    return explain_weight (self, error);
  case ATTN_STEP_HEAD_OUTPUT:
    return explain_mixed (self, error);
  case ATTN_STEP_CONCAT: /* of the head whose column it is */
    return explain_copy (self, ATTN_STEP_HEAD_OUTPUT, self->column % self->d_k, error);
  case ATTN_STEP_CONTRIBUTION:
    return explain_contribution (self, error);
  case ATTN_STEP_OUTPUT:
    return explain_linear (self, &self->weights->out, self->column, ATTN_STEP_CONCAT, error);
  case ATTN_STEP_SUM:
    return explain_sum (self, error);
  case ATTN_STEP_RESULT:
    return explain_norm (self, ATTN_STEP_SUM, error);
  case ATTN_N_STEPS:
    break;
  }
  g_return_val_if_reached (false);
}

/* What the terms give, by the kind of arithmetic. */
static double
conclude (const AttnCell *cell)
{
  switch (cell->kind) {
  case ATTN_CELL_GIVEN:
  case ATTN_CELL_HIDDEN:
    return (double)cell->value; /* -∞ as a score, 0 as a weight */
  case ATTN_CELL_SOFTMAX:
    return cell->result;
  case ATTN_CELL_NORMED:
    return (cell->sum - cell->mean) / cell->deviation * cell->gain + cell->bias;
  case ATTN_CELL_COPIED:
  case ATTN_CELL_DOT:
  case ATTN_CELL_ROTATED:
  case ATTN_CELL_ADDED:
    return cell->scale * (cell->sum + cell->added) + cell->bias;
  }
  g_return_val_if_reached (NAN);
}

AttnCell *
attn_cell_explain (const AttnTrace *trace,
                   AttnStep step,
                   size_t layer,
                   size_t head,
                   size_t row,
                   size_t column,
                   GError **error)
{
  g_autoptr (AttnMatrix) matrix = attn_step_compute (trace, step, layer, head, error);
  if (matrix == NULL)
    return NULL;
  g_return_val_if_fail (row < matrix->n_rows && column < matrix->n_columns, NULL);
  const AttnConfig *config = trace->model->config;
  g_autoptr (AttnCell) cell = g_new0 (AttnCell, 1);
  cell->row = row;
  cell->column = column;
  cell->scale = 1;
  cell->value = matrix->values[row * matrix->n_columns + column];
  const Case self = {trace,
                     attn_steps_peek_weights (trace, layer),
                     layer,
                     head,
                     row,
                     column,
                     config->d_model,
                     config->d_k,
                     cell};
  if (!explain (&self, step, error))
    return NULL;
  cell->result = conclude (cell);
  if (cell->n_terms > 1)
    qsort (cell->terms, cell->n_terms, sizeof *cell->terms, compare_terms);
  return g_steal_pointer (&cell);
}
