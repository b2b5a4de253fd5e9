/* SPDX-License-Identifier: MIT */
/* Lenses of heads and layers: against the reference, against plain loops in every family, gradients
 * against finite differences. */
#include "layer-tail.h"
#include "model-private.h"
#include "ops.h"
#include "parts.h"
#include "predict.h"
#include "reference.h"
#include "steps-private.h"
#include "test-util.h"
#include "text-run.h"

#include "attn/importance.h"
#include "attn/lens.h"
#include "attn/run.h"
#include "attn/tokenizer.h"

#include <math.h>
#include <string.h>

#define TEXT "the old cat watched the river"

static AttnModel *
load (const char *folder_below)
{
  if (!g_str_has_prefix (folder_below, "family-variants/")) /* no tokenizers there */
    return test_model_load (folder_below);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path (folder_below);
  AttnModel *model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return model;
}

static AttnTrace *
run (AttnModel *model, const char *text)
{
  static const int32_t ids[] = {5, 6, 7, 8, 9, 10, 11};
  if (attn_model_peek_tokenizer (model) != NULL)
    return test_text_run (model, text, NULL);
  g_autoptr (GError) error = NULL;
  AttnTrace *trace = attn_model_run_ids (model, ids, NULL, G_N_ELEMENTS (ids), NULL, &error);
  g_assert_no_error (error);
  return trace;
}

static AttnMaps *
look (AttnLens lens, AttnTrace *trace, const AttnTarget *target)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) raw = attn_maps_new_from_trace (trace);
  AttnMaps *maps = attn_lens_new_maps (lens, raw, &(AttnLensOptions){.target = target}, &error);
  g_assert_no_error (error);
  return maps;
}

static float *
dup_weights (AttnMaps *maps, size_t layer, size_t head)
{
  g_autoptr (GError) error = NULL;
  const size_t T = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  float *weights = g_new (float, T *T);
  attn_maps_compute (maps, layer, head, weights, &error);
  g_assert_no_error (error);
  return weights;
}

static double
get_length (const double *x, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt (sum);
}

/* [T, T, D] p_ij by plain loops over W_O as it is stored; of one head, or of all with G_MAXSIZE. */
static double *
dup_plain_parts (const AttnTrace *trace, size_t layer, size_t only)
{
  const AttnConfig *config = trace->model->config;
  const size_t T = trace->n_tokens, D = config->d_model, d_k = config->d_k;
  const AttnLinear *out = &attn_steps_peek_weights (trace, layer)->out;
  size_t stride;
  const float *v = attn_trace_peek_tap (trace, ATTN_TAP_VALUE, layer, &stride);
  double *parts = g_new0 (double, T *T *D);
  g_autofree float *map = g_new (float, T *T), *row = g_new (float, D);
  for (size_t head = 0; head < config->n_heads; head++) {
    if (only != G_MAXSIZE && only != head)
      continue;
    attn_trace_compute_map (trace, layer, head, map);
    for (size_t at = 0; at < D; at++) {
      attn_linear_read_row (out, at, row);
      for (size_t j = 0; j < T; j++) {
        double f = 0;
        for (size_t i = 0; i < d_k; i++)
          f += (double)row[head * d_k + i] * (double)v[j * stride + head * d_k + i];
        for (size_t i = 0; i < T; i++)
          parts[(i * T + j) * D + at] += (double)map[i * T + j] * f;
      }
    }
  }
  return parts;
}

