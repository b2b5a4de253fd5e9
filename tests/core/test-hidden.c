/* SPDX-License-Identifier: MIT */
/* Hidden states: the logit lens against the reference, contributions against the same way walked
 * forward, principal components against Jacobi's rotations of the whole matrix. */
#include "layer-tail.h"
#include "model-private.h"
#include "ops-backward.h"
#include "ops.h"
#include "reference.h"
#include "steps-private.h"
#include "test-util.h"
#include "text-run.h"

#include "attn/error.h"
#include "attn/hidden.h"
#include "attn/tokenizer.h"

#include <math.h>
#include <string.h>

#define TEXT "the old cat watched the river"
#define POSITION 3
#define TOKEN 42

static void
test_golden (gconstpointer language)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("golden/metrics");
  g_autoptr (Reference) reference = reference_load_named (folder, "metrics");
  json_t *about = json_object_get (reference_peek_json (reference), language);
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnTokens) tokens =
      test_text_encode (model, json_string_value (json_object_get (about, "text")), NULL);
  size_t n, shape[8];
  g_autofree int32_t *masks =
      reference_dup_integers (json_object_get (about, "mask_positions"), &n);
  g_autofree size_t *positions = g_new (size_t, n);
  for (size_t i = 0; i < n; i++)
    positions[i] = (size_t)masks[i];
  g_autoptr (AttnTokens) masked =
      attn_tokenizer_mask_tokens (attn_model_peek_tokenizer (model), tokens, positions, n, &error);
  g_autoptr (AttnTrace) trace = test_tokens_run (model, masked);
  g_autofree char *name = g_strconcat (language, ".lens_logits", NULL);
  g_autofree float *wanted = reference_dup_named (reference, name, shape);
  const size_t L = model->config->n_layers, V = model->config->vocab_size;
  g_assert_cmpuint (shape[0], ==, L + 1);
  g_autofree float *logits = g_new (float, n *V);
  for (size_t layer = 0; layer <= L; layer++) {
    g_assert_true (attn_hidden_compute_logits (trace, layer, positions, n, logits, NULL, &error));
    for (size_t i = 0; i < n * V; i++) { /* the reference states 1e-4 */
      const double right = (double)wanted[layer * n * V + i];
      g_assert_cmpfloat_with_epsilon ((double)logits[i], right, 1e-4 * fmax (1, fabs (right)));
    }
  }
}

/* Before the last layer's end the final norm comes in between; after it, it has been. */
static void
test_final_norm (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/gpt2");
  g_autoptr (AttnTrace) trace = test_text_run (model, TEXT, NULL);
  const size_t V = model->config->vocab_size, D = model->config->d_model;
  const size_t L = model->config->n_layers, position = 1;
  g_autofree float *logits = g_new (float, V), *row = g_new (float, D);
  for (size_t layer = 0; layer <= L; layer += L) {
    memcpy (row, trace->hiddens[layer] + position * D, D * sizeof *row);
    if (layer == 0)
      attn_ops_layer_norm (row, row, model->weights.final_norm.gain, model->weights.final_norm.bias,
                           1, D, model->config->layer_norm_eps);
    g_assert_true (attn_hidden_compute_logits (trace, layer, &position, 1, logits, NULL, &error));
    for (size_t word = 0; word < V; word++) {
      double sum = 0;
      for (size_t i = 0; i < D; i++)
        sum += (double)model->weights.decoder[word * D + i] * (double)row[i];
      g_assert_cmpfloat_with_epsilon ((double)logits[word], sum, 1e-4);
    }
  }
}

/* y = (y - mean y) · gain / deviation of x: what a norm does to a part of its input. */
static void
carry_norm (double *y, const double *x, const AttnNormWeights *norm, size_t n, double eps)
{
  double mean_x = 0, mean_y = 0, variance = 0;
  if (norm->gain == NULL)
    return;
  for (size_t i = 0; i < n; i++) {
    mean_x += x[i] / (double)n;
    mean_y += y[i] / (double)n;
  }
  for (size_t i = 0; i < n; i++)
    variance += (x[i] - mean_x) * (x[i] - mean_x) / (double)n;
  for (size_t i = 0; i < n; i++)
    y[i] = (y[i] - mean_y) * (double)norm->gain[i] / sqrt (variance + eps);
}

