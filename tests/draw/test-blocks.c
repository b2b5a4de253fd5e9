/* SPDX-License-Identifier: MIT */
/* Blocks of a map against plain loops: the largest of what may be seen, and who may not. */
#include "blocks.h"
#include "draw-fixture.h"

#include <math.h>
#include <string.h>

typedef struct {
  size_t n_queries, n_keys, queries_per_row, keys_per_column;
  bool causal;
  int n_odd; /* cells that are no weights */
} Case;

/* Few different weights, so that many are equal; all of them exact in f32. */
static float *
make_weights (const Case *c, GRand *rand)
{
  size_t n = c->n_queries * c->n_keys;
  static const float odd[] = {NAN, INFINITY, -INFINITY, -0.5f, -FLT_MAX};
  float *weights = g_new (float, n);

  for (size_t i = 0; i < n; i++)
    weights[i] = (float)g_rand_int_range (rand, 0, 64) / 64;
  for (int i = 0; i < c->n_odd; i++)
    weights[g_rand_int_range (rand, 0, (gint32)n)] =
        odd[g_rand_int_range (rand, 0, G_N_ELEMENTS (odd))];
  return weights;
}

typedef struct {
  float most;
  float most_finite;
  bool is_seen;
  unsigned odd;
} Wanted;

static Wanted
look (const Case *c, const float *weights, size_t row, size_t column)
{
  Wanted wanted = {-INFINITY, 0, false, 0};

  for (size_t query = row * c->queries_per_row; query < (row + 1) * c->queries_per_row; query++)
    for (size_t key = column * c->keys_per_column; key < (column + 1) * c->keys_per_column; key++) {
      if (query >= c->n_queries || key >= c->n_keys || (c->causal && key > query))
        continue;
      float weight = weights[query * c->n_keys + key];
      wanted.is_seen = true;
      wanted.odd |= isnan (weight)   ? ATTN_DRAW_ODD_NAN
                    : isinf (weight) ? ATTN_DRAW_ODD_INFINITE
                    : weight < 0     ? ATTN_DRAW_ODD_NEGATIVE
                                     : 0;
      if (isfinite (weight))
        wanted.most_finite = MAX (wanted.most_finite, weight);
      wanted.most = weight > wanted.most ? weight : wanted.most;
    }
  return wanted;
}

static void
check_case (const Case *c, GRand *rand)
{
  g_autofree float *weights = make_weights (c, rand);
  Fixture fixture = {.n_layers = 1,
                     .n_heads = 1,
                     .n_queries = c->n_queries,
                     .n_keys = c->n_keys,
                     .causal = c->causal};
  g_autoptr (AttnMaps) maps = fixture_make_maps (&fixture);
  AttnDrawBlocks blocks;
  attn_draw_blocks_init (&blocks, maps, c->queries_per_row, c->keys_per_column);
  g_autofree float *pooled = g_new (float, blocks.n_rows *blocks.n_columns);
  g_autofree size_t *first = g_new (size_t, blocks.n_rows);
  g_autofree size_t *end = g_new (size_t, blocks.n_rows);
  bool has_hidden = attn_draw_blocks_find_visible (&blocks, maps, 0, first, end);
  AttnDrawPeak peak = attn_draw_blocks_pool (&blocks, maps, 0, weights, pooled);
  AttnDrawPeak wanted_peak = {0, 0};
  bool wanted_hidden = false;

  for (size_t row = 0; row < blocks.n_rows; row++)
    for (size_t column = 0; column < blocks.n_columns; column++) {
      Wanted wanted = look (c, weights, row, column);
      float got = pooled[row * blocks.n_columns + column];
      g_assert_cmpint (column >= first[row] && column < end[row], ==, wanted.is_seen);
      if ((wanted.odd & ATTN_DRAW_ODD_CROSSED) != 0)
        g_assert_true (isnan (got));
      else
        g_assert_cmpfloat (got, ==, wanted.is_seen ? wanted.most : 0);
      wanted_hidden |= !wanted.is_seen;
      wanted_peak.odd |= wanted.odd;
      wanted_peak.max = MAX (wanted_peak.max, wanted.most_finite);
    }
  g_assert_cmpint (has_hidden, ==, wanted_hidden);
  g_assert_cmpfloat (peak.max, ==, wanted_peak.max);
  g_assert_cmphex (peak.odd, ==, wanted_peak.odd);
  /* the same without keeping anything */
  AttnDrawPeak again = attn_draw_blocks_pool (&blocks, maps, 0, weights, NULL);
  g_assert_cmpfloat (again.max, ==, peak.max);
  g_assert_cmphex (again.odd, ==, peak.odd);
}

static void
test_against_loops (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);

  for (int trial = 0; trial < 300; trial++) {
    Case c = {
        .n_queries = (size_t)g_rand_int_range (rand, 1, 60),
        .n_keys = (size_t)g_rand_int_range (rand, 1, 60),
        .queries_per_row = (size_t)g_rand_int_range (rand, 1, 8),
        .keys_per_column = (size_t)g_rand_int_range (rand, 1, 8),
        .causal = trial % 3 == 0,
        .n_odd = trial % 4 == 0 ? 5 : 0,
    };
    check_case (&c, rand);
  }
}

/* Endless and negative weights: the range's end is finite, a block with an endless one is crossed,
 * a block of negative ones has the largest of them. */
static void
test_odd_weights (void)
{
  const float weights[] = {INFINITY, 0.5f, -1, -2, 0.25f, 0.125f, -4, -3};
  Fixture fixture = {.n_layers = 1, .n_heads = 1, .n_queries = 2, .n_keys = 4};
  g_autoptr (AttnMaps) maps = fixture_make_maps (&fixture);
  AttnDrawBlocks blocks;
  float pooled[2];

  attn_draw_blocks_init (&blocks, maps, 2, 2);
  AttnDrawPeak peak = attn_draw_blocks_pool (&blocks, maps, 0, weights, pooled);
  g_assert_cmpfloat (peak.max, ==, 0.5f);
  g_assert_cmphex (peak.odd, ==, ATTN_DRAW_ODD_INFINITE | ATTN_DRAW_ODD_NEGATIVE);
  g_assert_true (isnan (pooled[0]));
  g_assert_cmpfloat (pooled[1], ==, -1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/against-loops", test_against_loops);
  g_test_add_func ("/blocks/odd-weights", test_odd_weights);
  return g_test_run ();
}
