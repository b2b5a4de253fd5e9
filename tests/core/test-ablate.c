/* SPDX-License-Identifier: MIT */
/* Heads switched off: against the reference, and where the answer is known without one. */
#include "model-private.h"
#include "reference.h"
#include "test-util.h"
#include "trace-private.h"

#include "attn/ablate.h"
#include "attn/run.h"

#include <math.h>
#include <string.h>

static AttnModel *
load (const char *folder_below)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path (folder_below);
  AttnModel *model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return model;
}

static AttnTrace *
run_input (AttnModel *model, const AttnRunInput *input, size_t start_layer)
{
  g_autoptr (GError) error = NULL;
  const AttnRunOptions options = {.start_layer = start_layer};
  AttnTrace *trace = NULL;
  attn_model_run_batch (model, input, 1, &options, &trace, &error);
  g_assert_no_error (error);
  return trace;
}

#define T 9

static const int32_t ids[T] = {3, 20, 37, 11, 28, 5, 22, 39, 13};

static void
assert_same_end (const AttnTrace *a, const AttnTrace *b)
{
  const AttnConfig *config = a->model->config;
  const size_t n_bytes = a->n_tokens * config->d_model * sizeof (float);
  g_assert_cmpmem (a->hiddens[config->n_layers], n_bytes, b->hiddens[config->n_layers], n_bytes);
}

/* Returns: the largest difference of the last hidden states. */
static double
compare_ends (const AttnTrace *a, const AttnTrace *b)
{
  const AttnConfig *config = a->model->config;
  double worst = 0;
  for (size_t i = 0; i < a->n_tokens * config->d_model; i++)
    worst = fmax (worst, fabs ((double)a->hiddens[config->n_layers][i] -
                               (double)b->hiddens[config->n_layers][i]));
  return worst;
}

/* All kept is no change; starting later, taking one's own patterns and one's own output are none
 * either, to the bit. */
static void
test_nothing (gconstpointer data)
{
  g_autoptr (AttnModel) model = load (data);
  const size_t L = model->config->n_layers, H = model->config->n_heads;
  g_autoptr (AttnTrace) clean = run_input (model, &(AttnRunInput){.ids = ids, .n_tokens = T}, 0);
  g_autoptr (AttnHeadGates) gates = attn_head_gates_new (L, H);
  g_assert_cmpuint (attn_head_gates_count (gates), ==, 0);
  AttnRunInput input = {.ids = ids, .n_tokens = T, .gates = gates, .patterns_from = clean};
  g_autoptr (AttnTrace) kept = run_input (model, &input, 0);
  assert_same_end (clean, kept);
  input.start_from = clean;
  g_autoptr (AttnTrace) later = run_input (model, &input, L - 1);
  assert_same_end (clean, later);
  for (size_t head = 0; head < H; head++)
    attn_head_gates_set (gates, 0, head, ATTN_GATE_PATCH);
  input = (AttnRunInput){.ids = ids, .n_tokens = T, .gates = gates, .patch_from = clean};
  g_autoptr (AttnTrace) patched = run_input (model, &input, 0);
  assert_same_end (clean, patched);
}

/* The map of a head with uniform weights is uniform; the others' are their own. */
static void
test_uniform (void)
{
  g_autoptr (AttnModel) model = load ("golden/models/bert");
  const size_t L = model->config->n_layers, H = model->config->n_heads;
  g_autoptr (AttnHeadGates) uniform = attn_head_gates_new (L, H);
  attn_head_gates_set (uniform, 1, 2, ATTN_GATE_UNIFORM);
  const AttnRunInput input = {.ids = ids, .n_tokens = T, .gates = uniform};
  g_autoptr (AttnTrace) trace = run_input (model, &input, 0);
  float map[T * T];
  attn_trace_compute_map (trace, 1, 2, map);
  for (size_t i = 0; i < T * T; i++)
    g_assert_cmpfloat (map[i], ==, 1.0F / T);
  attn_trace_compute_map (trace, 1, 1, map);
  g_assert_cmpfloat (map[0], !=, 1.0F / T);
}