static void
widen (double *to, const float *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (double)from[i];
}

/* [D] what one head adds at POSITION. */
static double *
dup_part (const AttnTrace *trace, size_t layer, size_t head)
{
  g_autoptr (GError) error = NULL;
  const size_t D = trace->model->config->d_model;
  g_autoptr (AttnMatrix) part =
      attn_step_compute (trace, ATTN_STEP_CONTRIBUTION, layer, head, &error);
  double *values = g_new (double, D);
  widen (values, part->values + POSITION * D, D);
  return values;
}

/* A part goes forward through the norms of its own and of later layers. */
static void
carry (const AttnTrace *trace, size_t first, double *part)
{
  g_autoptr (GError) error = NULL;
  const AttnConfig *config = trace->model->config;
  const size_t D = config->d_model, position = POSITION;
  const bool after = trace->model->arch->norm == ATTN_NORM_AFTER;
  g_autofree float *row = g_new (float, D), *out = g_new (float, D), *before = g_new (float, D);
  g_autofree double *x = g_new (double, D);
  for (size_t layer = first; after && layer < config->n_layers; layer++) {
    const AttnLayerWeights *w = attn_steps_peek_weights (trace, layer);
    g_autoptr (AttnMatrix) sum = attn_step_compute (trace, ATTN_STEP_SUM, layer, 0, &error);
    widen (x, sum->values + POSITION * D, D);
    carry_norm (part, x, &w->attn_norm, D, config->layer_norm_eps);
    g_auto (AttnLayerTail) tail = {0};
    g_assert_true (attn_layer_tail_init (&tail, trace, layer, 1, NULL, &error));
    tail.before = before;
    memcpy (row, sum->values + POSITION * D, D * sizeof *row);
    attn_layer_tail_run (&tail, row, &position, 1, out);
    widen (x, before, D);
    carry_norm (part, x, &w->ffn_norm, D, config->layer_norm_eps);
  }
  widen (x, trace->last + POSITION * D, D);
  carry_norm (part, x, &trace->model->weights.final_norm, D, config->layer_norm_eps);
}

/* What TOKEN's logit gains by a small change of the last hidden state. */
static double
carry_head (const AttnTrace *trace, const double *part)
{
  const AttnWeights *w = &trace->model->weights;
  const AttnConfig *config = trace->model->config;
  const size_t D = config->d_model;
  const float *hidden = trace->hiddens[config->n_layers] + POSITION * D;
  double sum = 0;
  if (w->head_dense.panels == NULL) {
    for (size_t i = 0; i < D; i++)
      sum += (double)w->decoder[TOKEN * D + i] * part[i];
    return sum;
  }
  const size_t E = w->head_dense.n_out;
  g_autofree float *row = g_new (float, D), *active = g_new (float, E), *slope = g_new (float, E);
  g_autofree double *y = g_new (double, E), *x = g_new (double, E);
  for (size_t i = 0; i < E; i++) {
    double z = w->head_dense.bias != NULL ? (double)w->head_dense.bias[i] : 0;
    attn_linear_read_row (&w->head_dense, i, row);
    y[i] = 0;
    for (size_t k = 0; k < D; k++) {
      z += (double)row[k] * (double)hidden[k];
      y[i] += (double)row[k] * part[k];
    }
    active[i] = (float)z;
    slope[i] = 1;
  }
  attn_backward_activate (config->head_activation, slope, active, slope, E);
  attn_ops_activate (config->head_activation, active, E);
  for (size_t i = 0; i < E; i++)
    y[i] *= (double)slope[i];
  widen (x, active, E);
  carry_norm (y, x, &w->head_norm, E, config->layer_norm_eps);
  for (size_t i = 0; i < E; i++)
    sum += (double)w->decoder[TOKEN * E + i] * y[i];
  return sum;
}

