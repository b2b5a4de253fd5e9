/* SPDX-License-Identifier: MIT */
/* Promises every family keeps: the same bits alone and in a batch, on any number of threads, and
 * maps that are those of the pass. */
#include "kernel-choice.h"
#include "kernels.h"
#include "model-private.h"
#include "trace-private.h"

#include "attn/error.h"
#include "attn/run.h"

#include <math.h>
#include <string.h>

#define V 97
#define MAX_TOKENS 300

/* Sizes that are no multiple of a vector or panel. */
#define SIZES \
  .n_layers = 3, .n_heads = 5, .d_model = 70, .d_k = 14, .d_ff = 131, .vocab_size = V, \
  .n_positions = MAX_TOKENS, .layer_norm_eps = 1e-6

static bool local_layers[] = {false, true, true};

static const AttnConfig configs[] = {
    {.family = (char[]){"bert"}, SIZES, .n_types = 2},
    {.family = (char[]){"roberta"}, SIZES, .n_types = 1, .n_skipped_positions = 2},
    {.family = (char[]){"distilbert"}, SIZES},
    {.family = (char[]){"albert"}, SIZES, .n_types = 2, .d_embed = 33, .n_layer_weights = 2},
    {.family = (char[]){"electra"}, SIZES, .n_types = 2, .d_embed = 33},
    {.family = (char[]){"mpnet"}, SIZES, .n_skipped_positions = 2, .n_buckets = 32},
    {.family = (char[]){"deberta-v2"},
     SIZES,
     .no_positions = true,
     .conv_width = 5,
     .relative = {.on = true,
                  .content_to_position = true,
                  .position_to_content = true,
                  .shared = true,
                  .normed = true,
                  .n_buckets = 16,
                  .max_distance = MAX_TOKENS}},
    {.family = (char[]){"deberta-v2"},
     SIZES,
     .d_embed = 33,
     .relative = {.on = true, .position_to_content = true, .max_distance = 20}},
    {.family = (char[]){"modernbert"},
     SIZES,
     .no_positions = true,
     .no_attention_bias = true,
     .no_ffn_bias = true,
     .no_norm_bias = true,
     .local_layers = local_layers,
     .hidden_from = 9,
     .rope_theta = 160000,
     .local_rope_theta = 10000},
    {.family = (char[]){"gpt2"}, SIZES},
};

static AttnModel *
make_model (const AttnConfig *config)
{
  g_autoptr (GError) error = NULL;
  AttnModel *model = attn_model_new_random (config, &error);
  g_assert_no_error (error);
  return model;
}

/* Text number @seed; token 1 is padding where positions are counted. */
static AttnRunInput
make_input (int32_t *ids, size_t n_tokens, size_t seed)
{
  for (size_t t = 0; t < n_tokens; t++)
    ids[t] = (int32_t)((t * 31 + seed * 7) % V);
  return (AttnRunInput){.ids = ids, .n_tokens = n_tokens};
}

/* OpenBLAS sums in an order that depends on the number of rows: values near 1 after each norm then
 * differ by some roundings. */
static void
assert_same_rows (const float *x, const float *y, size_t n)
{
  if (attn_kernels_get ()->same_bits)
    g_assert_cmpmem (x, n * sizeof *x, y, n * sizeof *y);
  else
    for (size_t i = 0; i < n; i++)
      g_assert_cmpfloat_with_epsilon (x[i], y[i], 1e-5F);
}

static void
assert_same_tap (const AttnTrace *a, const AttnTrace *b, AttnTap tap, size_t index)
{
  size_t D = attn_model_peek_config (attn_trace_peek_model (a))->d_model, lda, ldb;
  const float *x = attn_trace_peek_tap (a, tap, index, &lda);
  const float *y = attn_trace_peek_tap (b, tap, index, &ldb);
  for (size_t t = 0; t < attn_trace_get_n_tokens (a); t++)
    assert_same_rows (x + t * lda, y + t * ldb, D);
}

static void
assert_same_trace (const AttnTrace *a, const AttnTrace *b)
{
  const AttnConfig *config = attn_model_peek_config (attn_trace_peek_model (a));
  size_t n = attn_trace_get_n_tokens (a);
  g_assert_cmpuint (n, ==, attn_trace_get_n_tokens (b));
  g_autofree float *x = g_new (float, n *n), *y = g_new (float, n *n);
  for (size_t l = 0; l < config->n_layers; l++) {
    assert_same_tap (a, b, ATTN_TAP_HIDDEN, l);
    assert_same_tap (a, b, ATTN_TAP_QUERY, l);
    assert_same_tap (a, b, ATTN_TAP_KEY, l);
    assert_same_tap (a, b, ATTN_TAP_VALUE, l);
    attn_trace_compute_map (a, l, l % config->n_heads, x);
    attn_trace_compute_map (b, l, l % config->n_heads, y);
    assert_same_rows (x, y, n * n);
  }
  assert_same_tap (a, b, ATTN_TAP_LAST, 0);
  assert_same_tap (a, b, ATTN_TAP_HIDDEN, config->n_layers);
}