/* Numbers of some size from single precision: relative to 1 or to what is larger. */
static void
compare (const float *values, const double *wanted, size_t n, double tolerance)
{
  for (size_t i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon ((double)values[i], wanted[i],
                                    tolerance * fmax (1, fabs (wanted[i])));
}

static void
test_norms (gconstpointer data)
{
  g_autoptr (AttnModel) model = load (data);
  g_autoptr (AttnTrace) trace = run (model, TEXT);
  const size_t T = trace->n_tokens, D = model->config->d_model, H = model->config->n_heads;
  const size_t layer = model->config->n_layers - 1;
  g_autofree double *wanted = g_new (double, T *T);
  for (size_t head = 0; head <= H; head++) {
    const bool all = head == H;
    g_autoptr (AttnMaps) maps = look (all ? ATTN_LENS_NORM_LAYER : ATTN_LENS_NORM, trace, NULL);
    g_assert_cmpuint (attn_maps_get_n_heads (maps), ==, all ? 1 : H);
    g_autofree double *parts = dup_plain_parts (trace, layer, all ? G_MAXSIZE : head);
    g_autofree float *weights = dup_weights (maps, layer, all ? 0 : head);
    for (size_t i = 0; i < T * T; i++)
      wanted[i] = get_length (parts + i * D, D);
    compare (weights, wanted, T * T, 2e-5);
  }
}

/* g (y) = (y - mean) · gain / deviation, with the deviation of the very sum. */
static void
norm_part (double *y, const float *gain, double deviation, size_t n)
{
  double mean = 0;
  for (size_t i = 0; i < n; i++)
    mean += y[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    y[i] = (y[i] - mean) * (double)gain[i] / deviation;
}

static double
compute_plain_ratio (
    const AttnTrace *trace, size_t layer, const double *parts, size_t query, bool normed)
{
  const size_t T = trace->n_tokens, D = trace->model->config->d_model;
  const AttnLayerWeights *w = attn_steps_peek_weights (trace, layer);
  g_autofree double *own = g_new (double, D), *others = g_new0 (double, D);
  double mean = 0, variance = 0;
  for (size_t i = 0; i < D; i++) {
    own[i] = parts[(query * T + query) * D + i] + (double)trace->hiddens[layer][query * D + i];
    for (size_t key = 0; key < T; key++)
      others[i] += key == query ? 0 : parts[(query * T + key) * D + i];
  }
  for (size_t i = 0; i < D; i++)
    mean += (own[i] + others[i] + (double)w->out.bias[i]) / (double)D;
  for (size_t i = 0; i < D; i++)
    variance += pow (own[i] + others[i] + (double)w->out.bias[i] - mean, 2) / (double)D;
  const double deviation = sqrt (variance + trace->model->config->layer_norm_eps);
  if (normed) {
    norm_part (own, w->attn_norm.gain, deviation, D);
    norm_part (others, w->attn_norm.gain, deviation, D);
  }
  return get_length (others, D) / (get_length (others, D) + get_length (own, D));
}

static void
test_mixing (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load (data);
  g_autoptr (AttnTrace) trace = run (model, TEXT);
  const size_t T = trace->n_tokens, layer = model->config->n_layers - 1;
  g_autofree double *ratios = g_new (double, T);
  g_autofree double *parts = dup_plain_parts (trace, layer, G_MAXSIZE);
  for (int normed = 0; normed < 2; normed++) {
    g_assert_true (attn_lens_compute_mixing (trace, layer, normed == 1, ratios, &error));
    for (size_t t = 0; t < T; t++)
      g_assert_cmpfloat_with_epsilon (
          ratios[t], compute_plain_ratio (trace, layer, parts, t, normed == 1), 1e-6);
  }
  g_autoptr (AttnMaps) maps = look (ATTN_LENS_MIXING, trace, NULL);
  g_autofree float *weights = dup_weights (maps, layer, 0);
  for (size_t t = 0; t < T; t++) {
    double sum = 0;
    for (size_t key = 0; key < T; key++)
      sum += (double)weights[t * T + key];
    g_assert_cmpfloat_with_epsilon (1 - (double)weights[t * T + t], ratios[t], 1e-6);
    g_assert_cmpfloat_with_epsilon (sum, 1, 1e-6);
  }
}

/* [T, D] what enters the rest of a layer: x + Σ_(j ≠ without) a_ij v_j W_O + b_O. */
static float *
dup_attended (const AttnTrace *trace, size_t layer, size_t without)
{
  const AttnConfig *config = trace->model->config;
  const size_t T = trace->n_tokens, D = config->d_model, d_k = config->d_k;
  size_t stride;
  const float *v = attn_trace_peek_tap (trace, ATTN_TAP_VALUE, layer, &stride);
  g_autofree float *map = g_new (float, T *T), *mixed = g_new (float, T *D);
  for (size_t head = 0; head < config->n_heads; head++) {
    attn_trace_compute_map (trace, layer, head, map);
    for (size_t t = 0; t < T; t++)
      for (size_t i = head * d_k; i < (head + 1) * d_k; i++) {
        double sum = 0;
        for (size_t key = 0; key < T; key++)
          sum += key == without ? 0 : (double)map[t * T + key] * (double)v[key * stride + i];
        mixed[t * D + i] = (float)sum;
      }
  }
  float *attended = g_new (float, T *D);
  const AttnLinearCall call = {
      .x = mixed,
      .ldx = D,
      .y = attended,
      .ldy = D,
      .n_rows = T,
      .after = ATTN_AFTER_ADD,
      .add = trace->hiddens[layer],
  };
  attn_linear_run (&attn_steps_peek_weights (trace, layer)->out, &call, NULL);
  return attended;
}

static float *
dup_output (const AttnTrace *trace, size_t layer, size_t without)
{
  g_autoptr (GError) error = NULL;
  const size_t T = trace->n_tokens;
  g_auto (AttnLayerTail) tail = {0};
  g_autofree float *attended = dup_attended (trace, layer, without);
  g_autofree size_t *tokens = g_new (size_t, T);
  for (size_t t = 0; t < T; t++)
    tokens[t] = t;
  attn_layer_tail_init (&tail, trace, layer, T, NULL, &error);
  g_assert_no_error (error);
  float *out = g_new (float, T * trace->model->config->d_model);
  attn_layer_tail_run (&tail, attended, tokens, T, out);
  return out;
}

/* The rest of every layer gives what the run gave. */
static void
test_tail (gconstpointer data)
{
  g_autoptr (AttnModel) model = load (data);
  g_autoptr (AttnTrace) trace = run (model, TEXT);
  const size_t L = model->config->n_layers, n = trace->n_tokens * model->config->d_model;
  for (size_t layer = 0; layer < L; layer++) {
    const float *ran = layer + 1 < L ? trace->hiddens[layer + 1] : trace->last;
    g_autofree float *out = dup_output (trace, layer, G_MAXSIZE);
    for (size_t i = 0; i < n; i++)
      g_assert_cmpfloat_with_epsilon ((double)out[i], (double)ran[i],
                                      2e-5 * fmax (1, fabs ((double)ran[i])));
  }
}

static double
compute_cosine (const float *a, const float *b, size_t n)
{
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < n; i++) {
    ab += (double)a[i] * (double)b[i];
    aa += (double)a[i] * (double)a[i];
    bb += (double)b[i] * (double)b[i];
  }
  return ab / sqrt (aa * bb);
}

/* Each value taken away before it is mixed, by plain loops; all layers, since the first and the
 * last are special in some families. Cosines near 1 have an error of some 1e-7 here. */
static void
test_zeroing (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load (data);
  g_autoptr (AttnTrace) trace = run (model, TEXT);
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  const size_t T = trace->n_tokens, D = model->config->d_model;
  g_autofree float *raw = g_new (float, T *T);
  double largest = 0;
  for (size_t layer = 0; layer < model->config->n_layers; layer++) {
    g_assert_true (attn_lens_compute_zeroing (trace, layer, pool, raw, &error));
    g_autofree float *clean = dup_output (trace, layer, G_MAXSIZE);
    for (size_t key = 0; key < T; key++) {
      g_autofree float *changed = dup_output (trace, layer, key);
      for (size_t query = 0; query < T; query++) {
        const double wanted = 1 - compute_cosine (changed + query * D, clean + query * D, D);
        g_assert_cmpfloat_with_epsilon ((double)raw[query * T + key], wanted, 2e-6);
        largest = fmax (largest, wanted);
      }
    }
  }
  g_assert_cmpfloat (largest, >, 1e-3);
}

/* What the loss would be if a cell of the last layer were (1 + step) times as large. */
static double
compute_loss_at (const AttnTrace *trace,
                 const AttnTarget *target,
                 const float *attended,
                 const double *moved,
                 size_t query,
                 double step)
{
  g_autoptr (GError) error = NULL;
  const AttnModel *model = trace->model;
  const size_t T = trace->n_tokens, D = model->config->d_model, L = model->config->n_layers;
  g_autoptr (AttnTrace) changed = NULL;
  const AttnRunInput input = {.ids = trace->ids, .n_tokens = T};
  g_assert_true (attn_model_run_batch (trace->model, &input, 1, NULL, &changed, &error));
  g_autofree float *rows = g_memdup2 (attended, T * D * sizeof *rows);
  g_autofree float *out = g_new (float, T *D);
  g_autofree size_t *tokens = g_new (size_t, T);
  for (size_t t = 0; t < T; t++)
    tokens[t] = t;
  for (size_t i = 0; i < D; i++)
    rows[query * D + i] += (float)(step * moved[i]);
  g_auto (AttnLayerTail) tail = {0};
  g_assert_true (attn_layer_tail_init (&tail, trace, L - 1, T, NULL, &error));
  attn_layer_tail_run (&tail, rows, tokens, T, out);
  if (model->weights.final_norm.gain != NULL)
    attn_ops_layer_norm (out, out, model->weights.final_norm.gain, model->weights.final_norm.bias,
                         T, D, model->config->layer_norm_eps);
  memcpy (changed->hiddens[L], out, T * D * sizeof *out);
  double loss;
  g_assert_true (attn_target_compute_losses (target, &changed, 1, NULL, &loss, &error));
  return loss;
}

/* Single cells of the last layer by central differences of fourth order; a loss of some 10 nats
 * errs by 2e-6, so its differences over steps of 1/4 by 1e-5. */
static void
test_gradient_cells (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load (data);
  g_autoptr (AttnTrace) trace = run (model, TEXT);
  g_autoptr (AttnTarget) target = attn_lens_new_target (trace, NULL, &error);
  g_assert_no_error (error);
  const size_t T = trace->n_tokens, D = model->config->d_model, H = model->config->n_heads;
  const size_t layer = model->config->n_layers - 1;
  g_autoptr (AttnMaps) maps = look (ATTN_LENS_GRADIENT, trace, target);
  g_autofree float *attended = dup_attended (trace, layer, G_MAXSIZE);
  double largest = 0, worst = 0;
  for (size_t head = 0; head < H; head++) {
    g_autofree float *weights = dup_weights (maps, layer, head);
    g_autofree double *parts = dup_plain_parts (trace, layer, head);
    for (size_t cell = head; cell < T * T; cell += 7) {
      static const double at[] = {-0.5, -0.25, 0.25, 0.5};
      double losses[4];
      for (size_t i = 0; i < 4; i++)
        losses[i] = compute_loss_at (trace, target, attended, parts + cell * D, cell / T, at[i]);
      const double wanted = (8 * (losses[2] - losses[1]) - (losses[3] - losses[0])) / 3;
      largest = fmax (largest, fabs (wanted));
      worst = fmax (worst, fabs (wanted - (double)weights[cell]));
    }
  }
  g_test_message ("largest %.3g, worst difference %.2e", largest, worst);
  g_assert_cmpfloat (largest, >, 1e-2);
  g_assert_cmpfloat (worst, <, 2e-3 * fmax (largest, 0.05));
}

/* A head's output is linear in its weights, so the sum over a map is what its factor's gradient is;
 * of every layer. */
static void
test_gradient_sums (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load (data);
  static const size_t positions[] = {2, 4};
  g_autoptr (AttnTokens) tokens = test_text_encode (model, TEXT, NULL);
  const AttnTaskOptions masked = {.positions = positions, .n_positions = 2};
  g_autoptr (AttnTask) task =
      attn_task_new (model, tokens, model->arch->causal ? &(AttnTaskOptions){0} : &masked, &error);
  g_assert_no_error (error);
  g_autoptr (AttnImportance) importance =
      attn_importance_new (task, &(AttnImportanceOptions){0}, &error);
  g_autoptr (AttnMaps) maps = look (ATTN_LENS_GRADIENT, task->clean, task->targets[0]);
  const size_t T = attn_maps_get_n (maps, ATTN_SIDE_KEY), H = importance->n_heads;
  for (size_t i = 0; i < importance->n_layers * H; i++) {
    g_autofree float *weights = dup_weights (maps, i / H, i % H);
    double sum = 0;
    for (size_t cell = 0; cell < T * T; cell++)
      sum += (double)weights[cell];
    g_assert_cmpfloat_with_epsilon (sum, importance->gradient[i], 1e-5);
  }
}

/* Special keys get nothing, the others share what they had. */
static void
test_cells (void)
{
  g_autoptr (AttnModel) model = load ("golden/models/bert-mlm");
  g_autoptr (AttnTrace) trace = run (model, TEXT);
  const size_t T = trace->n_tokens;
  g_autoptr (AttnMaps) raw = attn_maps_new_from_trace (trace);
  g_autoptr (AttnMaps) own = look (ATTN_LENS_SPECIAL, trace, NULL);
  g_autoptr (AttnMaps) scores = look (ATTN_LENS_SCORES, trace, NULL);
  g_autofree float *a = dup_weights (raw, 1, 2), *b = dup_weights (own, 1, 2);
  g_autofree float *s = dup_weights (scores, 1, 2);
  for (size_t query = 0; query < T; query++) {
    const float *row = a + query * T;
    const double left = 1 - (double)row[0] - (double)row[T - 1];
    double sum = 0;
    g_assert_cmpfloat ((double)b[query * T], ==, 0);
    g_assert_cmpfloat ((double)b[query * T + T - 1], ==, 0);
    for (size_t key = 0; key < T; key++)
      sum += exp ((double)s[query * T + key]);
    for (size_t key = 0; key < T; key++) {
      if (key > 0 && key + 1 < T)
        g_assert_cmpfloat_with_epsilon ((double)b[query * T + key], (double)row[key] / left, 1e-5);
      g_assert_cmpfloat_with_epsilon (exp ((double)s[query * T + key]) / sum, (double)row[key],
                                      1e-6);
    }
  }
}

static void
test_reasons (void)
{
  g_autoptr (AttnModel) bert = load ("golden/models/bert-mlm");
  g_autoptr (AttnModel) gpt2 = load ("golden/models/gpt2");
  g_autoptr (AttnModel) deberta = load ("golden/models/deberta-v2");
  g_autoptr (AttnModel) headless = load ("golden/models/sentence-transformers");
  static const struct {
    AttnLens lens;
    int model; /* of the four above */
    size_t n_tokens;
    AttnLensReason reason;
  } cases[] = {
      {ATTN_LENS_MIXING, 0, 500, ATTN_LENS_FITS},
      {ATTN_LENS_MIXING, 1, 5, ATTN_LENS_NEEDS_NORM_AFTER},
      {ATTN_LENS_GRADIENT, 1, 5, ATTN_LENS_FITS},
      {ATTN_LENS_GRADIENT, 2, 5, ATTN_LENS_NEEDS_DOT_SCORES},
      {ATTN_LENS_GRADIENT, 3, 5, ATTN_LENS_NEEDS_HEAD},
      {ATTN_LENS_ZEROING, 2, 128, ATTN_LENS_FITS},
      {ATTN_LENS_ZEROING, 2, 129, ATTN_LENS_NEEDS_FEWER_TOKENS},
      {ATTN_LENS_FLOW, 0, 64, ATTN_LENS_FITS},
      {ATTN_LENS_FLOW, 0, 65, ATTN_LENS_NEEDS_FEWER_TOKENS},
      {ATTN_LENS_FLOW, 0, 0, ATTN_LENS_FITS},
      {ATTN_LENS_NORM, 1, 500, ATTN_LENS_FITS},
  };
  AttnModel *models[] = {bert, gpt2, deberta, headless};
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const AttnLensReason reason =
        attn_lens_get_model_reason (cases[i].lens, models[cases[i].model], cases[i].n_tokens);
    g_autofree char *why = attn_lens_dup_reason (cases[i].lens, reason);
    g_assert_cmpint (reason, ==, cases[i].reason);
    g_assert_true ((why == NULL) == (reason == ATTN_LENS_FITS));
  }
}

