/* SPDX-License-Identifier: MIT */
/* Column means and the most attended tokens. */
#include "attn/metrics.h"

#include <math.h>

static void
test_column_means (void)
{
  float weights[] = {0.5F, 0.25F, 0.25F, 0, 1, 0};
  AttnMap map = {.n_queries = 2, .n_keys = 3, .weights = weights};
  float means[3];
  g_assert_cmpuint (attn_map_compute_column_means (&map, means), ==, 2);
  g_assert_cmpfloat (means[0], ==, 0.25F);
  g_assert_cmpfloat (means[1], ==, 0.625F);
  g_assert_cmpfloat (means[2], ==, 0.125F);
}

/* A row with what is no finite number hides no key's mean, and is counted out. */
static void
test_column_means_of_odd_rows (void)
{
  float weights[] = {0.5F, 0.5F, NAN, 1, 0.25F, 0.75F, 0, -INFINITY};
  AttnMap map = {.n_queries = 4, .n_keys = 2, .weights = weights};
  float means[2];
  g_assert_cmpuint (attn_map_compute_column_means (&map, means), ==, 2);
  g_assert_cmpfloat (means[0], ==, 0.375F);
  g_assert_cmpfloat (means[1], ==, 0.625F);
  map.n_queries = 1;
  map.weights = weights + 2;
  g_assert_cmpuint (attn_map_compute_column_means (&map, means), ==, 0);
  g_assert_true (isnan (means[0]) && isnan (means[1]));
}

/* A sum in f32 would stop growing at 2^21. */
static void
test_column_means_of_many_rows (void)
{
  size_t n = 1 << 24;
  g_autofree float *weights = g_new (float, n);
  for (size_t i = 0; i < n; i++)
    weights[i] = 0.1F;
  AttnMap map = {.n_queries = n, .n_keys = 1, .weights = weights};
  float mean;
  attn_map_compute_column_means (&map, &mean);
  g_assert_cmpfloat_with_epsilon (mean, 0.1F, 1e-7F); /* one rounding of f32 */
}

static void
assert_top (const float *values, size_t n, size_t k, const size_t *expected, size_t n_expected)
{
  g_autofree AttnAttended *top = g_new (AttnAttended, MAX (k, 1));
  g_assert_cmpuint (attn_top_attended (values, n, top, k), ==, n_expected);
  for (size_t i = 0; i < n_expected; i++) {
    g_assert_cmpuint (top[i].key, ==, expected[i]);
    g_assert_true (top[i].value == values[top[i].key] || isnan (top[i].value));
  }
}

static void
test_top (void)
{
  const float values[] = {0.1F, 0.4F, 0.1F, 0.3F, 0.1F};
  assert_top (values, 5, 3, (const size_t[]){1, 3, 0}, 3);
  assert_top (values, 5, 4, (const size_t[]){1, 3, 0, 2}, 4);
  assert_top (values, 5, 9, (const size_t[]){1, 3, 0, 2, 4}, 5);
  assert_top (values, 5, 0, NULL, 0);
  assert_top (values, 0, 3, NULL, 0);
}

static void
test_top_of_equal_values (void)
{
  const float values[] = {0.25F, 0.25F, 0.25F, 0.25F};
  assert_top (values, 4, 1, (const size_t[]){0}, 1);
  assert_top (values, 4, 3, (const size_t[]){0, 1, 2}, 3);
}

static void
test_top_with_special_values (void)
{
  const float values[] = {NAN, -INFINITY, 0, INFINITY, NAN, -0.0F};
  assert_top (values, 6, 2, (const size_t[]){3, 2}, 2);
  assert_top (values, 6, 6, (const size_t[]){3, 2, 5, 1, 0, 4}, 6);
}

static int
compare_floats_falling (const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* Against a full sort, with many equal values. */
static void
test_top_of_random_values (void)
{
  enum { N = 1000 };
  float values[N], sorted[N];
  for (size_t round = 0; round < 50; round++) {
    for (size_t i = 0; i < N; i++)
      values[i] = sorted[i] = (float)g_test_rand_int_range (0, 200);
    qsort (sorted, N, sizeof *sorted, compare_floats_falling);
    size_t k = (size_t)g_test_rand_int_range (1, N + 1);
    g_autofree AttnAttended *top = g_new (AttnAttended, k);
    g_assert_cmpuint (attn_top_attended (values, N, top, k), ==, k);
    for (size_t i = 0; i < k; i++) {
      g_assert_cmpfloat (top[i].value, ==, sorted[i]);
      g_assert_cmpfloat (top[i].value, ==, values[top[i].key]);
      g_assert_true (i == 0 || top[i - 1].value > top[i].value || top[i - 1].key < top[i].key);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/metrics/column-means", test_column_means);
  g_test_add_func ("/metrics/column-means/odd-rows", test_column_means_of_odd_rows);
  g_test_add_func ("/metrics/column-means/many-rows", test_column_means_of_many_rows);
  g_test_add_func ("/metrics/top", test_top);
  g_test_add_func ("/metrics/top/equal", test_top_of_equal_values);
  g_test_add_func ("/metrics/top/special", test_top_with_special_values);
  g_test_add_func ("/metrics/top/random", test_top_of_random_values);
  return g_test_run ();
}
