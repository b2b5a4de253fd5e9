/* SPDX-License-Identifier: MIT */
/* Importance by gradients: against the reference, and against finite differences of the loss in
 * every family. */
#include "backward.h"
#include "model-private.h"
#include "reference.h"
#include "test-util.h"
#include "text-run.h"
#include "trace-private.h"

#include "attn/importance.h"
#include "attn/run.h"

#include <math.h>
#include <string.h>

#define TEXT "the old cat watched the river while we were reading about attention"

/* A task that every family with an LM head can have: two masks, or the next tokens. */
static AttnTask *
make_any (AttnModel *model)
{
  static const size_t positions[] = {2, 5};
  const AttnTaskOptions options = {.positions = positions, .n_positions = 2};
  return test_task_new (model, TEXT, model->arch->causal ? &(AttnTaskOptions){0} : &options);
}

static AttnImportance *
compute (const AttnTask *task, AttnPool *pool)
{
  g_autoptr (GError) error = NULL;
  AttnImportance *importance =
      attn_importance_new (task, &(AttnImportanceOptions){.pool = pool}, &error);
  g_assert_no_error (error);
  return importance;
}

static double
get_loss (const AttnTask *task, const AttnHeadGates *gates)
{
  g_autoptr (GError) error = NULL;
  double loss = 0;
  g_assert_true (attn_task_compute_loss (task, gates, false, NULL, &loss, NULL, &error));
  return loss;
}

/* dL/dξ of one head around its factor, of fourth order in the step. */
static double
differentiate (const AttnTask *task, AttnHeadGates *gates, size_t i)
{
  const float step = 0.03125F, factor = gates->factors[i];
  double losses[4];
  for (int at = 0; at < 4; at++) {
    gates->factors[i] = factor + step * (float)(at < 2 ? at - 2 : at - 1);
    losses[at] = get_loss (task, gates);
  }
  gates->factors[i] = factor;
  return (8 * (losses[2] - losses[1]) - (losses[3] - losses[0])) / (12 * (double)step);
}

/* A loss of some 10 nats from single precision errs by some 2e-6, so its difference over steps of
 * 1/32 by 1e-4; what the formula leaves out was seen to be up to 4e-4 of the largest gradient. A
 * wrong term errs by 1e-2 and more of it. */
static void
compare (const AttnTask *task, AttnHeadGates *gates, const double *gradients)
{
  const size_t n = gates->n_layers * gates->n_heads;
  double largest = 0, worst = 0;
  for (size_t i = 0; i < n; i++)
    largest = fmax (largest, fabs (gradients[i]));
  g_assert_cmpfloat (largest, >, 1e-2);
  for (size_t i = 0; i < n; i++)
    worst = fmax (worst, fabs (differentiate (task, gates, i) - gradients[i]));
  g_test_message ("largest gradient %.3g, worst difference %.2e", largest, worst);
  g_assert_cmpfloat (worst, <, 2e-3 * fmax (largest, 0.2));
}

/* ReLU is not among them: steps across its kinks tell nothing of its slope, which is tested with
 * the other operations. */
static void
test_differences (gconstpointer data)
{
  g_autoptr (AttnModel) model = test_model_load (data);
  g_autoptr (AttnTask) task = make_any (model);
  g_autoptr (AttnImportance) importance = compute (task, NULL);
  g_autoptr (AttnHeadGates) gates =
      attn_head_gates_new (model->config->n_layers, model->config->n_heads);
  compare (task, gates, importance->gradient);
}

static AttnTrace *
run_gated (const AttnTask *task, const AttnHeadGates *gates)
{
  g_autoptr (GError) error = NULL;
  AttnTrace *trace = NULL, *clean = task->clean;
  const AttnRunInput input = {.ids = clean->ids, .n_tokens = clean->n_tokens, .gates = gates};
  attn_model_run_batch (clean->model, &input, 1, NULL, &trace, &error);
  g_assert_no_error (error);
  return trace;
}

