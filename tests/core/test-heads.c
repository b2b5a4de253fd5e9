/* SPDX-License-Identifier: MIT */
/* Distances between heads against the reference and closed forms; one head in the place of many. */
#include "model-private.h"
#include "reference.h"
#include "test-util.h"
#include "text-run.h"
#include "trace-private.h"

#include "attn/error.h"
#include "attn/heads.h"
#include "attn/run.h"

#include <math.h>
#include <string.h>

static void
test_closed_forms (void)
{
  static const float first[] = {1, 0, 0, 1}, second[] = {0, 1, 1, 0}, even[] = {0.5, 0.5, 0.5, 0.5};
  g_assert_cmpfloat (attn_heads_compute_distance (even, even, 2, 2), ==, 0);
  /* each row: two distributions of (0.9995, 0.0005) and the other way round */
  const double p = 0.9995, q = 0.0005, row = p * log (2 * p) + q * log (2 * q);
  g_assert_cmpfloat_with_epsilon (attn_heads_compute_distance (first, second, 2, 2), 2 * row,
                                  1e-12);
  g_assert_cmpfloat_with_epsilon (attn_heads_compute_distance (first, second, 1, 2), row, 1e-12);
}

typedef struct {
  const float *maps; /* [heads, n, n] */
  size_t n;
} Stored;

static bool
compute_stored (void *source,
                G_GNUC_UNUSED size_t layer,
                size_t head,
                float *weights,
                G_GNUC_UNUSED GError **error)
{
  const Stored *stored = source;
  const size_t size = stored->n * stored->n;
  memcpy (weights, stored->maps + head * size, size * sizeof *weights);
  return true;
}

static const char *
peek_label (G_GNUC_UNUSED void *source, G_GNUC_UNUSED AttnSide side, G_GNUC_UNUSED size_t index)
{
  return "token";
}

static void
get_visible (void *source,
             G_GNUC_UNUSED size_t layer,
             G_GNUC_UNUSED size_t query,
             size_t *first,
             size_t *end)
{
  *first = 0;
  *end = ((const Stored *)source)->n;
}

static void
keep (G_GNUC_UNUSED void *source)
{
}

/* The reference's own maps: all heads of all its layers, as if they were one layer's. */
static void
check_golden (const Reference *reference, const char *language)
{
  size_t shape[8];
  g_autoptr (GError) error = NULL;
  g_autofree char *maps_name = g_strconcat (language, ".attentions", NULL);
  g_autofree char *distance_name = g_strconcat (language, ".js_distance", NULL);
  g_autofree float *all = reference_dup_named (reference, maps_name, shape);
  const size_t n = shape[0] * shape[1], T = shape[3];
  Stored stored = {all, T};
  const AttnMapsClass klass = {
      .n_layers = 1,
      .n_heads = n,
      .n_queries = T,
      .n_keys = T,
      .compute = compute_stored,
      .peek_label = peek_label,
      .get_visible = get_visible,
      .free = keep,
  };
  g_autoptr (AttnMaps) maps = attn_maps_new (&klass, &stored);
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  g_autofree double *distances = g_new (double, n *n);
  attn_heads_compute_distances (maps, 0, pool, distances, &error);
  g_assert_no_error (error);
  g_autofree float *wanted = reference_dup_named (reference, distance_name, shape);
  g_assert_cmpuint (shape[0], ==, n);
  for (size_t i = 0; i < n * n; i++) /* the reference is kept in single precision */
    g_assert_cmpfloat_with_epsilon (distances[i] * (double)T, (double)wanted[i],
                                    2e-6 * (1 + (double)wanted[i]));
}

static void
test_golden (void)
{
  g_autofree char *folder = test_data_path ("golden/metrics");
  g_autoptr (Reference) reference = reference_load_named (folder, "metrics");
  check_golden (reference, "en");
  check_golden (reference, "zh");
}

static AttnTrace *
run (const char *folder_below, size_t n)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path (folder_below);
  g_autoptr (AttnModel) model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autofree int32_t *ids = g_new (int32_t, n);
  for (size_t i = 0; i < n; i++)
    ids[i] = (int32_t)((3 + 17 * i) % attn_model_peek_config (model)->vocab_size);
  AttnTrace *trace = attn_model_run_ids (model, ids, NULL, n, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

/* One head over all columns, in plain loops. */
static void
test_merge (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTrace) trace = run (data, 9);
  g_autoptr (AttnOneHead) one = attn_heads_merge (trace, 0, &error);
  g_assert_no_error (error);
  const size_t T = 9, D = trace->model->config->d_model;
  size_t ldq, ldk;
  const float *q = attn_trace_peek_tap (trace, ATTN_TAP_QUERY, 0, &ldq);
  const float *k = attn_trace_peek_tap (trace, ATTN_TAP_KEY, 0, &ldk);
  for (size_t query = 0; query < T; query++) {
    size_t first, end;
    double powers[9] = {0}, total = 0;
    attn_trace_get_visible (trace, 0, query, &first, &end);
    for (size_t key = first; key < end; key++) {
      double dot = 0;
      for (size_t i = 0; i < D; i++)
        dot += (double)q[query * ldq + i] * (double)k[key * ldk + i];
      total += powers[key] = exp (dot / sqrt ((double)D));
    }
    for (size_t key = 0; key < T; key++)
      g_assert_cmpfloat_with_epsilon ((double)one->map->values[query * T + key],
                                      powers[key] / total, 1e-5);
  }
  g_assert_cmpfloat (one->lost, >, 0);
  g_assert_cmpfloat (one->lost, <, 10);
}

