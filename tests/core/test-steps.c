/* SPDX-License-Identifier: MIT */
/* The steps of attention: every cell is what its arithmetic gives, in every family, and one model's
 * whole way beside plain loops over the numbers in its file. */
#include "config-private.h"
#include "model-private.h"
#include "test-util.h"
#include "trace-private.h"

#include "attn/run.h"
#include "attn/source.h"
#include "attn/steps.h"

#include <math.h>
#include <string.h>

/* Sums of hundreds of products in single precision, beside double: relative to the terms' size. */
#define TOLERANCE 1e-5

#define N_IDS 13

static AttnTrace *
run_ids (AttnModel *model)
{
  g_autoptr (GError) error = NULL;
  int32_t ids[N_IDS];
  for (size_t i = 0; i < N_IDS; i++)
    ids[i] = (int32_t)((7 + 31 * i) % attn_model_peek_config (model)->vocab_size);
  AttnTrace *trace = attn_model_run_ids (model, ids, NULL, N_IDS, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

static AttnMatrix *
compute (const AttnTrace *trace, AttnStep step, size_t layer, size_t head)
{
  g_autoptr (GError) error = NULL;
  AttnMatrix *matrix = attn_step_compute (trace, step, layer, head, &error);
  g_assert_no_error (error);
  return matrix;
}

static void
check_order (const AttnCell *cell)
{
  for (size_t i = 1; i < cell->n_terms; i++)
    g_assert_cmpfloat (fabs (cell->terms[i].product), <=, fabs (cell->terms[i - 1].product));
}

/* The terms alone, as a reader would add them up from the screen. */
static void
check_sum (const AttnCell *cell)
{
  double sum = 0, size = 1;
  for (size_t i = 0; i < cell->n_terms; i++) {
    sum += cell->kind == ATTN_CELL_SOFTMAX ? (double)cell->terms[i].right : cell->terms[i].product;
    size += fabs (cell->terms[i].product);
  }
  g_assert_cmpfloat_with_epsilon (sum, cell->sum, TOLERANCE * size);
}

static void
check_cell (const AttnTrace *trace,
            AttnStep step,
            size_t layer,
            size_t head,
            const AttnMatrix *of,
            size_t row,
            size_t column)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnCell) cell = attn_cell_explain (trace, step, layer, head, row, column, &error);
  g_assert_no_error (error);
  g_assert_true (
      memcmp (&cell->value, &of->values[row * of->n_columns + column], sizeof cell->value) == 0);
  if (isinf (cell->value)) {
    g_assert_cmpint (cell->kind, ==, ATTN_CELL_HIDDEN);
    return;
  }
  double size = 1 + fabs (cell->bias);
  for (size_t i = 0; i < cell->n_terms; i++)
    size += fabs (cell->terms[i].product) * cell->scale;
  if (fabs (cell->result - (double)cell->value) > TOLERANCE * size)
    g_error ("%s, layer %zu, head %zu, [%zu, %zu]: %.9g, and the arithmetic gives %.9g",
             attn_step_peek_name (step), layer, head, row, column, (double)cell->value,
             cell->result);
  check_order (cell);
  check_sum (cell);
}

static void
check_step (const AttnTrace *trace, AttnStep step, size_t layer, size_t head)
{
  g_autoptr (AttnMatrix) matrix = compute (trace, step, layer, head);
  const size_t n = matrix->n_columns;
  g_assert_cmpuint (matrix->n_rows, ==, N_IDS);
  for (size_t row = 0; row < N_IDS; row += 3)
    for (size_t i = 0; i < 4; i++)
      check_cell (trace, step, layer, head, matrix, row, (row + i * (n / 4 + 1)) % n);
}

