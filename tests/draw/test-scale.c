/* SPDX-License-Identifier: MIT */
/* The scales: codes in closed form, ranks against sorting, ticks where they belong. */
#include "draw-fixture.h"
#include "scale.h"
#include "ticks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static AttnDrawCoder
make_coder (AttnDrawScale scale, const float *weights, size_t n_queries, size_t n_keys)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  Fixture fixture = {
      .n_layers = 1, .n_heads = 1, .n_queries = n_queries, .n_keys = n_keys, .weights = weights};
  AttnDrawCoder coder;

  view->scale = scale;
  g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
  attn_draw_coder_init (&coder, layout, 0);
  return coder;
}

static void
test_linear (void)
{
  const float weights[] = {0, 0.2f, 0.4f, 0.5f};
  AttnDrawCoder coder = make_coder (ATTN_DRAW_SCALE_LINEAR, weights, 2, 2);

  g_assert_cmpuint (attn_draw_coder_code (&coder, 0), ==, 0);
  g_assert_cmpuint (attn_draw_coder_code (&coder, 0.2f), ==, 102);
  g_assert_cmpuint (attn_draw_coder_code (&coder, 0.5f), ==, 255);
  g_assert_false (attn_draw_coder_is_apart (&coder, 0));
}

/* Code = 255 (1 + log10 (w / max) / 4), rounded, within 0 … 255. */
static void
test_log (void)
{
  const float weights[] = {0, 0.8f, 1e-3f, 0.1f};
  AttnDrawCoder coder = make_coder (ATTN_DRAW_SCALE_LOG, weights, 2, 2);
  size_t n_codes = 0, last = 256;

  for (double place = -0.4; place <= 1.1; place += 1.0 / 4093) {
    double weight = (double)0.8f * pow (10, 4 * (place - 1));
    double exact = CLAMP (255 * place, 0, 255);
    unsigned code = attn_draw_coder_code (&coder, (float)weight);
    /* half a code is rounding; the rest is what a float's last bit moves the place by */
    g_assert_cmpfloat (fabs ((double)code - exact), <=, 0.5 + 1e-4);
    n_codes += code != last;
    last = code;
  }
  g_assert_cmpuint (n_codes, ==, 256);
  g_assert_cmpuint (attn_draw_coder_code (&coder, 0.8f), ==, 255);
  g_assert_cmpuint (attn_draw_coder_code (&coder, INFINITY), ==, 255);
  g_assert_cmpuint (attn_draw_coder_code (&coder, 1e-30f), ==, 0);
  g_assert_true (attn_draw_coder_is_apart (&coder, 0));
  g_assert_true (attn_draw_coder_is_apart (&coder, -0.0f));
  g_assert_false (attn_draw_coder_is_apart (&coder, 1e-30f));
}

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return x < y ? -1 : x > y;
}

/* The share of the other weights that are smaller, times 255, rounded half up. */
static void
assert_ranks (
    const float *weights, size_t n_queries, size_t n_keys, const size_t *first, const size_t *end)
{
  g_autofree float *sorted = g_new (float, n_queries *n_keys + 1);
  AttnDrawCoder coder = {.scale = ATTN_DRAW_SCALE_RANK};
  size_t n = 0;

  attn_draw_ranks_find (weights, n_queries, n_keys, first, end, coder.least);
  for (size_t query = 0; query < n_queries; query++)
    for (size_t key = first[query]; key < end[query]; key++) {
      float weight = weights[query * n_keys + key];
      if (!isnan (weight) && weight != 0)
        sorted[n++] = weight;
    }
  qsort (sorted, n, sizeof *sorted, compare_floats);
  size_t n_smaller = 0;
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && sorted[i] > sorted[i - 1])
      n_smaller = i;
    size_t exact = n == 1 ? 255 : (2 * 255 * n_smaller + (n - 1)) / (2 * (n - 1));
    g_assert_cmpuint (attn_draw_coder_code (&coder, sorted[i]), ==, exact);
  }
}

static void
test_ranks (void)
{
  static const size_t sizes[][2] = {{1, 1},   {1, 2},   {3, 3},    {7, 40},
                                    {16, 16}, {64, 64}, {200, 300}};
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int kind = 0; kind < 5; kind++) {
      size_t n_queries = sizes[s][0], n_keys = sizes[s][1];
      g_autofree float *weights = g_new (float, n_queries *n_keys);
      g_autofree size_t *first = g_new0 (size_t, n_queries);
      g_autofree size_t *end = g_new (size_t, n_queries);
      for (size_t query = 0; query < n_queries; query++)
        end[query] = kind == 1 ? MIN (query + 1, n_keys) : n_keys;
      for (size_t i = 0; i < n_queries * n_keys; i++) {
        double u = g_rand_double (rand);
        double values[] = {u, exp (-30 * u), floor (5 * u) / 5, u < 0.1 ? (double)NAN : u - 0.5,
                           0.25};
        weights[i] = (float)values[kind];
      }
      assert_ranks (weights, n_queries, n_keys, first, end);
    }
}

