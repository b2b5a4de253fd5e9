/* SPDX-License-Identifier: MIT */
/* Attention with everything families add to it: hidden keys, biases and terms for distances. */
#include "kernel-choice.h"
#include "kernels.h"
#include "linear.h"
#include "ops.h"

#include "attn/pool.h"

#include <math.h>
#include <string.h>

#define N_ROWS 21 /* of the distances' matrices: no multiple of a panel */

typedef struct {
  const char *name;
  bool causal;
  size_t hidden_from;
  bool bias, keys, queries;
  int slope; /* of the distances' rows; 0: 1 */
} Rule;

static const Rule rules[] = {
    {"plain", false, 0, false, false, false},        {"causal", true, 0, false, false, false},
    {"window", false, 9, false, false, false},       {"only-itself", false, 1, false, false, false},
    {"causal-window", true, 17, true, false, false}, {"bias", false, 0, true, false, false},
    {"keys", false, 0, false, true, false},          {"queries", false, 0, false, false, true},
    {"all-terms", true, 40, true, true, true},       {"both-terms", false, 0, false, true, true},
    {"steep-terms", false, 0, false, true, true, 5},
};

/* A head with all it may read. */
typedef struct {
  size_t T, d_k;
  float *qkv, *bias, *keys, *queries; /* the latter two [N_ROWS, d_k] */
  float *key_panels, *query_panels;
  int32_t *rows, *all_rows;
  AttnAttendCall call;
} Head;

static float *
random_array (size_t n)
{
  float *array = g_new (float, n);
  for (size_t i = 0; i < n; i++)
    array[i] = (float)g_test_rand_double_range (-1, 1);
  return array;
}

static float *
pack (const float *rows, size_t d_k)
{
  AttnLinear linear = {.n_in = d_k, .n_out = N_ROWS};
  linear.panels = g_aligned_alloc0 (attn_linear_packed_size (d_k, N_ROWS), sizeof (float), 64);
  attn_linear_pack_rows (&linear, rows, 0, N_ROWS);
  return linear.panels;
}

static Head
new_head (const Rule *rule, size_t T, size_t d_k)
{
  const size_t ld = 3 * d_k + 3, n_distances = 2 * T - 1;
  Head head = {
      .T = T, .d_k = d_k, .qkv = random_array (T * ld), .bias = random_array (n_distances)};
  head.keys = random_array (N_ROWS * d_k);
  head.queries = random_array (N_ROWS * d_k);
  head.key_panels = pack (head.keys, d_k);
  head.query_panels = pack (head.queries, d_k);
  head.all_rows = g_new (int32_t, n_distances + 2 * ATTN_DISTANCE_MARGIN);
  head.rows = head.all_rows + ATTN_DISTANCE_MARGIN;
  const int32_t slope = MAX (rule->slope, 1), last = (int32_t)n_distances + ATTN_DISTANCE_MARGIN;
  for (int32_t i = -ATTN_DISTANCE_MARGIN; i < last; i++)
    head.rows[i] = CLAMP (slope * (i - (int32_t)T + 1) + N_ROWS / 2, 0, N_ROWS - 1);
  head.call = (AttnAttendCall){
      .score =
          {.q = head.qkv, .k = head.qkv + d_k, .ldq = ld, .ldk = ld, .n_tokens = T, .d_k = d_k},
      .v = head.qkv + 2 * d_k,
      .ldv = ld,
      .n_queries = T,
      .ldo = d_k,
  };
  AttnScoreCall *score = &head.call.score;
  score->scale = (float)(2 / sqrt ((double)d_k));
  score->causal = rule->causal;
  score->hidden_from = rule->hidden_from;
  score->bias = rule->bias ? head.bias : NULL;
  if (rule->keys || rule->queries)
    score->terms = (AttnDistanceTerms){
        .keys = rule->keys ? head.key_panels : NULL,
        .queries = rule->queries ? head.query_panels : NULL,
        .rows = head.rows,
    };
  return head;
}

static void
clear_head (Head *head)
{
  g_free (head->qkv);
  g_free (head->bias);
  g_free (head->keys);
  g_free (head->queries);
  g_free (head->all_rows);
  g_aligned_free (head->key_panels);
  g_aligned_free (head->query_panels);
}

static bool
is_visible (const Rule *rule, size_t query, size_t key)
{
  size_t distance = query > key ? query - key : key - query;
  return !(rule->causal && key > query) &&
         !(rule->hidden_from > 0 && distance >= rule->hidden_from);
}

static double
multiply (const float *a, const float *b, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (double)a[i] * (double)b[i];
  return sum;
}