/* Heads that were scaled or are 0 are taken as they ran; of others nobody can tell. */
static void
test_gates (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load ("golden/models/bert-mlm");
  g_autoptr (AttnTrace) clean = run (model, TEXT);
  g_autoptr (AttnHeadGates) gates =
      attn_head_gates_new (model->config->n_layers, model->config->n_heads);
  gates->factors[0] = 0.5F;
  attn_head_gates_set (gates, 0, 1, ATTN_GATE_ZERO);
  g_autoptr (AttnTrace) changed = NULL;
  AttnRunInput input = {.ids = clean->ids, .n_tokens = clean->n_tokens, .gates = gates};
  g_assert_true (attn_model_run_batch (model, &input, 1, NULL, &changed, &error));
  g_autoptr (AttnMaps) before = look (ATTN_LENS_NORM, clean, NULL);
  g_autoptr (AttnMaps) after = look (ATTN_LENS_NORM, changed, NULL);
  for (size_t head = 0; head < 3; head++) {
    g_autofree float *a = dup_weights (before, 0, head), *b = dup_weights (after, 0, head);
    const double factor = head == 0 ? 0.5 : head == 1 ? 0 : 1;
    for (size_t i = 0; i < clean->n_tokens * clean->n_tokens; i++)
      g_assert_cmpfloat_with_epsilon ((double)b[i], factor * (double)a[i], 1e-6);
  }
  attn_head_gates_set (gates, 1, 1, ATTN_GATE_MEAN);
  g_autoptr (AttnTrace) mean = NULL;
  g_assert_true (attn_model_run_batch (model, &input, 1, NULL, &mean, &error));
  g_autoptr (AttnMaps) raw = attn_maps_new_from_trace (mean);
  g_assert_cmpint (attn_lens_get_reason (ATTN_LENS_NORM, raw), ==, ATTN_LENS_NEEDS_PLAIN_HEADS);
  g_assert_cmpint (attn_lens_get_reason (ATTN_LENS_ROLLOUT, raw), ==, ATTN_LENS_FITS);
}

