/* SPDX-License-Identifier: MIT */
/* Pruning: orders, curves against one run at a time and against the reference, ranks. */
#include "reference.h"
#include "test-util.h"
#include "text-run.h"

#include "attn/error.h"
#include "attn/importance.h"
#include "attn/predict.h"
#include "attn/prune.h"

#include <math.h>
#include <string.h>

static void
test_steps (void)
{
  g_assert_cmpuint (attn_prune_get_step (1), ==, 1);
  g_assert_cmpuint (attn_prune_get_step (12), ==, 1);
  g_assert_cmpuint (attn_prune_get_step (25), ==, 2); /* 2.5, to even */
  g_assert_cmpuint (attn_prune_get_step (144), ==, 14);
  g_assert_cmpuint (attn_prune_count_points (12), ==, 13);
  g_assert_cmpuint (attn_prune_count_points (144), ==, 12);
  g_assert_cmpuint (attn_prune_get_removed (144, 0), ==, 0);
  g_assert_cmpuint (attn_prune_get_removed (144, 10), ==, 140);
  g_assert_cmpuint (attn_prune_get_removed (144, 11), ==, 144);
}

static void
test_orders (void)
{
  const double scores[] = {2, NAN, 1, 2, -1};
  g_autofree size_t *order = attn_prune_order_by_score (scores, 5);
  const size_t wanted[] = {4, 2, 0, 3, 1};
  g_assert_cmpmem (order, sizeof wanted, wanted, sizeof wanted);
  g_autofree size_t *first = attn_prune_order_at_random (40, 1);
  g_autofree size_t *again = attn_prune_order_at_random (40, 1);
  g_autofree size_t *other = attn_prune_order_at_random (40, 2);
  g_assert_cmpmem (first, 40 * sizeof *first, again, 40 * sizeof *again);
  g_assert_cmpint (memcmp (first, other, 40 * sizeof *first), !=, 0);
  bool seen[40] = {false};
  for (size_t i = 0; i < 40; i++) {
    g_assert_cmpuint (first[i], <, 40);
    g_assert_false (seen[first[i]]);
    seen[first[i]] = true;
  }
}

static void
test_fall (void)
{
  const double quality[] = {0.5, 0.6, 0.45, 0.449, 0.5};
  g_assert_cmpuint (attn_prune_find_fall (quality, 5), ==, 3);
  g_assert_cmpuint (attn_prune_find_fall (quality, 3), ==, 3);
  const double none[] = {0, 0, 0};
  g_assert_cmpuint (attn_prune_find_fall (none, 3), ==, 3);
}

/* Known correlations: the same order, the opposite, a textbook's with ties, and none. */
static void
test_ranks (void)
{
  const double rising[] = {1, 10, 100, 1000}, falling[] = {4, 3, 2, -7};
  g_assert_cmpfloat (attn_rank_correlation (rising, rising, 4), ==, 1);
  g_assert_cmpfloat (attn_rank_correlation (rising, falling, 4), ==, -1);
  const double swapped[] = {1, 2, 4, 3}; /* 1 - 6 Σd²/(n(n²-1)) = 1 - 12/60 */
  g_assert_cmpfloat_with_epsilon (attn_rank_correlation (rising, swapped, 4), 0.8, 1e-15);
  const double tied[] = {1, 2, 2, 3}; /* ranks 0, 1.5, 1.5, 3: 4.5 / √(5 · 4.5) */
  g_assert_cmpfloat_with_epsilon (attn_rank_correlation (rising, tied, 4), 4.5 / sqrt (5 * 4.5),
                                  1e-15);
  const double flat[] = {2, 2, 2, 2}, odd[] = {1, NAN, 2, 3};
  g_assert_true (isnan (attn_rank_correlation (rising, flat, 4)));
  g_assert_true (isnan (attn_rank_correlation (odd, rising, 4)));
  g_assert_true (isnan (attn_rank_correlation (odd, rising, 0)));
}

/* Batches give what each would alone; the ends are all heads and none. */
static void
test_curve (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load (data);
  const AttnConfig *config = attn_model_peek_config (model);
  const size_t n_heads = config->n_layers * config->n_heads;
  const AttnTaskOptions asked = {.n_draws = 2, .seed = 3};
  g_autoptr (AttnTask) task = test_task_new (model, "the old cat watched the river today", &asked);
  g_autofree size_t *order = attn_prune_order_at_random (n_heads, 7);
  const size_t n = attn_prune_count_points (n_heads);
  g_autofree AttnScore *scores = g_new (AttnScore, n);
  g_assert_true (attn_prune_compute_curve (task, order, &(AttnPruneOptions){0}, scores, &error));
  g_assert_no_error (error);
  for (size_t point = 0; point < n; point++) {
    double loss;
    g_autoptr (AttnHeadGates) gates = attn_prune_make_gates (
        order, attn_prune_get_removed (n_heads, point), config->n_layers, config->n_heads);
    g_assert_cmpuint (attn_head_gates_count (gates), ==, attn_prune_get_removed (n_heads, point));
    g_assert_true (attn_task_compute_loss (task, gates, false, NULL, &loss, NULL, &error));
    g_assert_cmpfloat_with_epsilon (scores[point].loss, loss, 1e-5); /* OpenBLAS in batches */
    if (task->kind == ATTN_TASK_VECTOR)
      g_assert_true (isnan (scores[point].accuracy));
    else
      g_assert_true (scores[point].accuracy >= 0 && scores[point].accuracy <= 1);
  }
  g_autofree AttnScore *layers = g_new (AttnScore, config->n_layers);
  g_assert_true (attn_prune_compute_layers (task, &(AttnPruneOptions){0}, layers, &error));
  for (size_t layer = 0; layer < config->n_layers; layer++) {
    double loss;
    g_autoptr (AttnHeadGates) gates = attn_head_gates_new (config->n_layers, config->n_heads);
    for (size_t head = 0; head < config->n_heads; head++)
      attn_head_gates_set (gates, layer, head, ATTN_GATE_ZERO);
    g_assert_true (attn_task_compute_loss (task, gates, false, NULL, &loss, NULL, &error));
    g_assert_cmpfloat_with_epsilon (layers[layer].loss, loss, 1e-5);
  }
}