/* Where there is one head already, nothing changes. */
static void
test_merge_one (void)
{
  g_autoptr (GError) error = NULL;
  const AttnConfig config = {
      .family = (char *)(guintptr) "bert",
      .n_layers = 1,
      .n_heads = 1,
      .d_model = 24,
      .d_k = 24,
      .d_ff = 32,
      .vocab_size = 40,
      .n_positions = 16,
      .n_types = 2,
      .layer_norm_eps = 1e-12,
  };
  g_autoptr (AttnModel) model = attn_model_new_random (&config, &error);
  g_assert_no_error (error);
  const int32_t ids[] = {5, 9, 33, 9, 1};
  g_autoptr (AttnTrace) trace = attn_model_run_ids (model, ids, NULL, 5, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnOneHead) one = attn_heads_merge (trace, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (one->lost, <, 1e-6);
}

/* The maps are the trace's, the distances those of the maps, and no pair is nearer or farther. */
static void
test_layer (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert");
  const int32_t ids[] = {5, 9, 33, 9, 1, 17};
  const size_t T = G_N_ELEMENTS (ids);
  g_autoptr (AttnTrace) trace = attn_model_run_ids (model, ids, NULL, T, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  g_autoptr (AttnLayerHeads) heads = attn_layer_heads_new (trace, 1, pool, &error);
  g_assert_no_error (error);
  const size_t h = heads->n_heads;
  g_assert_cmpuint (heads->n_tokens, ==, T);
  g_assert_cmpuint (h, >, 2);
  g_autofree float *map = g_new (float, T *T);
  for (size_t a = 0; a < h; a++) {
    attn_trace_compute_map (trace, 1, a, map);
    g_assert_cmpmem (map, T * T * sizeof *map, heads->weights + a * T * T, T * T * sizeof *map);
    for (size_t b = 0; b < h; b++) {
      const double distance =
          attn_heads_compute_distance (map, heads->weights + b * T * T, T, T) / (double)T;
      g_assert_cmpfloat_with_epsilon (heads->distances[a * h + b], distance, 1e-12);
      if (a == b)
        continue;
      g_assert_cmpfloat (heads->distances[heads->alike[0] * h + heads->alike[1]], <=,
                         heads->distances[a * h + b]);
      g_assert_cmpfloat (heads->distances[heads->unlike[0] * h + heads->unlike[1]], >=,
                         heads->distances[a * h + b]);
    }
  }
  g_assert_cmpuint (heads->alike[0], <, heads->alike[1]);
  g_assert_cmpuint (heads->unlike[0], <, heads->unlike[1]);
  AttnLayerHeads *second = attn_layer_heads_ref (heads); /* who keeps it beyond the first */
  attn_layer_heads_unref (g_steal_pointer (&heads));
  g_assert_cmpuint (second->n_heads, ==, h);
  attn_layer_heads_unref (second);
}

/* ---- stopping ---- */

typedef struct {
  int n_asked, most; /* times that it says: go on */
} Patience;

static bool
is_over (void *data)
{
  Patience *patience = data;
  return g_atomic_int_add (&patience->n_asked, 1) >= patience->most;
}

/* It is asked between the maps and between the comparisons; wherever it says so nothing is left.
 * Without a say against it everything comes. */
static void
test_stopped (void)
{
  g_autoptr (AttnTrace) trace = run ("golden/models/bert", 9);
  g_autoptr (AttnPool) pool = attn_pool_new (1);
  Patience patient = {0, G_MAXINT};
  attn_pool_set_stop (pool, is_over, &patient);
  g_autoptr (AttnLayerHeads) heads = attn_layer_heads_new (trace, 0, pool, NULL);
  g_assert_nonnull (heads);
  g_assert_cmpint (patient.n_asked, >=, 2 * (int)heads->n_heads);
  for (int most = 0; most < patient.n_asked; most++) {
    Patience patience = {0, most};
    g_autoptr (GError) error = NULL;
    attn_pool_set_stop (pool, is_over, &patience);
    g_assert_null (attn_layer_heads_new (trace, 0, pool, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heads/closed-forms", test_closed_forms);
  g_test_add_func ("/heads/golden", test_golden);
  g_test_add_data_func ("/heads/merge/bert", "golden/models/bert", test_merge);
  g_test_add_data_func ("/heads/merge/gpt2", "golden/models/gpt2", test_merge);
  g_test_add_func ("/heads/merge-one", test_merge_one);
  g_test_add_func ("/heads/layer", test_layer);
  g_test_add_func ("/heads/stopped", test_stopped);
  return g_test_run ();
}