static AttnTokens *
encode_golden (AttnModel *model, json_t *about, AttnTarget **target)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTokens) tokens =
      test_text_encode (model, json_string_value (json_object_get (about, "text")), NULL);
  size_t n;
  g_autofree int32_t *masks =
      reference_dup_integers (json_object_get (about, "mask_positions"), &n);
  g_autofree int32_t *labels = reference_dup_integers (json_object_get (about, "labels"), &n);
  g_autofree size_t *positions = g_new (size_t, n);
  for (size_t i = 0; i < n; i++)
    positions[i] = (size_t)masks[i];
  AttnTokens *masked =
      attn_tokenizer_mask_tokens (attn_model_peek_tokenizer (model), tokens, positions, n, &error);
  g_assert_no_error (error);
  g_autoptr (AttnTrace) trace = attn_model_run (model, masked, NULL, &error);
  *target = attn_target_new_labels (trace, positions, labels, n, &error);
  g_assert_no_error (error);
  return masked;
}

/* The reference states 1e-4, and 2e-5 for shares; more is seen to hold here. */
static void
compare_maps (AttnMaps *maps, const Reference *reference, const char *name, double tolerance)
{
  size_t shape[8];
  g_autofree float *wanted = reference_dup_named (reference, name, shape);
  const size_t H = attn_maps_get_n_heads (maps), T = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  g_assert_nonnull (wanted);
  for (size_t i = 0; i < attn_maps_get_n_layers (maps) * H; i++) {
    g_autofree float *weights = dup_weights (maps, i / H, i % H);
    for (size_t cell = 0; cell < T * T; cell++)
      g_assert_cmpfloat_with_epsilon ((double)weights[cell], (double)wanted[i * T * T + cell],
                                      tolerance);
  }
}

