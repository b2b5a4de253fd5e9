/* SPDX-License-Identifier: MIT */
/* Sinks: against the reference and plain loops; a head that looks somewhere and takes nothing. */
#include "model-private.h"
#include "reference.h"
#include "test-util.h"
#include "text-run.h"
#include "trace-private.h"

#include "attn/lens.h"
#include "attn/run.h"
#include "attn/sink.h"

#include <math.h>

static AttnTrace *
run (AttnModel *model, const int32_t *ids, size_t n)
{
  g_autoptr (GError) error = NULL;
  AttnTrace *trace = attn_model_run_ids (model, ids, NULL, n, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

/* The reference's shares, and the means that they count. */
static void
test_golden (gconstpointer language)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("golden/metrics");
  g_autoptr (Reference) reference = reference_load_named (folder, "metrics");
  json_t *about = json_object_get (reference_peek_json (reference), language);
  size_t T, shape[8];
  g_autofree int32_t *ids = reference_dup_integers (json_object_get (about, "input_ids"), &T);
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnTrace) trace = run (model, ids, T);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  g_autofree char *score = g_strconcat (language, ".sink_score", NULL);
  g_autofree char *column = g_strconcat (language, ".column_mean", NULL);
  g_autofree float *wanted = reference_dup_named (reference, score, NULL);
  g_autofree float *wanted_means = reference_dup_named (reference, column, shape);
  g_autofree double *scores = g_new (double, T), *means = g_new (double, T);
  g_assert_true (attn_sink_compute_scores (maps, scores, &error));
  for (size_t key = 0; key < T; key++)
    g_assert_cmpfloat_with_epsilon (scores[key], (double)wanted[key], 1e-6);
  for (size_t i = 0; i < shape[0] * shape[1]; i++) {
    g_autoptr (AttnMap) map = attn_maps_dup_map (maps, i / shape[1], i % shape[1], &error);
    attn_map_compute_sink_means (map, means);
    for (size_t key = 0; key < T; key++)
      g_assert_cmpfloat_with_epsilon (means[key], (double)wanted_means[i * T + key], 2e-5);
  }
}

/* Of a causal model only the queries after a key count: the first key of uniform rows has the mean
 * of 1, 1/2, 1/3 …, the last one 1/T. */
static void
test_causal (void)
{
  static const int32_t ids[] = {5, 6, 7, 8};
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/gpt2");
  g_autoptr (AttnHeadGates) gates =
      attn_head_gates_new (model->config->n_layers, model->config->n_heads);
  attn_head_gates_set (gates, 0, 0, ATTN_GATE_UNIFORM);
  const AttnRunInput input = {.ids = ids, .n_tokens = 4, .gates = gates};
  g_autoptr (AttnTrace) trace = NULL;
  g_assert_true (attn_model_run_batch (model, &input, 1, NULL, &trace, &error));
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  g_autoptr (AttnMap) map = attn_maps_dup_map (maps, 0, 0, &error);
  double means[4];
  attn_map_compute_sink_means (map, means);
  g_assert_cmpfloat_with_epsilon (means[0], (1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0) / 4, 1e-7);
  g_assert_cmpfloat_with_epsilon (means[3], 1 / 4.0, 1e-7);
  AttnSink sink;
  g_assert_true (attn_map_find_sink (map, &sink, &error));
  g_assert_cmpuint (sink.key, ==, 0);
  g_assert_true (sink.is_sink);
}

/* Values of the sink are made small: the head looks there as before and takes nothing. */
static void
test_no_op (void)
{
  static const int32_t ids[] = {4, 216, 232, 197, 323, 5};
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnTrace) trace = run (model, ids, G_N_ELEMENTS (ids));
  const size_t T = trace->n_tokens, D = model->config->d_model, d_k = model->config->d_k;
  float *q = trace->qkvs[0], *k = trace->qkvs[0] + D, *v = trace->qkvs[0] + 2 * D;
  for (size_t t = 0; t < T; t++)
    for (size_t i = 0; i < d_k; i++) {
      q[t * 3 * D + i] = 1; /* every query likes key 2 */
      k[t * 3 * D + i] = t == 2 ? 1 : 0;
      v[t * 3 * D + i] = t == 2 ? 0.001F : 1;
    }
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  g_autoptr (AttnMap) map = attn_maps_dup_map (maps, 0, 0, &error);
  AttnSink sink;
  g_assert_true (attn_map_find_sink (map, &sink, &error));
  const double power = exp (sqrt ((double)d_k)), mass = power / (power + (double)T - 1);
  const double moved = 0.001 * mass / (0.001 * mass + 1 - mass);
  g_assert_cmpuint (sink.key, ==, 2);
  g_assert_cmpfloat_with_epsilon (sink.mass, mass, 1e-6);
  g_assert_cmpfloat_with_epsilon (sink.moved, moved, 1e-5);
  g_assert_true (sink.is_sink && sink.is_no_op == (moved <= mass / 2));
  g_assert_true (sink.is_no_op);
  for (size_t i = 0; i < d_k; i++)
    v[2 * 3 * D + i] = 1;
  g_assert_true (attn_map_find_sink (map, &sink, &error));
  g_assert_true (sink.is_sink);
  g_assert_false (sink.is_no_op);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/sink/golden/en", "en", test_golden);
  g_test_add_data_func ("/sink/golden/zh", "zh", test_golden);
  g_test_add_func ("/sink/causal", test_causal);
  g_test_add_func ("/sink/no-op", test_no_op);
  return g_test_run ();
}