/* A score by its definition. */
static double
compute_score (const Head *head, const Rule *rule, size_t query, size_t key)
{
  const AttnScoreCall *call = &head->call.score;
  const float *q = call->q + query * call->ldq, *k = call->k + key * call->ldk;
  const size_t row = (size_t)head->rows[query + head->T - 1 - key];
  double sum = multiply (q, k, head->d_k);
  if (rule->keys)
    sum += multiply (q, head->keys + row * head->d_k, head->d_k);
  if (rule->queries)
    sum += multiply (k, head->queries + row * head->d_k, head->d_k);
  sum *= (double)call->scale;
  return rule->bias ? sum + (double)head->bias[key + head->T - 1 - query] : sum;
}

/* Sums of up to 64 products below 1, three of them: some 1e-6 off in single precision. */
static void
check_scores (const Head *head, const Rule *rule)
{
  const size_t T = head->T;
  g_autofree float *scores = g_new (float, T *T);
  attn_ops_scores (&head->call.score, scores);
  for (size_t query = 0; query < T; query++) {
    size_t first, end;
    attn_ops_get_visible (&head->call.score, query, &first, &end);
    for (size_t key = 0; key < T; key++) {
      g_assert_true (is_visible (rule, query, key) == (key >= first && key < end));
      if (is_visible (rule, query, key))
        g_assert_cmpfloat_with_epsilon ((double)scores[query * T + key],
                                        compute_score (head, rule, query, key), 1e-5);
      else
        g_assert_true (scores[query * T + key] == -INFINITY);
    }
  }
}

static void
check_map (const Head *head, const Rule *rule, const float *map)
{
  const size_t T = head->T;
  g_autofree double *expected = g_new (double, T);
  for (size_t query = 0; query < T; query++) {
    double sum = 0;
    for (size_t key = 0; key < T; key++) {
      bool visible = is_visible (rule, query, key);
      expected[key] = visible ? exp (compute_score (head, rule, query, key)) : 0;
      sum += expected[key];
    }
    for (size_t key = 0; key < T; key++) {
      /* a score that is 1e-5 off turns a weight by as much of itself */
      g_assert_cmpfloat_with_epsilon ((double)map[query * T + key], expected[key] / sum, 1e-5);
      g_assert_true (is_visible (rule, query, key) == (map[query * T + key] > 0));
    }
  }
}

/* The fused call gives the bits of map and mix, in cuts of the usual size or any; OpenBLAS sums a
 * shorter range in another order, by some roundings of weights that sum to 1. */
static void
check_attend (const Head *head, const float *map)
{
  const size_t T = head->T, n = T * head->d_k;
  const bool same_bits = attn_kernels_get ()->same_bits;
  g_autofree float *expected = g_new (float, n), *out = g_new (float, n);
  float *scratch =
      g_aligned_alloc (attn_ops_attend_scratch_size (&head->call.score), sizeof (float), 64);
  attn_ops_mix_values (map, head->call.v, head->call.ldv, T, head->d_k, expected, head->d_k);
  AttnAttendCall call = head->call;
  call.out = out;
  for (size_t step = same_bits ? 5 : ATTN_QUERIES_PER_PIECE; step < 4 * T + 5; step *= 5) {
    memset (out, 0, n * sizeof *out);
    for (call.first_query = 0; call.first_query < T; call.first_query += step) {
      call.n_queries = MIN (step, T - call.first_query);
      attn_ops_attend (&call, scratch);
    }
    if (same_bits)
      g_assert_cmpmem (out, n * sizeof *out, expected, n * sizeof *out);
    for (size_t i = 0; i < n; i++)
      g_assert_cmpfloat_with_epsilon (out[i], expected[i], 1e-6F);
  }
  g_aligned_free (scratch);
}

static void
test_rule (gconstpointer data)
{
  const Rule *rule = data;
  static const size_t lengths[] = {1, 2, 8, 9, 10, 16, 17, 18, 33, 130, 300};
  static const size_t widths[] = {1, 8, 24, 64};
  for (size_t l = 0; l < G_N_ELEMENTS (lengths); l++)
    for (size_t w = 0; w < G_N_ELEMENTS (widths); w++) {
      const size_t T = lengths[l];
      Head head = new_head (rule, T, widths[w]);
      g_autofree float *map = g_new (float, T *T);
      check_scores (&head, rule);
      attn_ops_map (&head.call.score, map);
      check_map (&head, rule, map);
      check_attend (&head, map);
      clear_head (&head);
    }
}

/* out [T, d_k] of a whole head */
static void
attend (const Head *head, float *out)
{
  AttnAttendCall call = head->call;
  float *scratch = g_aligned_alloc (attn_ops_attend_scratch_size (&call.score), sizeof (float), 64);
  call.out = out;
  attn_ops_attend (&call, scratch);
  g_aligned_free (scratch);
}