static void
compare_layers (const AttnTrace *trace, const Reference *reference, const char *language)
{
  g_autoptr (GError) error = NULL;
  const size_t T = trace->n_tokens;
  g_autofree char *residual = g_strconcat (language, ".mixing_ratio_residual", NULL);
  g_autofree char *both = g_strconcat (residual, "_layernorm", NULL);
  g_autofree char *zeroing = g_strconcat (language, ".value_zeroing_raw", NULL);
  g_autofree float *wanted[] = {reference_dup_named (reference, residual, NULL),
                                reference_dup_named (reference, both, NULL)};
  g_autofree float *wanted_raw = reference_dup_named (reference, zeroing, NULL);
  g_autofree float *raw = g_new (float, T *T);
  g_autofree double *ratios = g_new (double, T);
  for (size_t layer = 0; layer < trace->model->config->n_layers; layer++) {
    for (int normed = 0; normed < 2; normed++) {
      g_assert_true (attn_lens_compute_mixing (trace, layer, normed == 1, ratios, &error));
      for (size_t t = 0; t < T; t++)
        g_assert_cmpfloat_with_epsilon (ratios[t], (double)wanted[normed][layer * T + t], 1e-6);
    }
    g_assert_true (attn_lens_compute_zeroing (trace, layer, NULL, raw, &error));
    for (size_t i = 0; i < T * T; i++)
      g_assert_cmpfloat_with_epsilon ((double)raw[i], (double)wanted_raw[layer * T * T + i], 2e-6);
  }
  g_clear_pointer (&wanted[1], g_free); /* autofree sees the first alone */
}

