/* SPDX-License-Identifier: MIT */
/* The arithmetic of head counts beside counting in plain loops. */
#include "attn/lab.h"

static AttnLabCount
count (size_t d_model, size_t n_heads, size_t n_tokens, size_t n_layers)
{
  const AttnLabShape shape = {d_model, n_heads, n_tokens, n_layers};
  AttnLabCount answer;
  attn_lab_count (&shape, &answer);
  return answer;
}

/* Everything one block's matrices and maps hold and do, element by element. */
static AttnLabCount
count_by_loops (size_t D, size_t h, size_t T)
{
  AttnLabCount answer = {.divisible = D % h == 0, .d_k = D % h == 0 ? D / h : 0};
  for (size_t matrix = 0; matrix < 4; matrix++)
    for (size_t out = 0; out < D; out++) {
      answer.parameters_biased++;
      for (size_t in = 0; in < D; in++, answer.parameters++, answer.parameters_biased++)
        answer.projection_adds += T;
    }
  for (size_t head = 0; head < h; head++)
    for (size_t query = 0; query < T; query++)
      for (size_t key = 0; key < T; key++) {
        answer.exponentials++;
        answer.map_bytes += 4;
        answer.attention_adds += 2 * answer.d_k; /* q · k, and the value's share */
      }
  for (size_t n = 1; n <= D; n++)
    if (D % n == 0 && n < h)
      answer.heads_below = n;
    else if (D % n == 0 && n > h && answer.heads_above == 0)
      answer.heads_above = n;
  for (size_t width = h; width <= D + h; width += h)
    if (width < D)
      answer.width_below = width;
    else if (width > D && answer.width_above == 0)
      answer.width_above = width;
  return answer;
}

static void
test_loops (void)
{
  for (size_t D = 1; D <= 24; D++)
    for (size_t h = 1; h <= 30; h++) {
      const AttnLabCount got = count (D, h, 5, 1), wanted = count_by_loops (D, h, 5);
      g_assert_cmpint (got.divisible, ==, wanted.divisible);
      g_assert_cmpuint (got.d_k, ==, wanted.d_k);
      g_assert_cmpuint (got.heads_below, ==, wanted.heads_below);
      g_assert_cmpuint (got.heads_above, ==, wanted.heads_above);
      g_assert_cmpuint (got.width_below, ==, wanted.width_below);
      g_assert_cmpuint (got.width_above, ==, wanted.width_above);
      g_assert_cmpuint (got.parameters, ==, wanted.parameters);
      g_assert_cmpuint (got.parameters_biased, ==, wanted.parameters_biased);
      g_assert_cmpuint (got.projection_adds, ==, wanted.projection_adds);
      g_assert_cmpuint (got.exponentials, ==, wanted.exponentials);
      g_assert_cmpuint (got.map_bytes, ==, wanted.map_bytes);
      if (got.divisible)
        g_assert_cmpuint (got.attention_adds, ==, wanted.attention_adds);
    }
}

static void
test_layers (void)
{
  const AttnLabCount one = count (768, 12, 128, 1), twelve = count (768, 12, 128, 12);
  g_assert_cmpuint (one.parameters, ==, 2359296);
  g_assert_cmpuint (one.parameters_biased, ==, 2362368);
  g_assert_cmpuint (twelve.parameters, ==, 12 * one.parameters);
  g_assert_cmpuint (twelve.attention_adds, ==, 12 * one.attention_adds);
  g_assert_cmpuint (twelve.map_bytes, ==, 12 * one.map_bytes);
  g_assert_cmpuint (twelve.d_k, ==, 64);
}

/* The largest question still fits. */
static void
test_limits (void)
{
  const AttnLabCount largest =
      count (ATTN_LAB_MAX, ATTN_LAB_MAX, ATTN_LAB_MAX, ATTN_LAB_MAX_LAYERS);
  g_assert_cmpuint (largest.projection_adds, ==, (guint64)1 << 60);
  g_assert_cmpuint (largest.map_bytes, ==, (guint64)1 << 60);
  g_assert_cmpuint (largest.d_k, ==, 1);
  g_assert_cmpuint (largest.heads_above, ==, 0);
  g_assert_cmpuint (largest.width_below, ==, 0);
}

static void
test_presets (void)
{
  size_t n;
  const AttnLabPreset *presets = attn_lab_peek_presets (&n);
  g_assert_cmpuint (n, >, 0);
  for (size_t i = 0; i < n; i++) {
    const AttnLabCount answer =
        count (presets[i].d_model, presets[i].n_heads, 1, presets[i].n_layers);
    g_assert_true (answer.divisible);
    g_assert_cmpuint (answer.d_k, ==, 64); /* all of them chose this width */
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab/loops", test_loops);
  g_test_add_func ("/lab/layers", test_layers);
  g_test_add_func ("/lab/limits", test_limits);
  g_test_add_func ("/lab/presets", test_presets);
  return g_test_run ();
}
