/* SPDX-License-Identifier: MIT */
/* Panels: which maps, which range, and what happens when a map cannot be had. */
#include "draw-fixture.h"
#include "panels-private.h"

#include "attn/error.h"

#include <math.h>

/* Head h of layer l has the weights × 2^(l × 3 + h), exact in f32. */
static const float weights[] = {0.25f, 0.5f, 0.125f, 0.0625f};
static const Fixture doubling = {
    .n_layers = 2,
    .n_heads = 3,
    .n_queries = 2,
    .n_keys = 2,
    .weights = weights,
    .factor = 2,
};

static void
assert_max (AttnDrawKind kind, AttnDrawRange range, size_t panel, float expected)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = kind;
  view->layer = 0;
  view->head = 1;
  view->range = range;
  view->range_max = 0.75;
  g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&doubling, view);
  g_assert_cmpfloat (attn_draw_panels_get_max (panels, panel), ==, expected);
}

static void
test_ranges (void)
{
  assert_max (ATTN_DRAW_HEATMAP, ATTN_DRAW_RANGE_AUTO, 0, 1);
  assert_max (ATTN_DRAW_HEATMAP, ATTN_DRAW_RANGE_MAP, 0, 1);
  assert_max (ATTN_DRAW_HEATMAP, ATTN_DRAW_RANGE_LAYER, 0, 2);
  assert_max (ATTN_DRAW_HEATMAP, ATTN_DRAW_RANGE_MODEL, 0, 16);
  assert_max (ATTN_DRAW_HEATMAP, ATTN_DRAW_RANGE_FIXED, 0, 0.75f);
  assert_max (ATTN_DRAW_HEADS, ATTN_DRAW_RANGE_AUTO, 0, 2);
  assert_max (ATTN_DRAW_HEADS, ATTN_DRAW_RANGE_MAP, 0, 0.5f);
  assert_max (ATTN_DRAW_HEADS, ATTN_DRAW_RANGE_MAP, 2, 2);
  assert_max (ATTN_DRAW_HEADS, ATTN_DRAW_RANGE_MODEL, 1, 16);
  assert_max (ATTN_DRAW_LAYERS, ATTN_DRAW_RANGE_AUTO, 0, 16);
  assert_max (ATTN_DRAW_LAYERS, ATTN_DRAW_RANGE_MAP, 4, 8);
  assert_max (ATTN_DRAW_LAYERS, ATTN_DRAW_RANGE_LAYER, 0, 2);
  assert_max (ATTN_DRAW_LAYERS, ATTN_DRAW_RANGE_LAYER, 3, 16);
  assert_max (ATTN_DRAW_LAYERS, ATTN_DRAW_RANGE_FIXED, 5, 0.75f);
}

static void
test_maps (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->layer = 1;
  view->head = 2;
  g_autoptr (AttnDrawPanels) one = fixture_make_panels (&doubling, view);
  g_assert_cmpuint (attn_draw_panels_get_n (one), ==, 1);
  g_assert_cmpuint (attn_draw_panels_peek (one, 0)->head, ==, 2);
  g_assert_cmpuint (attn_draw_panels_peek (one, 0)->layer, ==, 1);
  g_assert_cmpfloat (attn_draw_panels_peek (one, 0)->weights[0], ==, 8);

  view->kind = ATTN_DRAW_HEADS;
  g_autoptr (AttnDrawPanels) all = fixture_make_panels (&doubling, view);
  g_assert_cmpuint (attn_draw_panels_get_n (all), ==, 3);
  for (size_t head = 0; head < 3; head++)
    g_assert_cmpuint (attn_draw_panels_peek (all, head)->head, ==, head);

  view->kind = ATTN_DRAW_LAYERS;
  view->layer = view->head = 99; /* asks for no one of them */
  g_autoptr (AttnDrawPanels) sheet = fixture_make_panels (&doubling, view);
  g_assert_cmpuint (attn_draw_panels_get_n (sheet), ==, 6);
  for (size_t layer = 0; layer < 2; layer++)
    for (size_t head = 0; head < 3; head++) {
      size_t panel = attn_draw_panels_find (sheet, layer, head);
      g_assert_cmpuint (panel, ==, layer * 3 + head);
      g_assert_cmpuint (attn_draw_panels_get_layer (sheet, panel), ==, layer);
      g_assert_cmpuint (attn_draw_panels_get_head (sheet, panel), ==, head);
      g_assert_cmpfloat (attn_draw_panels_peek (sheet, panel)->weights[0], ==,
                         0.25 * pow (2, (double)panel));
    }
  g_assert_cmpuint (attn_draw_panels_find (sheet, 2, 0), ==, G_MAXSIZE);
  g_assert_cmpuint (attn_draw_panels_find (sheet, 0, 3), ==, G_MAXSIZE);
  g_assert_cmpuint (attn_draw_panels_find (one, 0, 2), ==, G_MAXSIZE);
}