/* W_O of the heads side by side is the sum of what each head gives, and b_O. */
static void
check_contributions (const AttnTrace *trace, size_t layer)
{
  const AttnConfig *config = attn_model_peek_config (attn_trace_peek_model (trace));
  const size_t n = N_IDS * config->d_model;
  const size_t own = attn_config_get_weight_layer (config, layer);
  const float *bias = trace->model->weights.layers[own].out.bias;
  g_autofree double *sums = g_new0 (double, n);
  g_autofree double *sizes = g_new0 (double, n);
  for (size_t head = 0; head < config->n_heads; head++) {
    g_autoptr (AttnMatrix) part = compute (trace, ATTN_STEP_CONTRIBUTION, layer, head);
    for (size_t i = 0; i < n; i++) {
      sums[i] += (double)part->values[i];
      sizes[i] += fabs ((double)part->values[i]);
    }
  }
  g_autoptr (AttnMatrix) output = compute (trace, ATTN_STEP_OUTPUT, layer, 0);
  for (size_t i = 0; i < n; i++) {
    const double wanted = sums[i] + (bias != NULL ? (double)bias[i % config->d_model] : 0);
    g_assert_cmpfloat_with_epsilon ((double)output->values[i], wanted, TOLERANCE * (1 + sizes[i]));
  }
}

static void
test_family (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path (data);
  g_autoptr (AttnModel) model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnTrace) trace = run_ids (model);
  const AttnConfig *config = attn_model_peek_config (model);
  const size_t last = config->n_layers - 1;
  for (AttnStep step = 0; step < ATTN_N_STEPS; step++)
    for (size_t layer = 0; attn_step_is_there (model, step) && layer <= last;
         layer += MAX (last, 1))
      check_step (trace, step, layer, (step + layer) % config->n_heads);
  check_contributions (trace, 0);
}

/* The shipped model, read from its file by names, and its first layer in plain loops. */
typedef struct {
  AttnSource *source;
  size_t T, D, d_k;
} Plain;

static float *
read_tensor (const Plain *plain, const char *name, size_t n)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *full = g_strconcat ("bert.encoder.layer.0.attention.", name, NULL);
  const AttnTensorInfo *tensor = attn_source_find (plain->source, full);
  g_assert_nonnull (tensor);
  g_assert_cmpuint (tensor->n_elements, ==, n);
  float *values = g_new (float, n);
  attn_source_read_f32 (plain->source, tensor, 0, n, values, &error);
  g_assert_no_error (error);
  return values;
}

/* x Wᵀ + b */
static double *
apply (const Plain *plain, const double *x, const char *name)
{
  const size_t D = plain->D;
  g_autofree char *weight = g_strconcat (name, ".weight", NULL);
  g_autofree char *bias = g_strconcat (name, ".bias", NULL);
  g_autofree float *W = read_tensor (plain, weight, D * D);
  g_autofree float *b = read_tensor (plain, bias, D);
  double *y = g_new (double, plain->T *D);
  for (size_t t = 0; t < plain->T; t++)
    for (size_t out = 0; out < D; out++) {
      double sum = (double)b[out];
      for (size_t in = 0; in < D; in++)
        sum += x[t * D + in] * (double)W[out * D + in];
      y[t * D + out] = sum;
    }
  return y;
}

/* One head: scores, their softmax and the mixed values, into their places. */
static void
attend (const Plain *plain,
        size_t head,
        const double *const qkv[3],
        double *scores,
        double *weights,
        double *concat)
{
  const size_t T = plain->T, D = plain->D, d_k = plain->d_k, first = head * d_k;
  for (size_t q = 0; q < T; q++) {
    double total = 0;
    for (size_t k = 0; k < T; k++) {
      double dot = 0;
      for (size_t i = first; i < first + d_k; i++)
        dot += qkv[0][q * D + i] * qkv[1][k * D + i];
      scores[q * T + k] = dot / sqrt ((double)d_k);
      total += exp (scores[q * T + k]);
    }
    for (size_t k = 0; k < T; k++)
      weights[q * T + k] = exp (scores[q * T + k]) / total;
    for (size_t i = first; i < first + d_k; i++) {
      concat[q * D + i] = 0;
      for (size_t k = 0; k < T; k++)
        concat[q * D + i] += weights[q * T + k] * qkv[2][k * D + i];
    }
  }
}

static void
norm (const Plain *plain, double *x, double eps)
{
  const size_t D = plain->D;
  g_autofree float *gain = read_tensor (plain, "output.LayerNorm.weight", D);
  g_autofree float *bias = read_tensor (plain, "output.LayerNorm.bias", D);
  for (double *row = x; row < x + plain->T * D; row += D) {
    double mean = 0, variance = 0;
    for (size_t i = 0; i < D; i++)
      mean += row[i] / (double)D;
    for (size_t i = 0; i < D; i++)
      variance += (row[i] - mean) * (row[i] - mean) / (double)D;
    for (size_t i = 0; i < D; i++)
      row[i] = (row[i] - mean) / sqrt (variance + eps) * (double)gain[i] + (double)bias[i];
  }
}