static void
check_batch (AttnModel *model, AttnPool *pool)
{
  static const size_t lengths[] = {14, 1, 299, 40, 2, 130, 27};
  enum { N = G_N_ELEMENTS (lengths) };
  g_autoptr (GError) error = NULL;
  int32_t ids[N][MAX_TOKENS];
  AttnRunInput inputs[N];
  AttnTrace *traces[N];
  for (size_t i = 0; i < N; i++)
    inputs[i] = make_input (ids[i], lengths[i], i);
  AttnRunOptions options = {.pool = pool};
  attn_model_run_batch (model, inputs, N, &options, traces, &error);
  g_assert_no_error (error);
  for (size_t i = 0; i < N; i++) {
    g_autoptr (AttnTrace) alone =
        attn_model_run_ids (model, ids[i], NULL, lengths[i], NULL, &error);
    g_assert_no_error (error);
    assert_same_trace (alone, traces[i]);
    attn_trace_unref (traces[i]); /* the others' memory must stay */
  }
}

static void
test_batch (gconstpointer data)
{
  g_autoptr (AttnModel) model = make_model (data);
  check_batch (model, NULL);
  for (size_t n_threads = 2; n_threads <= 3; n_threads++) {
    g_autoptr (AttnPool) pool = attn_pool_new (n_threads);
    check_batch (model, pool);
  }
}

/* Hidden keys have no weight and a score of minus infinity; the others share 1. */
static void
test_visible (gconstpointer data)
{
  g_autoptr (AttnModel) model = make_model (data);
  enum { N = 60 };
  int32_t ids[N];
  AttnRunInput input = make_input (ids, N, 3);
  g_autoptr (AttnTrace) trace = attn_model_run_ids (model, input.ids, NULL, N, NULL, NULL);
  g_autofree float *map = g_new (float, N *N), *scores = g_new (float, N *N);
  for (size_t l = 0; l < 3; l++) {
    attn_trace_compute_map (trace, l, 1, map);
    attn_trace_compute_scores (trace, l, 1, scores);
    for (size_t query = 0; query < N; query++) {
      size_t first, end;
      double sum = 0;
      attn_trace_get_visible (trace, l, query, &first, &end);
      for (size_t key = 0; key < N; key++) {
        bool visible = key >= first && key < end;
        g_assert_true ((map[query * N + key] != 0) == visible);
        g_assert_true (isfinite (scores[query * N + key]) == visible);
        sum += (double)map[query * N + key];
      }
      g_assert_cmpfloat_with_epsilon (sum, 1, 1e-5);
    }
  }
}

/* A trace is what enters each layer, its queries, keys and values, what comes out, and a few
 * numbers for each distance: never a map. */
static void
test_trace_size (gconstpointer data)
{
  enum { N = 256 };
  g_autoptr (AttnModel) model = make_model (data);
  const AttnConfig *config = attn_model_peek_config (model);
  const size_t D = config->d_model, L = config->n_layers;
  int32_t ids[N];
  make_input (ids, N, 1);
  g_autoptr (AttnTrace) trace = attn_model_run_ids (model, ids, NULL, N, NULL, NULL);
  const size_t rows = 4 * L * D + 2 * D, distances = 2 * (config->n_heads + 1);
  const size_t padding = 64 * (3 * L + 4); /* arrays begin on cache lines */
  g_assert_cmpuint (trace->memory->n_bytes, <=, N * (rows + distances) * sizeof (float) + padding);
}