/* Of many large maps only blocks are kept, and nobody gets them as weights. */
static void
test_pooled (void)
{
  const size_t n = 300;
  g_autofree float *large = g_new0 (float, n *n);
  Fixture fixture = {.n_layers = 9, .n_heads = 8, .n_queries = n, .n_keys = n, .weights = large};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  g_autoptr (AttnMaps) maps = fixture_make_maps (&fixture);

  large[77 * n + 201] = 0.5f;
  large[n * n - 1] = NAN;
  view->kind = ATTN_DRAW_LAYERS;
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (view, maps, pool, NULL, NULL, NULL);
  g_assert_cmpuint (attn_draw_panels_get_n (panels), ==, 72);
  g_assert_cmphex (attn_draw_panels_get_odd (panels), ==, ATTN_DRAW_ODD_NAN);
  for (size_t panel = 0; panel < 72; panel++) {
    const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (panels, panel);
    g_assert_null (attn_draw_panels_peek (panels, panel));
    g_assert_cmpuint (blocks->n_queries, ==, n);
    g_assert_cmpuint (blocks->queries_per_row, ==, 2);
    g_assert_cmpuint (blocks->n_rows, ==, 150);
    g_assert_cmpuint (blocks->end[149], ==, 150);
    g_assert_cmpfloat (blocks->weights[38 * 150 + 100], ==, 0.5);
    g_assert_cmpfloat (blocks->weights[39 * 150 + 100], ==, 0);
    g_assert_true (isnan (blocks->weights[150 * 150 - 1]));
    g_assert_cmpfloat (attn_draw_panels_get_max (panels, panel), ==, 0.5);
  }

  view->kind = ATTN_DRAW_HEATMAP;
  g_autoptr (AttnDrawPanels) exact = attn_draw_panels_new (view, maps, pool, NULL, NULL, NULL);
  g_assert_nonnull (attn_draw_panels_peek (exact, 0));
}

/* However many maps and tokens: what is kept stays within the limit. */
static void
test_memory_is_bounded (void)
{
  static const size_t shapes[][3] = {{12, 12, 512}, {24, 16, 512}, {48, 96, 300}, {40, 2, 1200}};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autofree float *zeros = g_new0 (float, 1200 * 1200);

  view->kind = ATTN_DRAW_LAYERS;
  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++) {
    Fixture fixture = {.n_layers = shapes[i][0],
                       .n_heads = shapes[i][1],
                       .n_queries = shapes[i][2],
                       .n_keys = shapes[i][2],
                       .weights = zeros};
    g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);
    const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (panels, 0);
    size_t kept = attn_draw_panels_get_n (panels) * blocks->n_rows * blocks->n_columns;
    g_test_message ("%zu × %zu heads, %zu tokens: %zu × %zu blocks, %.0f MB", shapes[i][0],
                    shapes[i][1], shapes[i][2], blocks->n_rows, blocks->n_columns,
                    (double)kept * sizeof (float) / 1e6);
    g_assert_cmpuint (blocks->n_rows, <=, 256);
    g_assert_cmpuint (kept, <=, (size_t)28 << 20);
    g_assert_cmpuint (blocks->n_rows, >=, 64);
  }
}

