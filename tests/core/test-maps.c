/* SPDX-License-Identifier: MIT */
/* The maps interface on a source of our own, and on a trace with tokens. */
#include "text-run.h"

#include "attn/error.h"
#include "attn/maps.h"

/* Weights tell their place: layer, head, query and key as decimal digits. */
typedef struct {
  bool freed;
  bool fails;
} Source;

static bool
source_compute (void *source, size_t layer, size_t head, float *weights, GError **error)
{
  if (((Source *)source)->fails) {
    g_set_error_literal (error, ATTN_ERROR, ATTN_ERROR_IO, "no such map");
    return false;
  }
  for (size_t query = 0; query < 2; query++)
    for (size_t key = 0; key < 3; key++)
      weights[query * 3 + key] = (float)(1000 * layer + 100 * head + 10 * query + key);
  return true;
}

static const char *
source_peek_label (void *source G_GNUC_UNUSED, AttnSide side, size_t index)
{
  static const char *const labels[2][3] = {{"a", "b"}, {"x", "y", "z"}};
  return labels[side][index];
}

static void
source_get_visible (
    void *source G_GNUC_UNUSED, size_t layer, size_t query, size_t *first, size_t *end)
{
  *first = layer;
  *end = query + 2;
}

static void
source_free (void *source)
{
  ((Source *)source)->freed = true;
}

static const AttnMapsClass source_class = {
    .n_layers = 2,
    .n_heads = 4,
    .n_queries = 2,
    .n_keys = 3,
    .compute = source_compute,
    .peek_label = source_peek_label,
    .get_visible = source_get_visible,
    .free = source_free,
};

static void
test_source (void)
{
  Source source = {0};
  AttnMaps *maps = attn_maps_new (&source_class, &source);
  g_assert_cmpuint (attn_maps_get_n_layers (maps), ==, 2);
  g_assert_cmpuint (attn_maps_get_n_heads (maps), ==, 4);
  g_assert_cmpuint (attn_maps_get_n (maps, ATTN_SIDE_QUERY), ==, 2);
  g_assert_cmpuint (attn_maps_get_n (maps, ATTN_SIDE_KEY), ==, 3);
  g_assert_cmpstr (attn_maps_peek_label (maps, ATTN_SIDE_QUERY, 1), ==, "b");
  g_assert_cmpstr (attn_maps_peek_label (maps, ATTN_SIDE_KEY, 2), ==, "z");
  g_assert_null (attn_maps_peek_trace (maps));
  size_t first, end;
  attn_maps_get_visible (maps, 1, 1, &first, &end);
  g_assert_cmpuint (first, ==, 1);
  g_assert_cmpuint (end, ==, 3);
  attn_maps_unref (attn_maps_ref (maps));
  g_assert_false (source.freed);
  attn_maps_unref (maps);
  g_assert_true (source.freed);
}

static void
test_map_keeps_maps (void)
{
  g_autoptr (GError) error = NULL;
  Source source = {0};
  AttnMaps *maps = attn_maps_new (&source_class, &source);
  AttnMap *map = attn_maps_dup_map (maps, 1, 3, &error);
  g_assert_no_error (error);
  attn_maps_unref (maps);
  g_assert_false (source.freed);
  g_assert_cmpuint (map->layer, ==, 1);
  g_assert_cmpuint (map->head, ==, 3);
  g_assert_cmpuint (map->n_queries, ==, 2);
  g_assert_cmpuint (map->n_keys, ==, 3);
  g_assert_cmpfloat (map->weights[5], ==, 1312);
  attn_map_free (map);
  g_assert_true (source.freed);
}

static void
test_failing_source (void)
{
  g_autoptr (GError) error = NULL;
  Source source = {.fails = true};
  g_autoptr (AttnMaps) maps = attn_maps_new (&source_class, &source);
  g_assert_null (attn_maps_dup_map (maps, 0, 0, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
}

static bool
never_called (void *source G_GNUC_UNUSED,
              size_t layer G_GNUC_UNUSED,
              size_t head G_GNUC_UNUSED,
              float *weights G_GNUC_UNUSED,
              GError **error G_GNUC_UNUSED)
{
  g_assert_not_reached ();
}

static void
test_too_large (void)
{
  g_autoptr (GError) error = NULL;
  Source source = {0};
  AttnMapsClass klass = source_class;
  klass.n_queries = klass.n_keys = G_MAXSIZE / 4;
  klass.compute = never_called;
  g_autoptr (AttnMaps) maps = attn_maps_new (&klass, &source);
  g_assert_null (attn_maps_dup_map (maps, 0, 0, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
}

static AttnTrace *
run_text (const char *text)
{
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  return test_text_run (model, text, NULL);
}

static void
test_trace (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTrace) trace = run_text ("the quick 今天");
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  static const char *const pieces[] = {"[CLS]", "the", "quick", "今", "天", "[SEP]"};
  size_t n = G_N_ELEMENTS (pieces);
  g_assert_cmpuint (attn_maps_get_n (maps, ATTN_SIDE_QUERY), ==, n);
  g_assert_cmpuint (attn_maps_get_n (maps, ATTN_SIDE_KEY), ==, n);
  g_assert_cmpuint (attn_maps_get_n_layers (maps), ==, 3);
  g_assert_cmpuint (attn_maps_get_n_heads (maps), ==, 4);
  g_assert_true (attn_maps_peek_trace (maps) == trace);
  for (size_t i = 0; i < n; i++) {
    g_assert_cmpstr (attn_maps_peek_label (maps, ATTN_SIDE_QUERY, i), ==, pieces[i]);
    g_assert_cmpstr (attn_maps_peek_label (maps, ATTN_SIDE_KEY, i), ==, pieces[i]);
    size_t first, end;
    attn_maps_get_visible (maps, 2, i, &first, &end);
    g_assert_cmpuint (first, ==, 0);
    g_assert_cmpuint (end, ==, n);
  }
  g_autoptr (AttnMap) map = attn_maps_dup_map (maps, 2, 3, &error);
  g_assert_no_error (error);
  float expected[36];
  attn_trace_compute_map (trace, 2, 3, expected);
  g_assert_cmpmem (map->weights, sizeof expected, expected, sizeof expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/maps/source", test_source);
  g_test_add_func ("/maps/map-keeps-maps", test_map_keeps_maps);
  g_test_add_func ("/maps/failing-source", test_failing_source);
  g_test_add_func ("/maps/too-large", test_too_large);
  g_test_add_func ("/maps/trace", test_trace);
  return g_test_run ();
}