/* Around runs whose heads are scaled already, and one of them zero. */
static void
test_gated (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load (data);
  const size_t L = model->config->n_layers, H = model->config->n_heads, n = L * H;
  g_autoptr (AttnTask) task = make_any (model);
  g_autoptr (AttnHeadGates) gates = attn_head_gates_new (L, H);
  for (size_t i = 0; i < n; i++)
    gates->factors[i] = 0.5F + 0.25F * (float)(i % 4);
  gates->factors[n - 1] = 0;
  g_autoptr (AttnTrace) scaled = run_gated (task, gates);
  g_autofree double *gradients = g_new (double, n), *zeroed = g_new (double, n);
  const AttnBackwardOptions options = {0};
  g_assert_true (attn_backward_check (scaled, &error));
  g_assert_true (attn_backward (scaled, task->targets[0], &options, gradients, &error));
  compare (task, gates, gradients);
  gates->factors[n - 1] = 1;
  attn_head_gates_set (gates, L - 1, H - 1, ATTN_GATE_ZERO);
  g_autoptr (AttnTrace) zero = run_gated (task, gates);
  g_assert_true (attn_backward (zero, task->targets[0], &options, zeroed, &error));
  g_assert_cmpmem (zeroed, n * sizeof *zeroed, gradients, n * sizeof *gradients);
}

/* Absolute values before the mean over draws; each layer's 2-norm is 1. */
static void
test_draws (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  const size_t L = model->config->n_layers, H = model->config->n_heads, n = L * H;
  g_autoptr (AttnTask) task =
      test_task_new (model, TEXT, &(AttnTaskOptions){.n_draws = 3, .seed = 2});
  g_autoptr (AttnImportance) importance = compute (task, NULL);
  g_autofree double *signed_sum = g_new0 (double, n), *sum = g_new0 (double, n);
  g_autofree double *own = g_new (double, n);
  for (size_t draw = 0; draw < 3; draw++) {
    const AttnBackwardOptions options = {0};
    g_autoptr (AttnTrace) clean = attn_task_run_clean (task, draw, NULL, &error);
    g_assert_true (attn_backward (clean, task->targets[draw], &options, own, &error));
    for (size_t i = 0; i < n; i++) {
      signed_sum[i] += own[i];
      sum[i] += fabs (own[i]);
    }
  }
  size_t n_larger = 0;
  for (size_t i = 0; i < n; i++) {
    g_assert_cmpfloat_with_epsilon (importance->gradient[i], signed_sum[i] / 3, 1e-12);
    g_assert_cmpfloat_with_epsilon (importance->importance[i], sum[i] / 3, 1e-12);
    n_larger += importance->importance[i] > fabs (importance->gradient[i]) + 1e-6;
  }
  g_assert_cmpuint (n_larger, >, 0);
  for (size_t layer = 0; layer < L; layer++) {
    double squares = 0;
    for (size_t i = layer * H; i < (layer + 1) * H; i++)
      squares += importance->importance_l2[i] * importance->importance_l2[i];
    g_assert_cmpfloat_with_epsilon (squares, 1, 1e-12);
  }
}

static void
test_threads (void)
{
  g_autoptr (AttnModel) model = test_model_load ("golden/models/modernbert");
  const size_t n = model->config->n_layers * model->config->n_heads;
  g_autoptr (AttnTask) task = make_any (model);
  g_autoptr (AttnPool) pool = attn_pool_new (3);
  g_autoptr (AttnImportance) alone = compute (task, NULL);
  g_autoptr (AttnImportance) shared = compute (task, pool);
  g_assert_cmpmem (alone->gradient, n * sizeof (double), shared->gradient, n * sizeof (double));
}

static void
assert_refused (const AttnTask *task, const char *said)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_importance_new (task, &(AttnImportanceOptions){0}, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, said));
}

static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) deberta = test_model_load ("golden/models/deberta-v2");
  g_autoptr (AttnTask) of_deberta = make_any (deberta);
  assert_refused (of_deberta, "deberta-v2");
  g_autoptr (AttnModel) headless = test_model_load ("golden/models/sentence-transformers");
  g_autoptr (AttnTask) vector = test_task_new (headless, TEXT, &(AttnTaskOptions){0});
  assert_refused (vector, "needs a language-model head");
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnTask) task = make_any (model);
  g_autoptr (AttnHeadGates) gates =
      attn_head_gates_new (model->config->n_layers, model->config->n_heads);
  attn_head_gates_set (gates, 0, 0, ATTN_GATE_UNIFORM);
  g_autoptr (AttnTrace) uniform = run_gated (task, gates);
  g_assert_false (attn_backward_check (uniform, &error));
  g_assert_nonnull (strstr (error->message, "kept or zero"));
}