/* What a query cannot see does not reach its row of the map, not even as NaN. */
static void
test_hidden_nan (void)
{
  const Rule rule = {"causal", true, 0, false, false, false};
  const size_t T = 70;
  Head head = new_head (&rule, T, 16);
  g_autofree float *clean = g_new (float, T *T), *map = g_new (float, T *T);
  attn_ops_map (&head.call.score, clean);
  head.qkv[(T - 1) * head.call.score.ldk + 16] = NAN; /* a key */
  attn_ops_map (&head.call.score, map);
  g_assert_cmpmem (map, (T - 1) * T * sizeof *map, clean, (T - 1) * T * sizeof *map);
  for (size_t key = 0; key < T; key++)
    g_assert_true (isnan (map[(T - 1) * T + key]));
  clear_head (&head);
}

/* Nor its mixed values, where 0 times NaN would be NaN; whoever sees it has it. Sums over another
 * number of rows may come in another order (OpenBLAS). */
static void
test_hidden_odd_values (void)
{
  static const float odd[] = {NAN, INFINITY, -INFINITY};
  const Rule hiding[] = {{"causal", true, 0, false, false, false},
                         {"window", false, 9, false, false, false}};
  const size_t T = 70, d_k = 16, at = 50;
  for (size_t i = 0; i < G_N_ELEMENTS (odd) * G_N_ELEMENTS (hiding); i++) {
    const Rule *rule = &hiding[i % G_N_ELEMENTS (hiding)];
    Head head = new_head (rule, T, d_k);
    g_autofree float *clean = g_new (float, T *d_k), *out = g_new (float, T *d_k);
    attend (&head, clean);
    head.qkv[at * head.call.ldv + 2 * d_k + 3] = odd[i / G_N_ELEMENTS (hiding)]; /* a value */
    attend (&head, out);
    for (size_t query = 0; query < T; query++)
      for (size_t c = 0; c < d_k; c++)
        if (c == 3 && is_visible (rule, query, at))
          g_assert_false (isfinite (out[query * d_k + c]));
        else
          g_assert_cmpfloat_with_epsilon (out[query * d_k + c], clean[query * d_k + c], 1e-6F);
    clear_head (&head);
  }
}

/* ---- stopping ---- */

typedef struct {
  size_t n_asked, most; /* times that it says: go on */
} Patience;

static bool
is_over (void *data)
{
  Patience *patience = data;
  return patience->n_asked++ >= patience->most;
}

/* Returns: rows that a head with @patience got; the others are left as they were. */
static size_t
count_rows (Head *head, Patience *patience, const float *whole)
{
  g_autoptr (AttnPool) pool = attn_pool_new (1);
  g_autofree float *out = g_new0 (float, head->T * head->d_k);
  size_t n = 0;
  attn_pool_set_stop (pool, is_over, patience);
  head->call.pool = pool;
  attend (head, out);
  head->call.pool = NULL;
  while (n < head->T && out[n * head->d_k] != 0)
    n++;
  g_assert_cmpmem (out, n * head->d_k * sizeof *out, whole, n * head->d_k * sizeof *out);
  for (size_t i = n * head->d_k; i < head->T * head->d_k; i++)
    g_assert_true (out[i] == 0);
  return n;
}

/* Who is asked may say so while keys and values are packed, and then nothing is written, or between
 * blocks of queries, and then what was written is right. */
static void
test_stopped (void)
{
  Head head = new_head (&rules[0], 300, 40);
  g_autofree float *whole = g_new (float, head.T *head.d_k);
  attend (&head, whole);
  Patience patient = {0, G_MAXSIZE};
  g_assert_cmpuint (count_rows (&head, &patient, whole), ==, head.T);
  size_t before = 0, n_blocks = 0;
  for (size_t most = 0; most < patient.n_asked; most++) {
    Patience patience = {0, most};
    const size_t n = count_rows (&head, &patience, whole);
    g_assert_cmpuint (n, >=, before);
    g_assert_cmpuint (n, <, head.T);
    n_blocks += n > before;
    before = n;
  }
  g_assert_cmpuint (n_blocks, >, 1);
  clear_head (&head);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!kernel_choice_read (argc, argv))
    return 0;
  for (size_t i = 0; i < G_N_ELEMENTS (rules); i++) {
    g_autofree char *path = g_strdup_printf ("/attend/%s", rules[i].name);
    g_test_add_data_func (path, &rules[i], test_rule);
  }
  g_test_add_func ("/attend/hidden-nan", test_hidden_nan);
  g_test_add_func ("/attend/hidden-odd-values", test_hidden_odd_values);
  g_test_add_func ("/attend/stopped", test_stopped);
  return g_test_run ();
}
