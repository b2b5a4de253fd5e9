/* SPDX-License-Identifier: MIT */
/* Small weights dropped from rows, against closed forms and a sorted copy. */
#include "arrange-source.h"

#include "attn/arrange.h"
#include "attn/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One row of given weights. */
typedef struct {
  size_t n;
  float weights[];
} Row;

static bool
row_compute (void *source,
             size_t layer G_GNUC_UNUSED,
             size_t head G_GNUC_UNUSED,
             float *weights,
             GError **error G_GNUC_UNUSED)
{
  const Row *row = source;
  memcpy (weights, row->weights, row->n * sizeof *weights);
  return true;
}

static const char *
row_peek_label (void *source G_GNUC_UNUSED, AttnSide side G_GNUC_UNUSED, size_t i G_GNUC_UNUSED)
{
  return "x";
}

static void
row_get_visible (void *source,
                 size_t layer G_GNUC_UNUSED,
                 size_t query G_GNUC_UNUSED,
                 size_t *first,
                 size_t *end)
{
  *first = 0;
  *end = ((const Row *)source)->n;
}

static AttnMaps *
row_maps_new (const float *weights, size_t n)
{
  Row *row = g_malloc (sizeof *row + n * sizeof (float));
  row->n = n;
  memcpy (row->weights, weights, n * sizeof (float));
  AttnMapsClass klass = {
      .n_layers = 1,
      .n_heads = 1,
      .n_queries = 1,
      .n_keys = n,
      .compute = row_compute,
      .peek_label = row_peek_label,
      .get_visible = row_get_visible,
      .free = g_free,
  };
  return attn_maps_new (&klass, row);
}

static void
assert_long_row (const float *weights, size_t n, AttnArrangement how, const float *expected)
{
  g_autoptr (AttnMaps) maps = row_maps_new (weights, n);
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) made = attn_maps_arrange (maps, &how, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autofree float *row = arrange_compute (made, 0, 0);
  for (size_t k = 0; k < n; k++)
    if (isnan (expected[k]))
      g_assert_true (isnan (row[k]));
    else
      g_assert_cmpfloat (row[k], ==, expected[k]);
}

enum { ROW_LENGTH = 8 };
static const float row_weights[ROW_LENGTH] = {0.25F, 0.125F, 0, 0.25F, 0, 0.25F, 0.125F, 0};

static void
assert_row (const float *weights, AttnArrangement how, const float *expected)
{
  assert_long_row (weights, ROW_LENGTH, how, expected);
}

static void
test_kept (void)
{
  static const float none[8] = {0};
  AttnArrangement above = {.keep = ATTN_KEEP_ABOVE, .threshold = 0.125};
  AttnArrangement top = {.keep = ATTN_KEEP_TOP, .n_top = 2};
  assert_row (row_weights, above, row_weights);
  above.threshold = 0.126;
  assert_row (row_weights, above, (float[]){0.25F, 0, 0, 0.25F, 0, 0.25F, 0, 0});
  above.threshold = 1;
  assert_row (row_weights, above, none);
  assert_row (row_weights, top, (float[]){0.25F, 0, 0, 0.25F, 0, 0, 0, 0});
  top.n_top = 4;
  assert_row (row_weights, top, (float[]){0.25F, 0.125F, 0, 0.25F, 0, 0.25F, 0, 0});
  top.n_top = 6;
  assert_row (row_weights, top, row_weights);
  top.n_top = 99;
  assert_row (row_weights, top, row_weights);
  assert_row (none, (AttnArrangement){.renormalise = true}, none);
  assert_row (none, top, none);
}

/* Rows of every length, of few values and of many, against a sorted copy. */
static int
compare_descending (const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x < y) - (x > y);
}

static void
test_kept_against_sorting (void)
{
  for (guint32 seed = 0; seed < 300; seed++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
    size_t n = (size_t)g_rand_int_range (rand, 1, 200);
    gint32 n_values = g_rand_int_range (rand, 1, 2 + (gint32)(seed % 3 == 0 ? 3 : n));
    size_t n_top = (size_t)g_rand_int_range (rand, 1, (gint32)n + 2);
    float weights[200], sorted[200], expected[200] = {0};
    for (size_t i = 0; i < n; i++)
      weights[i] = (float)g_rand_int_range (rand, 1, n_values + 1);
    memcpy (sorted, weights, n * sizeof *sorted);
    qsort (sorted, n, sizeof *sorted, compare_descending);
    for (size_t place = 0; place < MIN (n_top, n); place++) {
      size_t i = 0; /* the first of equal ones that is not taken yet */
      while (weights[i] != sorted[place] || expected[i] != 0)
        i++;
      expected[i] = weights[i];
    }
    assert_long_row (weights, n, (AttnArrangement){.keep = ATTN_KEEP_TOP, .n_top = n_top},
                     expected);
  }
}

/* A weight that is not a number stays so, and takes no other's place. */
static void
test_kept_nan (void)
{
  const float odd[] = {NAN, 0.125F, 0, 0.25F, 0, 0.5F, 0.125F, 0};
  assert_row (odd, (AttnArrangement){.keep = ATTN_KEEP_TOP, .n_top = 1},
              (float[]){NAN, 0, 0, 0, 0, 0.5F, 0, 0});
  assert_row (odd, (AttnArrangement){.keep = ATTN_KEEP_ABOVE, .threshold = 0.3},
              (float[]){NAN, 0, 0, 0, 0, 0.5F, 0, 0});
  const float all[] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  assert_row (all, (AttnArrangement){.keep = ATTN_KEEP_TOP, .n_top = 1}, all);
  assert_row (all, (AttnArrangement){.renormalise = true}, all);
}

static bool
failing_compute (void *source G_GNUC_UNUSED,
                 size_t layer G_GNUC_UNUSED,
                 size_t head G_GNUC_UNUSED,
                 float *weights G_GNUC_UNUSED,
                 GError **error)
{
  g_set_error_literal (error, ATTN_ERROR, ATTN_ERROR_IO, "no such map");
  return false;
}

static void
test_failing_source (void)
{
  AttnMapsClass klass = {
      .n_layers = 1,
      .n_heads = 2,
      .n_queries = 1,
      .n_keys = ROW_LENGTH,
      .compute = failing_compute,
      .peek_label = row_peek_label,
      .get_visible = row_get_visible,
      .free = g_free,
  };
  g_autoptr (AttnMaps) maps = attn_maps_new (&klass, NULL);
  AttnArrangement how = {.combine = ATTN_COMBINE_MEAN, .renormalise = true};
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) made = attn_maps_arrange (maps, &how, NULL, NULL, &error);
  g_assert_no_error (error);
  float weights[ROW_LENGTH];
  g_assert_false (attn_maps_compute (made, 0, 0, weights, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arrange/kept", test_kept);
  g_test_add_func ("/arrange/kept/against-sorting", test_kept_against_sorting);
  g_test_add_func ("/arrange/kept/nan", test_kept_nan);
  g_test_add_func ("/arrange/kept/failing-source", test_failing_source);
  return g_test_run ();
}