/* Equal weights have the same colour, whatever the map; zeros are not ranked. */
static void
test_rank_closed_form (void)
{
  const float weights[] = {0, 1e-6f, 0.5f, 0.5f, 0.75f, 0};
  AttnDrawCoder coder = make_coder (ATTN_DRAW_SCALE_RANK, weights, 2, 3);

  g_assert_cmpuint (attn_draw_coder_code (&coder, 1e-6f), ==, 0);
  g_assert_cmpuint (attn_draw_coder_code (&coder, 0.5f), ==, 85); /* one of three others */
  g_assert_cmpuint (attn_draw_coder_code (&coder, 0.75f), ==, 255);
  g_assert_true (attn_draw_coder_is_apart (&coder, 0));
}

static void
assert_apart (const AttnDrawTicks *ticks, double height, double spacing)
{
  for (size_t i = 0; i < ticks->n; i++) {
    g_assert_cmpfloat (ticks->places[i], >=, -1e-9);
    g_assert_cmpfloat (ticks->places[i], <=, 1 + 1e-9);
    if (i > 0) /* three quarters of the spacing is the least that is taken */
      g_assert_cmpfloat ((ticks->places[i] - ticks->places[i - 1]) * height, >=, 0.74 * spacing);
  }
}

/* Powers of ten stand where their logarithms are, and nothing else stands between the ends. */
static void
test_log_ticks (void)
{
  static const double maxima[] = {1, 0.83, 0.1, 0.011, 3e-5, 2e-9, 42, 9.99e7};

  for (size_t m = 0; m < G_N_ELEMENTS (maxima); m++)
    for (double height = 0; height < 900; height += 60) {
      double max = maxima[m];
      AttnDrawTicks ticks = attn_draw_ticks_find (ATTN_DRAW_SCALE_LOG, max, height, 30);
      assert_apart (&ticks, height, 30);
      for (size_t i = 0; i < ticks.n; i++) {
        double power = log10 (ticks.values[i]);
        g_assert_cmpfloat (fabs (ticks.places[i] - (1 + (power - log10 (max)) / 4)), <, 1e-9);
        if (i > 0 && i + 1 < ticks.n)
          g_assert_cmpfloat (fabs (power - round (power)), <, 1e-9);
      }
      if (height >= 30)
        g_assert_cmpfloat (ticks.values[ticks.n - 1], ==, max);
      if (height >= 300)
        g_assert_cmpuint (ticks.n, >=, 5);
    }
  AttnDrawTicks ticks = attn_draw_ticks_find (ATTN_DRAW_SCALE_LOG, 0.83, 500, 30);
  static const char *const texts[] = {"≤ 0.000083", "0.001", "0.01", "0.1", "0.83"};
  g_assert_cmpuint (ticks.n, ==, G_N_ELEMENTS (texts));
  for (size_t i = 0; i < ticks.n; i++) {
    g_autofree char *text = attn_draw_ticks_format (&ticks, i);
    g_assert_cmpstr (text, ==, texts[i]);
  }
}

static void
test_rank_ticks (void)
{
  static const char *const texts[] = {"0%", "25%", "50%", "75%", "100%"};

  for (double height = 0; height < 900; height += 10) {
    AttnDrawTicks ticks = attn_draw_ticks_find (ATTN_DRAW_SCALE_RANK, 0.3, height, 30);
    assert_apart (&ticks, height, 30);
    for (size_t i = 0; i < ticks.n; i++)
      g_assert_cmpfloat (ticks.places[i], ==, ticks.values[i]);
  }
  AttnDrawTicks ticks = attn_draw_ticks_find (ATTN_DRAW_SCALE_RANK, 0.3, 300, 30);
  g_assert_cmpuint (ticks.n, ==, G_N_ELEMENTS (texts));
  for (size_t i = 0; i < ticks.n; i++) {
    g_autofree char *text = attn_draw_ticks_format (&ticks, i);
    g_assert_cmpstr (text, ==, texts[i]);
  }
}

/* A bar's colour beside a tick is the colour of the tick's weight. */
static void
test_ticks_match_codes (void)
{
  const float weights[] = {0.6f, 1e-3f, 0.1f, 0.02f};
  AttnDrawCoder coder = make_coder (ATTN_DRAW_SCALE_LOG, weights, 2, 2);
  AttnDrawTicks ticks = attn_draw_ticks_find (ATTN_DRAW_SCALE_LOG, (double)0.6f, 500, 30);

  for (size_t i = 0; i < ticks.n; i++) {
    unsigned code = attn_draw_coder_code (&coder, (float)ticks.values[i]);
    g_assert_cmpfloat (fabs (ticks.places[i] * 255 - (double)code), <=, 0.5 + 1e-4);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scale/linear", test_linear);
  g_test_add_func ("/scale/log", test_log);
  g_test_add_func ("/scale/ranks", test_ranks);
  g_test_add_func ("/scale/rank-closed-form", test_rank_closed_form);
  g_test_add_func ("/scale/log-ticks", test_log_ticks);
  g_test_add_func ("/scale/rank-ticks", test_rank_ticks);
  g_test_add_func ("/scale/ticks-match-codes", test_ticks_match_codes);
  return g_test_run ();
}