static void
compare (const AttnTrace *trace, AttnStep step, size_t head, const double *wanted, size_t stride)
{
  g_autoptr (AttnMatrix) matrix = compute (trace, step, 0, head);
  for (size_t row = 0; row < matrix->n_rows; row++)
    for (size_t i = 0; i < matrix->n_columns; i++) {
      const double value = (double)matrix->values[row * matrix->n_columns + i];
      const double by_loops = wanted[row * stride + i];
      if (fabs (value - by_loops) > TOLERANCE * (1 + fabs (by_loops)))
        g_error ("%s, head %zu, [%zu, %zu]: %.9g, plain loops give %.9g",
                 attn_step_peek_name (step), head, row, i, value, by_loops);
    }
}

static void
compare_heads (const Plain *plain,
               const AttnTrace *trace,
               const double *const qkv[3],
               double *concat)
{
  const size_t T = plain->T, D = plain->D, d_k = plain->d_k;
  g_autofree double *scores = g_new (double, T *T);
  g_autofree double *weights = g_new (double, T *T);
  for (size_t head = 0; head < D / d_k; head++) {
    attend (plain, head, qkv, scores, weights, concat);
    compare (trace, ATTN_STEP_HEAD_QUERIES, head, qkv[0] + head * d_k, D);
    compare (trace, ATTN_STEP_HEAD_KEYS, head, qkv[1] + head * d_k, D);
    compare (trace, ATTN_STEP_HEAD_VALUES, head, qkv[2] + head * d_k, D);
    compare (trace, ATTN_STEP_SCORES, head, scores, T);
    compare (trace, ATTN_STEP_WEIGHTS, head, weights, T);
    compare (trace, ATTN_STEP_HEAD_OUTPUT, head, concat + head * d_k, D);
  }
}

static void
test_plain_loops (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (g_getenv ("HEADSCOPE_DATA_DIR"), "demo-model", NULL);
  g_autoptr (AttnModel) model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnSource) source = attn_source_open (folder, &error);
  g_assert_no_error (error);
  g_autoptr (AttnTrace) trace = run_ids (model);
  const AttnConfig *config = attn_model_peek_config (model);
  const Plain plain = {source, N_IDS, config->d_model, config->d_k};
  g_autoptr (AttnMatrix) input = compute (trace, ATTN_STEP_INPUT, 0, 0);
  const size_t n = plain.T * plain.D;
  g_autofree double *x = g_new (double, n);
  for (size_t i = 0; i < n; i++)
    x[i] = (double)input->values[i];
  g_autofree double *q = apply (&plain, x, "self.query");
  g_autofree double *k = apply (&plain, x, "self.key");
  g_autofree double *v = apply (&plain, x, "self.value");
  const double *const qkv[] = {q, k, v};
  for (size_t i = 0; i < 3; i++)
    compare (trace, ATTN_STEP_QUERIES + i, 0, qkv[i], plain.D);
  g_autofree double *concat = g_new (double, n);
  compare_heads (&plain, trace, qkv, concat);
  compare (trace, ATTN_STEP_CONCAT, 0, concat, plain.D);
  g_autofree double *sum = apply (&plain, concat, "output.dense");
  compare (trace, ATTN_STEP_OUTPUT, 0, sum, plain.D);
  for (size_t i = 0; i < n; i++)
    sum[i] += x[i];
  compare (trace, ATTN_STEP_SUM, 0, sum, plain.D);
  norm (&plain, sum, config->layer_norm_eps);
  compare (trace, ATTN_STEP_RESULT, 0, sum, plain.D);
}

/* Without the bias, which two rows of Q have in common: (x_i - x_j) W_Q = q_i - q_j, and likewise K
 * and V; and W_O. */