static void
test_golden (gconstpointer language)
{
  static const struct {
    AttnLens lens;
    const char *name;
    double tolerance;
  } tables[] = {
      {ATTN_LENS_RAW, "attentions", 5e-6},
      {ATTN_LENS_NORM, "norm_alpha_f", 2e-5},
      {ATTN_LENS_NORM_LAYER, "norm_layer", 2e-5},
      {ATTN_LENS_ZEROING, "value_zeroing", 5e-6},
      {ATTN_LENS_ZEROING_ROLLOUT, "value_zeroing_rollout", 5e-6},
      {ATTN_LENS_ROLLOUT, "rollout", 5e-6},
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("golden/metrics");
  g_autoptr (Reference) reference = reference_load_named (folder, "metrics");
  g_autoptr (AttnModel) model = load ("golden/models/bert-mlm");
  g_autoptr (AttnTarget) target = NULL;
  g_autoptr (AttnTokens) tokens =
      encode_golden (model, json_object_get (reference_peek_json (reference), language), &target);
  g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++) {
    g_autofree char *name = g_strconcat (language, ".", tables[i].name, NULL);
    g_autoptr (AttnMaps) maps = look (tables[i].lens, trace, NULL);
    compare_maps (maps, reference, name, tables[i].tolerance);
  }
  compare_layers (trace, reference, language);
  g_autofree char *name = g_strconcat (language, ".importance_gradient", NULL);
  g_autofree float *wanted = reference_dup_named (reference, name, NULL);
  g_autoptr (AttnMaps) maps = look (ATTN_LENS_GRADIENT, trace, target);
  const size_t H = model->config->n_heads, T = trace->n_tokens;
  for (size_t i = 0; i < model->config->n_layers * H; i++) {
    g_autofree float *weights = dup_weights (maps, i / H, i % H);
    double sum = 0;
    for (size_t cell = 0; cell < T * T; cell++)
      sum += (double)weights[cell];
    g_assert_cmpfloat_with_epsilon (sum, (double)wanted[i], 1e-4);
  }
}