/* What changes after a causal model's token does not change the token. */
static void
test_causal (void)
{
  const AttnConfig config = {.family = (char[]){"gpt2"}, SIZES};
  g_autoptr (AttnModel) model = make_model (&config);
  enum { N = 50, CHANGED = 37 };
  int32_t ids[N];
  make_input (ids, N, 1);
  g_autoptr (AttnTrace) a = attn_model_run_ids (model, ids, NULL, N, NULL, NULL);
  ids[CHANGED] = (ids[CHANGED] + 1) % V;
  g_autoptr (AttnTrace) b = attn_model_run_ids (model, ids, NULL, N, NULL, NULL);
  size_t stride;
  const float *x = attn_trace_peek_tap (a, ATTN_TAP_HIDDEN, 3, &stride);
  const float *y = attn_trace_peek_tap (b, ATTN_TAP_HIDDEN, 3, &stride);
  g_assert_cmpmem (x, CHANGED * stride * sizeof *x, y, CHANGED * stride * sizeof *y);
  g_assert_cmpint (
      memcmp (x + CHANGED * stride, y + CHANGED * stride, (N - CHANGED) * stride * sizeof *x), !=,
      0);
}

static bool
stop_cb (double fraction, void *data G_GNUC_UNUSED)
{
  return fraction < 0.5;
}

/* All or nothing: the first text at fault is told, and nothing is written. */
static void
test_refused_batch (void)
{
  g_autoptr (AttnModel) model = make_model (&configs[0]);
  int32_t ids[MAX_TOKENS + 1] = {5, 6, 7}, bad[] = {1, V};
  AttnTrace *traces[3] = {NULL, NULL, NULL};
  AttnRunInput inputs[3] = {{.ids = ids, .n_tokens = 3}, {.ids = bad, .n_tokens = 2}, {0}};
  g_autoptr (GError) error = NULL;
  g_assert_false (attn_model_run_batch (model, inputs, 3, NULL, traces, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "id 97"));
  g_clear_error (&error);

  inputs[1] = (AttnRunInput){.ids = ids, .n_tokens = MAX_TOKENS + 1};
  g_assert_false (attn_model_run_batch (model, inputs, 2, NULL, traces, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  g_clear_error (&error);

  AttnRunOptions options = {.progress = stop_cb};
  inputs[1] = inputs[0];
  g_assert_false (attn_model_run_batch (model, inputs, 2, &options, traces, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  g_assert_null (traces[0]);
  g_assert_true (attn_model_run_batch (model, inputs, 0, NULL, traces, NULL));
}

static size_t
count_layer (const AttnConfig *config)
{
  size_t D = config->d_model, F = config->d_ff;
  return 4 * D * D + 2 * D * F + 2 * 2 * D + 4 * D + F + D;
}

/* The total is what the weights are, counted by hand: shared layers once, biases where there are
 * some. */
static void
test_parameter_counts (void)
{
  AttnParameterCounts counts;
  const size_t D = 70, E = 33, F = 131, P = MAX_TOKENS;
  g_autoptr (AttnModel) albert = make_model (&configs[3]);
  attn_model_get_parameter_counts (albert, &counts);
  g_assert_cmpuint (counts.total, ==,
                    (V + P + 2) * E + 2 * E + E * D + D + 2 * count_layer (&configs[3]));
  g_assert_cmpuint (counts.attention_block, ==, 4 * D * D + 4 * D);

  g_autoptr (AttnModel) mpnet = make_model (&configs[5]);
  attn_model_get_parameter_counts (mpnet, &counts);
  g_assert_cmpuint (counts.total, ==,
                    (V + P + 2) * D + 2 * D + 32 * 5 + 3 * count_layer (&configs[5]));

  g_autoptr (AttnModel) modern = make_model (&configs[8]);
  attn_model_get_parameter_counts (modern, &counts);
  g_assert_cmpuint (counts.total, ==, V * D + D + 3 * (4 * D * D + 3 * D * F) + 5 * D + D);
  g_assert_cmpuint (counts.attention_block, ==, 4 * D * D);

  g_autoptr (AttnModel) gpt2 = make_model (&configs[9]);
  attn_model_get_parameter_counts (gpt2, &counts);
  g_assert_cmpuint (counts.total, ==, (V + P) * D + 2 * D + 3 * count_layer (&configs[9]));
}

static void
add_test (const char *topic, size_t index, GTestDataFunc test)
{
  g_autofree char *path = g_strdup_printf ("/batch/%s/%zu-%s", topic, index, configs[index].family);
  g_test_add_data_func (path, &configs[index], test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!kernel_choice_read (argc, argv))
    return 0;
  for (size_t i = 0; i < G_N_ELEMENTS (configs); i++) {
    add_test ("same-bits", i, test_batch);
    add_test ("visible", i, test_visible);
    add_test ("trace-size", i, test_trace_size);
  }
  g_test_add_func ("/batch/causal", test_causal);
  g_test_add_func ("/batch/refused", test_refused_batch);
  g_test_add_func ("/batch/parameter-counts", test_parameter_counts);
  return g_test_run ();
}