/* Never falling, and from 0 to 1. */
static bool
note_progress (double fraction, void *data)
{
  double *seen = data;
  g_assert_cmpfloat (fraction, >=, *seen);
  *seen = fraction;
  return true;
}

static bool
stop_half_way (double fraction, void *data G_GNUC_UNUSED)
{
  return fraction < 0.5;
}

static void
test_progress (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnTask) task =
      test_task_new (model, TEXT, &(AttnTaskOptions){.n_draws = 2, .seed = 1});
  double seen = 0;
  AttnImportanceOptions options = {.progress = note_progress, .progress_data = &seen};
  g_autoptr (AttnImportance) importance = attn_importance_new (task, &options, &error);
  g_assert_no_error (error);
  g_assert_nonnull (importance);
  g_assert_cmpfloat (seen, ==, 1);
  options.progress = stop_half_way;
  g_assert_null (attn_importance_new (task, &options, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
}

/* The reference's numbers are of double precision; the passes are of single: 2e-4 of 1 or of what
 * is larger. */
static void
compare_table (const Reference *reference,
               const char *language,
               const char *name,
               const double *values,
               size_t n)
{
  size_t shape[8];
  g_autofree char *full = g_strconcat (language, ".", name, NULL);
  g_autofree float *wanted = reference_dup_named (reference, full, shape);
  g_assert_nonnull (wanted);
  g_assert_cmpuint (shape[0] * shape[1], ==, n);
  for (size_t i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (values[i], (double)wanted[i],
                                    2e-4 * fmax (1, fabs ((double)wanted[i])));
}

static void
test_golden (gconstpointer language)
{
  g_autofree char *folder = test_data_path ("golden/metrics");
  g_autoptr (Reference) reference = reference_load_named (folder, "metrics");
  json_t *about = json_object_get (reference_peek_json (reference), language);
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  size_t n_masks;
  g_autofree int32_t *masks =
      reference_dup_integers (json_object_get (about, "mask_positions"), &n_masks);
  g_autofree size_t *positions = g_new (size_t, n_masks);
  for (size_t i = 0; i < n_masks; i++)
    positions[i] = (size_t)masks[i];
  const AttnTaskOptions options = {.positions = positions, .n_positions = n_masks};
  g_autoptr (AttnTask) task =
      test_task_new (model, json_string_value (json_object_get (about, "text")), &options);
  g_assert_cmpfloat_with_epsilon (task->loss, json_real_value (json_object_get (about, "loss")),
                                  2e-4);
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  g_autoptr (AttnImportance) importance = compute (task, pool);
  const size_t n = model->config->n_layers * model->config->n_heads;
  compare_table (reference, language, "importance_gradient", importance->gradient, n);
  compare_table (reference, language, "importance_raw", importance->importance, n);
  compare_table (reference, language, "importance_l2", importance->importance_l2, n);
}

int
main (int argc, char **argv)
{
  static const char *const families[] = {
      "bert-mlm",   "bert-gelu_new", "distilbert-mlm", "roberta-mlm", "xlm-roberta",
      "albert-mlm", "mpnet",         "gpt2",           "modernbert",
  };
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (families); i++) {
    g_autofree char *path = g_strconcat ("/importance/differences/", families[i], NULL);
    char *folder = g_strconcat ("golden/models/", families[i], NULL);
    g_test_add_data_func_full (path, folder, test_differences, g_free);
  }
  g_test_add_data_func ("/importance/gated/bert", "golden/models/bert-mlm", test_gated);
  g_test_add_data_func ("/importance/gated/gpt2", "golden/models/gpt2", test_gated);
  g_test_add_func ("/importance/draws", test_draws);
  g_test_add_func ("/importance/threads", test_threads);
  g_test_add_func ("/importance/refused", test_refused);
  g_test_add_func ("/importance/progress", test_progress);
  g_test_add_data_func ("/importance/golden/en", "en", test_golden);
  g_test_add_data_func ("/importance/golden/zh", "zh", test_golden);
  return g_test_run ();
}