/* The share of labels that have the largest logit, by a plain loop. */
static void
test_accuracy (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/gpt2");
  g_autoptr (AttnTask) task = test_task_new (
      model, "the cat sat on the mat and the cat sat on the mat", &(AttnTaskOptions){0});
  AttnTrace *trace = task->clean;
  const size_t n = attn_trace_get_n_tokens (trace), V = attn_model_peek_config (model)->vocab_size;
  g_autofree float *logits = g_new (float, n *V);
  g_assert_true (attn_trace_compute_logits (trace, 0, n, logits, NULL, &error));
  size_t n_right = 0;
  for (size_t t = 0; t + 1 < n; t++) {
    size_t best = 0;
    for (size_t i = 1; i < V; i++)
      if (logits[t * V + i] > logits[t * V + best])
        best = i;
    n_right += best == (size_t)attn_trace_peek_ids (trace)[t + 1];
  }
  AttnScore score;
  g_assert_true (attn_target_compute_scores (task->targets[0], &trace, 1, NULL, &score, &error));
  g_assert_cmpfloat_with_epsilon (score.accuracy, (double)n_right / (double)(n - 1), 1e-12);
  /* what the model itself guesses is right by definition */
  g_autoptr (AttnModel) bert = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnTask) guessed =
      test_task_new (bert, "the [MASK] sat [MASK]", &(AttnTaskOptions){0});
  g_assert_true (
      attn_target_compute_scores (guessed->targets[0], &guessed->clean, 1, NULL, &score, &error));
  g_assert_cmpfloat (score.accuracy, ==, 1);
}

static bool
refuse (double fraction G_GNUC_UNUSED, void *data G_GNUC_UNUSED)
{
  return false;
}

static void
test_stopped (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  const AttnConfig *config = attn_model_peek_config (model);
  g_autoptr (AttnTask) task = test_task_new (model, "the [MASK] sat", &(AttnTaskOptions){0});
  g_autofree AttnScore *scores = g_new (AttnScore, config->n_layers);
  g_assert_false (
      attn_prune_compute_layers (task, &(AttnPruneOptions){.progress = refuse}, scores, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
}

/* By importance within layers, ordered once, against the reference in double precision. */
static void
test_golden (gconstpointer language)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("golden/metrics");
  g_autoptr (Reference) reference = reference_load_named (folder, "metrics");
  json_t *own = json_object_get (reference_peek_json (reference), language);
  json_t *wanted = json_object_get (own, "prune_oneshot_l2");
  size_t n_masks = 0;
  g_autofree int32_t *masks =
      reference_dup_integers (json_object_get (own, "mask_positions"), &n_masks);
  g_autofree size_t *positions = g_new (size_t, n_masks);
  for (size_t i = 0; i < n_masks; i++)
    positions[i] = (size_t)masks[i];
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  const AttnTaskOptions asked = {.positions = positions, .n_positions = n_masks};
  g_autoptr (AttnTask) task =
      test_task_new (model, json_string_value (json_object_get (own, "text")), &asked);
  g_autoptr (AttnImportance) importance =
      attn_importance_new (task, &(AttnImportanceOptions){0}, &error);
  g_assert_no_error (error);
  const size_t H = importance->n_heads, n_heads = importance->n_layers * H;
  g_autofree size_t *order = attn_prune_order_by_score (importance->importance_l2, n_heads);
  const size_t n = attn_prune_count_points (n_heads);
  g_autofree AttnScore *scores = g_new (AttnScore, n);
  g_assert_true (attn_prune_compute_curve (task, order, &(AttnPruneOptions){0}, scores, &error));
  g_assert_cmpuint (json_array_size (json_object_get (wanted, "order")), ==, n_heads);
  for (size_t i = 0; i < n_heads; i++) {
    json_t *head = json_array_get (json_object_get (wanted, "order"), i);
    g_assert_cmpuint (order[i], ==,
                      (size_t)json_number_value (json_array_get (head, 0)) * H +
                          (size_t)json_number_value (json_array_get (head, 1)));
  }
  for (size_t i = 1; i < n; i++) /* the reference's tolerance for losses */
    g_assert_cmpfloat_with_epsilon (
        scores[i].loss,
        json_number_value (json_array_get (json_object_get (wanted, "loss_after_step"), i - 1)),
        1e-4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/prune/steps", test_steps);
  g_test_add_func ("/prune/orders", test_orders);
  g_test_add_func ("/prune/fall", test_fall);
  g_test_add_func ("/prune/ranks", test_ranks);
  g_test_add_data_func ("/prune/curve/bert", "golden/models/bert-mlm", test_curve);
  g_test_add_data_func ("/prune/curve/gpt2", "golden/models/gpt2", test_curve);
  g_test_add_data_func ("/prune/curve/vector", "golden/models/sentence-transformers", test_curve);
  g_test_add_func ("/prune/accuracy", test_accuracy);
  g_test_add_func ("/prune/stopped", test_stopped);
  g_test_add_data_func ("/prune/golden/en", "en", test_golden);
  g_test_add_data_func ("/prune/golden/zh", "zh", test_golden);
  return g_test_run ();
}