/* A causal query's uniform weights are over what it sees, and the first has all on itself. */
static void
test_uniform_causal (void)
{
  g_autoptr (AttnModel) model = load ("golden/models/gpt2");
  g_autoptr (AttnHeadGates) gates =
      attn_head_gates_new (model->config->n_layers, model->config->n_heads);
  attn_head_gates_set (gates, 0, 0, ATTN_GATE_UNIFORM);
  const AttnRunInput input = {.ids = ids, .n_tokens = T, .gates = gates};
  g_autoptr (AttnTrace) trace = run_input (model, &input, 0);
  float map[T * T];
  attn_trace_compute_map (trace, 0, 0, map);
  for (size_t query = 0; query < T; query++)
    for (size_t key = 0; key < T; key++)
      g_assert_cmpfloat (map[query * T + key], ==, key <= query ? 1.0F / (float)(query + 1) : 0.0F);
}

/* A factor of 0 is the gate zero; of 1/2 it is between that and no gate. */
static void
test_factors (void)
{
  g_autoptr (AttnModel) model = load ("golden/models/bert");
  const size_t L = model->config->n_layers, H = model->config->n_heads;
  g_autoptr (AttnHeadGates) gates = attn_head_gates_new (L, H);
  AttnRunInput input = {.ids = ids, .n_tokens = T, .gates = gates};
  g_autoptr (AttnTrace) clean = run_input (model, &input, 0);
  gates->factors[1] = 0.5F;
  g_autoptr (AttnTrace) half = run_input (model, &input, 0);
  gates->factors[1] = 0;
  g_autoptr (AttnTrace) none = run_input (model, &input, 0);
  gates->factors[1] = 1;
  attn_head_gates_set (gates, 0, 1, ATTN_GATE_ZERO);
  g_autoptr (AttnTrace) zero = run_input (model, &input, 0);
  assert_same_end (none, zero);
  g_assert_cmpfloat (compare_ends (half, clean), >, 1e-4);
  g_assert_cmpfloat (compare_ends (half, zero), >, 1e-4);
  g_assert_cmpuint (attn_head_gates_count (gates), ==, 1);
}

/* Frozen, the layers after the change look where the clean run looked. */
static void
test_frozen (void)
{
  g_autoptr (AttnModel) model = load ("golden/models/bert");
  const size_t L = model->config->n_layers, H = model->config->n_heads;
  g_autoptr (AttnTrace) clean = run_input (model, &(AttnRunInput){.ids = ids, .n_tokens = T}, 0);
  g_autoptr (AttnHeadGates) gates = attn_head_gates_new (L, H);
  attn_head_gates_set (gates, 0, 0, ATTN_GATE_ZERO);
  AttnRunInput input = {.ids = ids, .n_tokens = T, .gates = gates};
  g_autoptr (AttnTrace) moved = run_input (model, &input, 0);
  input.patterns_from = clean;
  g_autoptr (AttnTrace) frozen = run_input (model, &input, 0);
  float a[T * T], b[T * T], c[T * T];
  attn_trace_compute_map (clean, L - 1, 0, a);
  attn_trace_compute_map (frozen, L - 1, 0, b);
  attn_trace_compute_map (moved, L - 1, 0, c);
  g_assert_cmpmem (a, sizeof a, b, sizeof b);
  g_assert_cmpint (memcmp (a, c, sizeof a), !=, 0);
  g_assert_cmpfloat (compare_ends (frozen, moved), >, 1e-5);
}

static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load ("golden/models/bert");
  g_autoptr (AttnHeadGates) gates = attn_head_gates_new (1, 1);
  AttnRunInput input = {.ids = ids, .n_tokens = T, .gates = gates};
  AttnTrace *trace = NULL;
  g_assert_false (attn_model_run_batch (model, &input, 1, NULL, &trace, &error));
  g_assert_nonnull (strstr (error->message, "gates for 1 layers of 1 heads"));
  g_clear_error (&error);
  g_autoptr (AttnTrace) shorter =
      run_input (model, &(AttnRunInput){.ids = ids, .n_tokens = T - 1}, 0);
  input = (AttnRunInput){.ids = ids, .n_tokens = T, .patterns_from = shorter};
  g_assert_false (attn_model_run_batch (model, &input, 1, NULL, &trace, &error));
  g_assert_nonnull (strstr (error->message, "the text has 9 tokens"));
  g_clear_error (&error);
  g_assert_null (attn_target_new_labels (shorter, NULL, NULL, 0, &error));
  g_assert_nonnull (error);
}

