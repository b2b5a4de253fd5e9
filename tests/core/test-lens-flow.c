/* SPDX-License-Identifier: MIT */
/* Lenses that go through layers, on toy maps and on the reference's: rollout and flow. */
#include "max-flow.h"
#include "reference.h"
#include "test-util.h"

#include "attn/error.h"
#include "attn/lens.h"

#include <math.h>
#include <string.h>

/* Maps that somebody wrote down. */
typedef struct {
  const float *maps; /* [layers, heads, n, n] */
  size_t n_heads, n;
} Stored;

static bool
compute_stored (
    void *source, size_t layer, size_t head, float *weights, G_GNUC_UNUSED GError **error)
{
  const Stored *stored = source;
  const size_t size = stored->n * stored->n;
  memcpy (weights, stored->maps + (layer * stored->n_heads + head) * size, size * sizeof *weights);
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

/* Each query sees itself and the one before. */
static void
get_near (G_GNUC_UNUSED void *source,
          G_GNUC_UNUSED size_t layer,
          size_t query,
          size_t *first,
          size_t *end)
{
  *first = query > 0 ? query - 1 : 0;
  *end = query + 1;
}

static void
keep (G_GNUC_UNUSED void *source)
{
}

static AttnMaps *
new_maps (Stored *stored, size_t n_layers, size_t n_queries)
{
  const AttnMapsClass klass = {
      .n_layers = n_layers,
      .n_heads = stored->n_heads,
      .n_queries = n_queries,
      .n_keys = stored->n,
      .compute = compute_stored,
      .peek_label = peek_label,
      .get_visible = get_visible,
      .free = keep,
  };
  return attn_maps_new (&klass, stored);
}

static void
compare (const float *values, const double *wanted, size_t n, double tolerance)
{
  for (size_t i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon ((double)values[i], wanted[i], tolerance);
}

/* M = ½ A + ½ 1, so A = 2 M - 1 brings back the matrices wanted; by hand R_2 = M_2 M_1, and the
 * other order gives 0.625 0.375 / 0.25 0.75. */
static void
test_order (void)
{
  static const float maps[] = {0, 1, 0, 1, 1, 0, 0.5F, 0.5F};
  static const double first[] = {0.5, 0.5, 0, 1}, second[] = {0.5, 0.5, 0.125, 0.875};
  g_autoptr (GError) error = NULL;
  Stored stored = {maps, 1, 2};
  g_autoptr (AttnMaps) raw = new_maps (&stored, 2, 2);
  g_autoptr (AttnMaps) rollout =
      attn_lens_new_maps (ATTN_LENS_ROLLOUT, raw, &(AttnLensOptions){0}, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_maps_get_n_layers (rollout), ==, 2);
  g_assert_cmpuint (attn_maps_get_n_heads (rollout), ==, 1);
  float weights[4];
  g_assert_true (attn_maps_compute (rollout, 1, 0, weights, &error));
  compare (weights, second, 4, 1e-12);
  g_assert_true (attn_maps_compute (rollout, 0, 0, weights, &error));
  compare (weights, first, 4, 1e-12);
}

/* Heads are averaged, and rows that do not sum to 1 are divided by their sums. */
static void
test_heads (void)
{
  static const float maps[] = {1, 0, 0, 3, 0, 1, 0, 3};
  static const double wanted[] = {0.75, 0.25, 0, 1};
  g_autoptr (GError) error = NULL;
  Stored stored = {maps, 2, 2};
  g_autoptr (AttnMaps) raw = new_maps (&stored, 1, 2);
  g_autoptr (AttnMaps) rollout =
      attn_lens_new_maps (ATTN_LENS_ROLLOUT, raw, &(AttnLensOptions){0}, &error);
  float weights[4];
  g_assert_true (attn_maps_compute (rollout, 0, 0, weights, &error));
  compare (weights, wanted, 4, 1e-12);
}

/* The reference's toy graph, whose flows were found by another library. */
static void
test_toy_flow (void)
{
  static const float maps[] = {0, 1, 0, 1, 1, 0, 0.5F, 0.5F};
  static const double wanted[] = {0.5, 0.5, 0.25, 1};
  g_autoptr (GError) error = NULL;
  Stored stored = {maps, 1, 2};
  g_autoptr (AttnMaps) raw = new_maps (&stored, 2, 2);
  g_autoptr (AttnMaps) flow =
      attn_lens_new_maps (ATTN_LENS_FLOW, raw, &(AttnLensOptions){0}, &error);
  g_assert_no_error (error);
  float weights[4];
  g_assert_true (attn_maps_compute (flow, 1, 0, weights, &error));
  compare (weights, wanted, 4, 1e-7);
}

/* Any path with something left, by depth. Returns: how much it can take, which is taken; 0: none.
 */
static double
take_path (double *left, size_t n, size_t node, size_t sink, bool *seen, double most)
{
  seen[node] = true;
  if (node == sink)
    return most;
  for (size_t other = 0; other < n; other++) {
    double *way = left + node * n + other;
    if (seen[other] || *way <= 1e-12)
      continue;
    const double taken = take_path (left, n, other, sink, seen, MIN (most, *way));
    if (taken > 0) {
      *way -= taken;
      left[other * n + node] += taken;
      return taken;
    }
  }
  return 0;
}

/* Ford and Fulkerson, on a full matrix of nodes. */
static double
compute_plain_flow (const AttnFlowGraph *graph, size_t source, size_t sink)
{
  const size_t T = graph->T, n = (graph->n_layers + 1) * T;
  g_autofree double *left = g_new0 (double, n *n);
  g_autofree bool *seen = g_new (bool, n);
  double sum = 0;
  for (size_t layer = 0; layer < graph->n_layers; layer++)
    for (size_t i = 0; i < T; i++)
      for (size_t j = 0; j < T; j++)
        left[((layer + 1) * T + i) * n + layer * T + j] =
            graph->capacities[(layer * T + i) * T + j];
  for (;;) {
    memset (seen, 0, n * sizeof *seen);
    const double taken = take_path (left, n, graph->n_layers * T + source, sink, seen, INFINITY);
    if (taken <= 0)
      return sum;
    sum += taken;
  }
}

static void
test_plain_flow (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  for (size_t n_layers = 1; n_layers <= 4; n_layers++)
    for (size_t T = 1; T <= 5; T++) {
      g_autofree double *capacities = g_new (double, n_layers *T *T);
      for (size_t i = 0; i < n_layers * T * T; i++)
        capacities[i] = g_rand_boolean (random) ? g_rand_double (random) : 0;
      const AttnFlowGraph graph = {n_layers, T, capacities};
      AttnFlowScratch scratch;
      attn_flow_scratch_init (&scratch, &graph);
      for (size_t i = 0; i < T * T; i++)
        g_assert_cmpfloat_with_epsilon (attn_max_flow (&graph, i / T, i % T, &scratch),
                                        compute_plain_flow (&graph, i / T, i % T), 1e-9);
      attn_flow_scratch_clear (&scratch);
    }
}

/* Two paths that a greedy search lays across each other: flow must be taken back. */
static void
test_taken_back (void)
{
  /* top 0 → 0 and 1; 0 → 0 and 1, 1 → 0; 0 → 0, 1 → 0 */
  static const double capacities[] = {1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 0};
  const AttnFlowGraph graph = {3, 2, capacities};
  AttnFlowScratch scratch;
  attn_flow_scratch_init (&scratch, &graph);
  g_assert_cmpfloat_with_epsilon (attn_max_flow (&graph, 0, 0, &scratch), 2, 1e-12);
  attn_flow_scratch_clear (&scratch);
}

/* Through layers a query sees what those that it sees see. */
static void
test_visible (void)
{
  float maps[3 * 16] = {0};
  g_autoptr (GError) error = NULL;
  Stored stored = {maps, 1, 4};
  const AttnMapsClass klass = {
      .n_layers = 3,
      .n_heads = 1,
      .n_queries = 4,
      .n_keys = 4,
      .compute = compute_stored,
      .peek_label = peek_label,
      .get_visible = get_near,
      .free = keep,
  };
  g_autoptr (AttnMaps) raw = attn_maps_new (&klass, &stored);
  g_autoptr (AttnMaps) rollout =
      attn_lens_new_maps (ATTN_LENS_ROLLOUT, raw, &(AttnLensOptions){0}, &error);
  size_t first, end;
  attn_maps_get_visible (rollout, 0, 3, &first, &end);
  g_assert_cmpuint (first, ==, 2);
  attn_maps_get_visible (rollout, 2, 3, &first, &end);
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (end, ==, 4);
  attn_maps_get_visible (rollout, 2, 0, &first, &end);
  g_assert_cmpuint (end, ==, 1);
}

/* What maps of a file have not. */
static void
test_file (void)
{
  float maps[4 * 6] = {0};
  Stored stored = {maps, 1, 2};
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) square = new_maps (&stored, 1, 2);
  g_autoptr (AttnMaps) high = new_maps (&stored, 1, 3);
  g_assert_cmpint (attn_lens_get_reason (ATTN_LENS_RAW, square), ==, ATTN_LENS_FITS);
  g_assert_cmpint (attn_lens_get_reason (ATTN_LENS_ROLLOUT, square), ==, ATTN_LENS_FITS);
  g_assert_cmpint (attn_lens_get_reason (ATTN_LENS_SPECIAL, square), ==, ATTN_LENS_NEEDS_TEXT);
  g_assert_cmpint (attn_lens_get_reason (ATTN_LENS_NORM, square), ==, ATTN_LENS_NEEDS_MODEL);
  g_assert_cmpint (attn_lens_get_reason (ATTN_LENS_FLOW, high), ==, ATTN_LENS_NEEDS_SQUARE);
  g_assert_null (attn_lens_new_maps (ATTN_LENS_ROLLOUT, high, &(AttnLensOptions){0}, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "rollout: it needs as many queries as keys"));
}

/* A weight that is no number makes NaN of what goes through it, and of nothing else. */
static void
test_nan (void)
{
  static const float maps[] = {0, 1, 0, 1, 1, NAN, 0.5F, 0.5F};
  static const AttnLens lenses[] = {ATTN_LENS_ROLLOUT, ATTN_LENS_FLOW};
  g_autoptr (GError) error = NULL;
  Stored stored = {maps, 1, 2};
  g_autoptr (AttnMaps) raw = new_maps (&stored, 2, 2);
  for (size_t i = 0; i < G_N_ELEMENTS (lenses); i++) {
    g_autoptr (AttnMaps) seen = attn_lens_new_maps (lenses[i], raw, &(AttnLensOptions){0}, &error);
    g_assert_no_error (error);
    float weights[4];
    g_assert_true (attn_maps_compute (seen, 0, 0, weights, &error));
    g_assert_true (isfinite (weights[0]) && isfinite (weights[3]));
    g_assert_true (attn_maps_compute (seen, 1, 0, weights, &error));
    g_assert_true (isnan (weights[0]) && isnan (weights[1]));
  }
}

static bool
stop_at_once (G_GNUC_UNUSED double fraction, G_GNUC_UNUSED void *data)
{
  return false;
}

static bool
note_progress (double fraction, void *data)
{
  double *seen = data;
  g_assert_cmpfloat (fraction, >=, *seen);
  *seen = fraction;
  return true;
}

/* Flows are told and stopped; of layers left out at first the numbers are the same. */
static void
test_progress (void)
{
  static const float maps[] = {0, 1, 0, 1, 1, 0, 0.5F, 0.5F};
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  Stored stored = {maps, 1, 2};
  double seen = 0;
  g_autoptr (AttnMaps) raw = new_maps (&stored, 2, 2);
  AttnLensOptions options = {.pool = pool, .progress = note_progress, .progress_data = &seen};
  g_autoptr (AttnMaps) all = attn_lens_new_maps (ATTN_LENS_FLOW, raw, &options, &error);
  g_assert_cmpfloat (seen, ==, 1);
  options.one_layer = true;
  seen = 0;
  g_autoptr (AttnMaps) first = attn_lens_new_maps (ATTN_LENS_FLOW, raw, &options, &error);
  float weights[2][4];
  g_assert_true (attn_maps_compute (all, 1, 0, weights[0], &error));
  g_assert_true (attn_maps_compute (first, 1, 0, weights[1], &error));
  g_assert_cmpmem (weights[0], sizeof weights[0], weights[1], sizeof weights[1]);
  options.progress = stop_at_once;
  g_assert_null (attn_lens_new_maps (ATTN_LENS_FLOW, raw, &options, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
}

/* The reference's maps, as if they came from a file. */
static void
test_golden (gconstpointer language)
{
  size_t shape[8];
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("golden/metrics");
  g_autoptr (Reference) reference = reference_load_named (folder, "metrics");
  g_autofree char *maps_name = g_strconcat (language, ".attentions", NULL);
  g_autofree char *rollout_name = g_strconcat (language, ".rollout", NULL);
  g_autofree float *all = reference_dup_named (reference, maps_name, shape);
  g_autofree float *wanted = reference_dup_named (reference, rollout_name, NULL);
  const size_t L = shape[0], T = shape[2];
  Stored stored = {all, shape[1], T};
  g_autoptr (AttnMaps) raw = new_maps (&stored, L, T);
  g_autoptr (AttnMaps) rollout =
      attn_lens_new_maps (ATTN_LENS_ROLLOUT, raw, &(AttnLensOptions){0}, &error);
  g_autofree float *weights = g_new (float, T *T);
  for (size_t layer = 0; layer < L; layer++) {
    g_assert_true (attn_maps_compute (rollout, layer, 0, weights, &error));
    for (size_t i = 0; i < T * T; i++) /* the reference states 2e-5; its maps are rounded to f32 */
      g_assert_cmpfloat_with_epsilon ((double)weights[i], (double)wanted[layer * T * T + i], 1e-6);
  }
}

/* The reference's matrices are those that flow goes through: they come back from maps as 2 M - 1.
 */
static void
test_golden_flow (gconstpointer language)
{
  size_t shape[8];
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  g_autofree char *folder = test_data_path ("golden/metrics");
  g_autoptr (Reference) reference = reference_load_named (folder, "metrics");
  g_autofree char *name = g_strconcat (language, ".flow_layer_matrices", NULL);
  g_autofree char *flow_name = g_strconcat (language, ".flow", NULL);
  g_autofree char *two_name = g_strconcat (language, ".flow_two_layers", NULL);
  g_autofree float *maps = reference_dup_named (reference, name, shape);
  g_autofree float *whole = reference_dup_named (reference, flow_name, NULL);
  g_autofree float *two = reference_dup_named (reference, two_name, NULL);
  const size_t L = shape[0], T = shape[1];
  for (size_t i = 0; i < L * T * T; i++)
    maps[i] = 2 * maps[i] - (i / T % T == i % T ? 1 : 0);
  Stored stored = {maps, 1, T};
  g_autoptr (AttnMaps) raw = new_maps (&stored, L, T);
  const AttnLensOptions options = {.pool = pool};
  g_autoptr (AttnMaps) flow = attn_lens_new_maps (ATTN_LENS_FLOW, raw, &options, &error);
  g_autofree float *weights = g_new (float, T *T);
  g_assert_true (attn_maps_compute (flow, L - 1, 0, weights, &error));
  for (size_t i = 0; i < T * T; i++) /* as above */
    g_assert_cmpfloat_with_epsilon ((double)weights[i], (double)whole[i], 2e-6);
  g_assert_true (attn_maps_compute (flow, 1, 0, weights, &error));
  for (size_t i = 0; i < T * T; i++)
    g_assert_cmpfloat_with_epsilon ((double)weights[i], (double)two[i], 2e-6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lens-flow/rollout/order", test_order);
  g_test_add_func ("/lens-flow/rollout/heads", test_heads);
  g_test_add_data_func ("/lens-flow/rollout/golden/en", "en", test_golden);
  g_test_add_data_func ("/lens-flow/rollout/golden/zh", "zh", test_golden);
  g_test_add_func ("/lens-flow/flow/toy", test_toy_flow);
  g_test_add_func ("/lens-flow/flow/plain", test_plain_flow);
  g_test_add_func ("/lens-flow/flow/taken-back", test_taken_back);
  g_test_add_data_func ("/lens-flow/flow/golden/en", "en", test_golden_flow);
  g_test_add_data_func ("/lens-flow/flow/golden/zh", "zh", test_golden_flow);
  g_test_add_func ("/lens-flow/visible", test_visible);
  g_test_add_func ("/lens-flow/file", test_file);
  g_test_add_func ("/lens-flow/nan", test_nan);
  g_test_add_func ("/lens-flow/progress", test_progress);
  return g_test_run ();
}