/* Every head's part walked forward; single precision on the way back. */
static void
test_contributions (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load (data);
  g_autoptr (AttnTrace) trace = test_text_run (model, TEXT, NULL);
  g_autoptr (AttnContributions) found =
      attn_contributions_new (trace, POSITION, TOKEN, NULL, &error);
  g_assert_no_error (error);
  const size_t D = model->config->d_model, H = found->n_heads;
  double largest = 0, sum = found->embedding + found->rest;
  for (size_t i = 0; i < found->n_layers * H; i++) {
    g_autofree double *part = dup_part (trace, i / H, i % H);
    carry (trace, i / H, part);
    const double wanted = carry_head (trace, part);
    g_assert_cmpfloat_with_epsilon (found->heads[i], wanted, 2e-5 * fmax (1, fabs (wanted)));
    largest = fmax (largest, fabs (wanted));
    sum += found->heads[i];
  }
  g_assert_cmpfloat (largest, >, 1e-2);
  g_autofree double *input = g_new (double, D);
  widen (input, trace->hiddens[0] + POSITION * D, D);
  carry (trace, 0, input);
  g_assert_cmpfloat_with_epsilon (found->embedding, carry_head (trace, input), 1e-4);
  for (size_t layer = 0; layer < found->n_layers; layer++)
    sum += found->feed_forward[layer];
  g_assert_cmpfloat_with_epsilon (sum, found->logit, 1e-9);
}

/* Without norms and activations in between nothing but biases is left over. */
static void
test_sum (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/gpt2");
  g_autoptr (AttnTrace) trace = test_text_run (model, TEXT, NULL);
  g_autoptr (AttnContributions) found =
      attn_contributions_new (trace, POSITION, TOKEN, NULL, &error);
  g_assert_no_error (error);
  const size_t D = model->config->d_model;
  g_autofree double *bias = g_new0 (double, D);
  for (size_t layer = 0; layer < found->n_layers; layer++)
    for (size_t i = 0; i < D; i++)
      bias[i] += (double)attn_steps_peek_weights (trace, layer)->out.bias[i];
  carry (trace, found->n_layers, bias);
  double wanted = carry_head (trace, bias);
  for (size_t i = 0; i < D; i++)
    wanted +=
        (double)model->weights.decoder[TOKEN * D + i] * (double)model->weights.final_norm.bias[i];
  g_assert_cmpfloat_with_epsilon (found->rest, wanted, 1e-4);
}