static void
test_factors (void)
{
  static const struct {
    AttnFactor factor;
    AttnStep from, to;
  } products[] = {
      {ATTN_FACTOR_QUERIES, ATTN_STEP_INPUT, ATTN_STEP_QUERIES},
      {ATTN_FACTOR_KEYS, ATTN_STEP_INPUT, ATTN_STEP_KEYS},
      {ATTN_FACTOR_VALUES, ATTN_STEP_INPUT, ATTN_STEP_VALUES},
      {ATTN_FACTOR_OUTPUT, ATTN_STEP_CONCAT, ATTN_STEP_OUTPUT},
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (g_getenv ("HEADSCOPE_DATA_DIR"), "demo-model", NULL);
  g_autoptr (AttnModel) model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnTrace) trace = run_ids (model);
  const size_t D = attn_model_peek_config (model)->d_model;
  for (size_t i = 0; i < G_N_ELEMENTS (products); i++) {
    g_autoptr (AttnMatrix) from = compute (trace, products[i].from, 1, 0);
    g_autoptr (AttnMatrix) to = compute (trace, products[i].to, 1, 0);
    g_autoptr (AttnMatrix) factor = attn_step_compute_factor (trace, products[i].factor, 1, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (factor->n_rows, ==, D);
    g_assert_cmpuint (factor->n_columns, ==, D);
    for (size_t column = 0; column < D; column += 5) {
      double sum = 0, size = 0;
      for (size_t k = 0; k < D; k++) {
        const double product = (double)(from->values[D + k] - from->values[k]) *
                               (double)factor->values[k * D + column];
        sum += product;
        size += fabs (product);
      }
      /* f32 sums of D terms in another order */
      g_assert_cmpfloat_with_epsilon (sum, (double)(to->values[D + column] - to->values[column]),
                                      TOLERANCE * (1 + size));
    }
  }
}

static void
test_names (void)
{
  for (AttnStep step = 0; step < ATTN_N_STEPS; step++)
    g_assert_cmpint (attn_step_find (attn_step_peek_name (step)), ==, step);
  g_assert_cmpint (attn_step_find ("softmaxes"), ==, ATTN_N_STEPS);
}

/* As their papers and reference programs have them. */
static void
test_families (void)
{
  static const struct {
    const char *folder;
    AttnStepFamily family;
  } cases[] = {
      {"golden/models/bert", {true, true, true, false}},
      {"golden/models/roberta-mlm", {true, true, true, false}},
      {"golden/models/distilbert-mlm", {true, false, true, false}},
      {"golden/models/mpnet", {true, false, true, false}},
      {"golden/models/deberta-v2", {false, false, true, false}},
      {"golden/models/modernbert", {false, false, true, false}},
      {"golden/models/gpt2", {true, false, false, true}},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = test_data_path (cases[i].folder);
    g_autoptr (AttnModel) model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
    const AttnStepFamily got = attn_steps_get_family (model), want = cases[i].family;
    g_test_message ("%s", cases[i].folder);
    g_assert_cmpint (got.has_positions, ==, want.has_positions);
    g_assert_cmpint (got.has_types, ==, want.has_types);
    g_assert_cmpint (got.is_normed, ==, want.is_normed);
    g_assert_cmpint (got.is_causal, ==, want.is_causal);
  }
}

int
main (int argc, char **argv)
{
  static const char *const folders[] = {
      "golden/models/albert-mlm",
      "golden/models/bert",
      "golden/models/deberta-v2",
      "golden/models/distilbert-mlm",
      "golden/models/electra-discriminator",
      "golden/models/gpt2",
      "golden/models/modernbert",
      "golden/models/mpnet",
      "golden/models/roberta-mlm",
      "golden/models/xlm-roberta",
      "family-variants/deberta-c2p",
      "family-variants/deberta-p2c",
      "family-variants/deberta-own-projections",
      "family-variants/gpt2-scales",
      "family-variants/modernbert-biases",
  };
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autofree char *path = g_strconcat ("/steps/", folders[i], NULL);
    g_test_add_data_func (path, folders[i], test_family);
  }
  g_test_add_func ("/steps/plain-loops", test_plain_loops);
  g_test_add_func ("/steps/factors", test_factors);
  g_test_add_func ("/steps/family", test_families);
  g_test_add_func ("/steps/names", test_names);
  return g_test_run ();
}