/* The same panels with and without a pool. */
static void
test_pool (void)
{
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  Fixture fixture = {.n_layers = 3, .n_heads = 5, .n_queries = 9, .n_keys = 9};
  g_autoptr (AttnMaps) maps = fixture_make_maps (&fixture);

  view->range = ATTN_DRAW_RANGE_MODEL;
  g_autoptr (AttnDrawPanels) alone = attn_draw_panels_new (view, maps, NULL, NULL, NULL, NULL);
  g_autoptr (AttnDrawPanels) pooled = attn_draw_panels_new (view, maps, pool, NULL, NULL, NULL);
  g_assert_cmpfloat (attn_draw_panels_get_max (alone, 0), ==, attn_draw_panels_get_max (pooled, 0));
}

static void
test_refused (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (AttnMaps) maps = fixture_make_maps (&doubling);
  g_autoptr (GError) error = NULL;

  view->layer = 2;
  g_assert_null (attn_draw_panels_new (view, maps, NULL, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_cmpstr (error->message, ==, "layer 3 was asked for, but there are only layers 1 to 2");
  g_clear_error (&error);
  view->layer = 0;
  view->head = 3;
  g_assert_null (attn_draw_panels_new (view, maps, NULL, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_clear_error (&error);
  /* a grid does not ask for the head */
  view->kind = ATTN_DRAW_HEADS;
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (view, maps, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

/* Of several failures the first head's is told, whichever thread was first. */
static void
test_failing_map (void)
{
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  Fixture fixture = doubling;
  fixture.fails_from = 1;
  g_autoptr (AttnMaps) maps = fixture_make_maps (&fixture);
  g_autoptr (GError) error = NULL;

  view->kind = ATTN_DRAW_HEADS;
  g_assert_null (attn_draw_panels_new (view, maps, pool, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_cmpstr (error->message, ==, "head 1 cannot be had");
}

typedef struct {
  size_t n_calls, stop_at;
  double last;
} Progress;

static bool
progress_cb (double fraction, void *data)
{
  Progress *progress = data;
  g_assert_cmpfloat (fraction, >=, progress->last);
  g_assert_cmpfloat (fraction, <=, 1);
  progress->last = fraction;
  return ++progress->n_calls < progress->stop_at;
}

static void
test_progress_and_stop (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (AttnMaps) maps = fixture_make_maps (&doubling);
  g_autoptr (GError) error = NULL;
  Progress all = {.stop_at = G_MAXSIZE}, some = {.stop_at = 2};

  view->range = ATTN_DRAW_RANGE_MODEL;
  g_autoptr (AttnDrawPanels) panels =
      attn_draw_panels_new (view, maps, NULL, progress_cb, &all, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (all.last, ==, 1);
  g_assert_null (attn_draw_panels_new (view, maps, NULL, progress_cb, &some, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
}

/* What is not a number, endless or hidden does not stretch the range. */
static void
test_odd_weights (void)
{
  const float odd[] = {NAN, 9, 0.25f, INFINITY};
  const float zeros[] = {0, 0, 0, 0};
  Fixture fixture = doubling;
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();

  fixture.factor = 1;
  fixture.weights = odd;
  fixture.causal = true; /* hides the 9 */
  g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);
  g_assert_cmpfloat (attn_draw_panels_get_max (panels, 0), ==, 0.25f);
  g_assert_cmphex (attn_draw_panels_get_odd (panels), ==, ATTN_DRAW_ODD_CROSSED);
  g_assert_true (attn_draw_panels_has_hidden (panels));

  fixture.weights = zeros;
  fixture.causal = false;
  g_autoptr (AttnDrawPanels) flat = fixture_make_panels (&fixture, view);
  g_assert_cmpfloat (attn_draw_panels_get_max (flat, 0), ==, 1);
  g_assert_cmphex (attn_draw_panels_get_odd (flat), ==, 0);
  g_assert_false (attn_draw_panels_has_hidden (flat));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/panels/ranges", test_ranges);
  g_test_add_func ("/panels/maps", test_maps);
  g_test_add_func ("/panels/pooled", test_pooled);
  g_test_add_func ("/panels/memory-is-bounded", test_memory_is_bounded);
  g_test_add_func ("/panels/pool", test_pool);
  g_test_add_func ("/panels/refused", test_refused);
  g_test_add_func ("/panels/failing-map", test_failing_map);
  g_test_add_func ("/panels/progress-and-stop", test_progress_and_stop);
  g_test_add_func ("/panels/odd-weights", test_odd_weights);
  return g_test_run ();
}