/* Without an LM head: no change, no loss; and some with a head off. */
static void
test_vector (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load ("golden/models/bert");
  const size_t n = model->config->n_layers * model->config->n_heads;
  g_autoptr (AttnTrace) clean = run_input (model, &(AttnRunInput){.ids = ids, .n_tokens = T}, 0);
  g_autoptr (AttnTarget) target = attn_target_new_vector (clean);
  double loss = 1;
  g_assert_true (attn_target_compute_losses (target, &clean, 1, NULL, &loss, &error));
  g_assert_cmpfloat (fabs (loss), <, 1e-12);
  g_autofree double *losses = g_new (double, n);
  const AttnAblation ablation = {.gate = ATTN_GATE_ZERO};
  g_assert_true (attn_ablate_each (clean, target, &ablation, losses, &error));
  for (size_t i = 0; i < n; i++) {
    g_assert_cmpfloat (losses[i], >, 0);
    g_assert_cmpfloat (losses[i], <, 2);
  }
}

/* The reference's numbers are of double precision; the run is of single: 2e-4 of the loss. */
static void
check_golden (AttnModel *model, const Reference *reference, const char *language)
{
  static const AttnGate gates[] = {ATTN_GATE_ZERO, ATTN_GATE_UNIFORM, ATTN_GATE_MEAN};
  g_autoptr (GError) error = NULL;
  json_t *about = json_object_get (reference_peek_json (reference), language);
  size_t n_ids, n_masks, n_labels, shape[8];
  g_autofree int32_t *own = reference_dup_integers (json_object_get (about, "input_ids"), &n_ids);
  g_autofree int32_t *masks =
      reference_dup_integers (json_object_get (about, "mask_positions"), &n_masks);
  g_autofree int32_t *labels =
      reference_dup_integers (json_object_get (about, "labels"), &n_labels);
  g_assert_cmpuint (n_masks, ==, n_labels);
  g_autofree size_t *positions = g_new (size_t, n_masks);
  for (size_t i = 0; i < n_masks; i++)
    positions[i] = (size_t)masks[i];
  g_autoptr (AttnTrace) clean =
      run_input (model, &(AttnRunInput){.ids = own, .n_tokens = n_ids}, 0);
  g_autoptr (AttnTarget) target =
      attn_target_new_labels (clean, positions, labels, n_masks, &error);
  g_assert_no_error (error);
  double loss;
  g_assert_true (attn_target_compute_losses (target, &clean, 1, NULL, &loss, &error));
  g_assert_cmpfloat_with_epsilon (loss, json_real_value (json_object_get (about, "loss")), 2e-4);
  g_autofree char *name = g_strconcat (language, ".ablation_loss", NULL);
  g_autofree float *wanted = reference_dup_named (reference, name, shape);
  const size_t n = model->config->n_layers * model->config->n_heads;
  g_autofree double *losses = g_new (double, n);
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  for (size_t kind = 0; kind < G_N_ELEMENTS (gates); kind++) {
    const AttnAblation ablation = {.gate = gates[kind], .pool = pool};
    g_assert_true (attn_ablate_each (clean, target, &ablation, losses, &error));
    for (size_t i = 0; i < n; i++)
      g_assert_cmpfloat_with_epsilon (losses[i], (double)wanted[kind * n + i], 2e-4);
  }
}

static void
test_golden (void)
{
  g_autofree char *folder = test_data_path ("golden/metrics");
  g_autoptr (Reference) reference = reference_load_named (folder, "metrics");
  g_autoptr (AttnModel) model = load ("golden/models/bert-mlm");
  check_golden (model, reference, "en");
  check_golden (model, reference, "zh");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/ablate/nothing/bert", "golden/models/bert", test_nothing);
  g_test_add_data_func ("/ablate/nothing/gpt2", "golden/models/gpt2", test_nothing);
  g_test_add_data_func ("/ablate/nothing/deberta", "golden/models/deberta-v2", test_nothing);
  g_test_add_data_func ("/ablate/nothing/modernbert", "golden/models/modernbert", test_nothing);
  g_test_add_func ("/ablate/uniform", test_uniform);
  g_test_add_func ("/ablate/uniform-causal", test_uniform_causal);
  g_test_add_func ("/ablate/factors", test_factors);
  g_test_add_func ("/ablate/frozen", test_frozen);
  g_test_add_func ("/ablate/refused", test_refused);
  g_test_add_func ("/ablate/vector", test_vector);
  g_test_add_func ("/ablate/golden", test_golden);
  return g_test_run ();
}