static void
test_refused (void)
{
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnModel) headless = test_model_load ("golden/models/sentence-transformers");
  g_autoptr (AttnTrace) trace = test_text_run (model, TEXT, NULL);
  g_autoptr (AttnTrace) vector = test_text_run (headless, TEXT, NULL);
  GError *error = NULL;
  g_assert_null (attn_contributions_new (vector, 0, 0, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_null (attn_contributions_new (trace, 99, 0, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (attn_contributions_new (trace, 0, 1 << 20, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_clear_error (&error);
  float logit;
  const size_t beyond = 99;
  g_assert_false (attn_hidden_compute_logits (trace, 0, &beyond, 1, &logit, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_clear_error (&error);
}

/* Jacobi: turns @matrix [n, n] until it is diagonal; @vectors [n, n] get its axes as rows. */
static void
diagonalise (double *matrix, double *vectors, size_t n)
{
  for (size_t i = 0; i < n * n; i++)
    vectors[i] = i / n == i % n ? 1 : 0;
  for (int sweep = 0; sweep < 60; sweep++)
    for (size_t p = 0; p < n; p++)
      for (size_t q = p + 1; q < n; q++) {
        const double angle =
            atan2 (2 * matrix[p * n + q], matrix[p * n + p] - matrix[q * n + q]) / 2;
        const double c = cos (angle), s = sin (angle);
        for (size_t k = 0; k < n; k++) {
          const double a = matrix[k * n + p], b = matrix[k * n + q];
          matrix[k * n + p] = c * a + s * b;
          matrix[k * n + q] = c * b - s * a;
        }
        for (size_t k = 0; k < n; k++) {
          const double a = matrix[p * n + k], b = matrix[q * n + k];
          matrix[p * n + k] = c * a + s * b;
          matrix[q * n + k] = c * b - s * a;
          const double u = vectors[p * n + k], v = vectors[q * n + k];
          vectors[p * n + k] = c * u + s * v;
          vectors[q * n + k] = c * v - s * u;
        }
      }
}

/* [N, D] all states, centred. */
static double *
dup_states (const AttnTrace *trace)
{
  const size_t L = trace->model->config->n_layers, D = trace->model->config->d_model;
  const size_t n = trace->n_tokens * D, N = (L + 1) * trace->n_tokens;
  double *states = g_new (double, (L + 1) * n);
  for (size_t l = 0; l <= L; l++)
    widen (states + l * n, l < L ? trace->hiddens[l] : trace->last, n);
  for (size_t k = 0; k < D; k++) {
    double mean = 0;
    for (size_t i = 0; i < N; i++)
      mean += states[i * D + k] / (double)N;
    for (size_t i = 0; i < N; i++)
      states[i * D + k] -= mean;
  }
  return states;
}

static void
test_places (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load (data);
  g_autoptr (AttnTrace) trace = test_text_run (model, TEXT, NULL);
  const size_t D = model->config->d_model, N = (model->config->n_layers + 1) * trace->n_tokens;
  g_autofree double *places = g_new (double, 2 * N), *states = dup_states (trace);
  g_autofree double *matrix = g_new0 (double, D *D), *axes = g_new (double, D *D);
  double shares[2], trace_of = 0;
  g_assert_true (attn_hidden_compute_places (trace, places, shares, &error));
  for (size_t i = 0; i < N; i++)
    for (size_t a = 0; a < D; a++)
      for (size_t b = 0; b < D; b++)
        matrix[a * D + b] += states[i * D + a] * states[i * D + b];
  diagonalise (matrix, axes, D);
  for (size_t a = 0; a < D; a++)
    trace_of += matrix[a * D + a];
  for (size_t at = 0; at < 2; at++) {
    size_t best = 0, loading = 0;
    for (size_t a = 0; a < D; a++)
      best = matrix[a * D + a] > matrix[best * D + best] ? a : best;
    for (size_t k = 0; k < D; k++)
      loading = fabs (axes[best * D + k]) > fabs (axes[best * D + loading]) ? k : loading;
    const double sign = axes[best * D + loading] < 0 ? -1 : 1;
    const double size = sqrt (matrix[best * D + best]);
    g_assert_cmpfloat_with_epsilon (shares[at], matrix[best * D + best] / trace_of, 1e-9);
    for (size_t i = 0; i < N; i++) {
      double wanted = 0;
      for (size_t k = 0; k < D; k++)
        wanted += sign * axes[best * D + k] * states[i * D + k];
      g_assert_cmpfloat_with_epsilon (places[2 * i + at], wanted, 1e-7 * size);
    }
    matrix[best * D + best] = -1;
  }
  g_assert_cmpfloat (shares[0], >=, shares[1]);
}

/* Of states that are no numbers nobody knows the places. */
static void
test_nan_places (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnTrace) trace = test_text_run (model, TEXT, NULL);
  const size_t n = 2 * (model->config->n_layers + 1) * trace->n_tokens;
  g_autofree double *places = g_new (double, n);
  double shares[2];
  trace->hiddens[1][3] = NAN;
  g_assert_true (attn_hidden_compute_places (trace, places, shares, &error));
  for (size_t i = 0; i < n; i++)
    g_assert_true (isnan (places[i]));
  g_assert_true (isnan (shares[0]) && isnan (shares[1]));
}

static void
add (const char *test, const char *name, GTestDataFunc func)
{
  g_autofree char *path = g_strconcat ("/hidden/", test, "/", name, NULL);
  g_test_add_data_func_full (path, g_strconcat ("golden/models/", name, NULL), func, g_free);
}

int
main (int argc, char **argv)
{
  static const char *const with_head[] = {
      "bert-mlm",   "distilbert-mlm", "roberta-mlm", "albert-mlm",
      "deberta-v2", "mpnet",          "modernbert",  "gpt2"};
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/hidden/logits/golden/en", "en", test_golden);
  g_test_add_data_func ("/hidden/logits/golden/zh", "zh", test_golden);
  g_test_add_func ("/hidden/logits/final-norm", test_final_norm);
  for (size_t i = 0; i < G_N_ELEMENTS (with_head); i++)
    add ("contributions", with_head[i], test_contributions);
  g_test_add_func ("/hidden/contributions/sum", test_sum);
  g_test_add_func ("/hidden/refused", test_refused);
  g_test_add_func ("/hidden/places/nan", test_nan_places);
  add ("places", "bert-mlm", test_places);
  add ("places", "gpt2", test_places);
  add ("places", "sentence-transformers", test_places);
  return g_test_run ();
}