static void
add (const char *test, const char *folder, GTestDataFunc func)
{
  g_autofree char *path = g_strconcat ("/lens/", test, "/", strrchr (folder, '/') + 1, NULL);
  g_test_add_data_func (path, folder, func);
}

int
main (int argc, char **argv)
{
  static const char *const all[] = {
      "golden/models/bert-mlm",
      "golden/models/distilbert-mlm",
      "golden/models/roberta-mlm",
      "golden/models/xlm-roberta",
      "golden/models/albert-mlm",
      "golden/models/mpnet",
      "golden/models/electra-discriminator",
      "golden/models/deberta-v2",
      "golden/models/gpt2",
      "golden/models/modernbert",
      "family-variants/deberta-convolution",
  };
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++) {
    const bool before =
        g_str_has_suffix (all[i], "gpt2") || g_str_has_suffix (all[i], "modernbert");
    add ("tail", all[i], test_tail);
    add ("norms", all[i], test_norms);
    add ("zeroing", all[i], test_zeroing);
    if (!before)
      add ("mixing", all[i], test_mixing);
    if (strstr (all[i], "deberta") == NULL && strstr (all[i], "electra") == NULL)
      add ("gradient-sums", all[i], test_gradient_sums);
  }
  add ("gradient-cells", "golden/models/bert-mlm", test_gradient_cells);
  add ("gradient-cells", "golden/models/gpt2", test_gradient_cells);
  add ("gradient-cells", "golden/models/modernbert", test_gradient_cells);
  g_test_add_func ("/lens/cells", test_cells);
  g_test_add_func ("/lens/reasons", test_reasons);
  g_test_add_func ("/lens/gates", test_gates);
  g_test_add_data_func ("/lens/golden/en", "en", test_golden);
  g_test_add_data_func ("/lens/golden/zh", "zh", test_golden);
  return g_test_run ();
}
