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
  g_assert_true (attn_draw_panels_has_nan (panels));
  g_assert_true (attn_draw_panels_has_hidden (panels));

  fixture.weights = zeros;
  fixture.causal = false;
  g_autoptr (AttnDrawPanels) flat = fixture_make_panels (&fixture, view);
  g_assert_cmpfloat (attn_draw_panels_get_max (flat, 0), ==, 1);
  g_assert_false (attn_draw_panels_has_nan (flat));
  g_assert_false (attn_draw_panels_has_hidden (flat));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/panels/ranges", test_ranges);
  g_test_add_func ("/panels/maps", test_maps);
  g_test_add_func ("/panels/pool", test_pool);
  g_test_add_func ("/panels/refused", test_refused);
  g_test_add_func ("/panels/failing-map", test_failing_map);
  g_test_add_func ("/panels/progress-and-stop", test_progress_and_stop);
  g_test_add_func ("/panels/odd-weights", test_odd_weights);
  return g_test_run ();
}
