/* SPDX-License-Identifier: MIT */
/* Promises of a forward pass beside its numbers: same bits, refusals, stopping, lifetimes. */
#include "kernel-choice.h"
#include "linear.h"
#include "model-private.h"
#include "ops.h"

#include "attn/error.h"
#include "attn/maps.h"
#include "attn/run.h"

#include <math.h>
#include <string.h>

/* Sizes that are no multiple of a vector or panel. */
static AttnModel *
make_model (void)
{
  g_autoptr (GError) error = NULL;
  AttnConfig config = {
      .family = (char[]){"bert"},
      .n_layers = 3,
      .n_heads = 5,
      .d_model = 65,
      .d_k = 13,
      .d_ff = 131,
      .vocab_size = 97,
      .n_positions = 300,
      .n_types = 2,
      .layer_norm_eps = 1e-12,
      .activation = ATTN_ACTIVATION_GELU,
  };
  AttnModel *model = attn_model_new_random (&config, &error);
  g_assert_no_error (error);
  return model;
}

static AttnTrace *
run (AttnModel *model, size_t n_tokens, AttnPool *pool)
{
  g_autoptr (GError) error = NULL;
  int32_t ids[300], type_ids[300];
  for (size_t t = 0; t < n_tokens; t++) {
    ids[t] = (int32_t)(t * 31 % 97);
    type_ids[t] = t >= n_tokens / 2;
  }
  AttnRunOptions options = {.pool = pool};
  AttnTrace *trace = attn_model_run_ids (model, ids, type_ids, n_tokens, &options, &error);
  g_assert_no_error (error);
  return trace;
}

static void
assert_same_tap (const AttnTrace *a, const AttnTrace *b, AttnTap tap, size_t index, size_t n_tokens)
{
  size_t D = attn_model_peek_config (attn_trace_peek_model (a))->d_model, lda, ldb;
  const float *x = attn_trace_peek_tap (a, tap, index, &lda);
  const float *y = attn_trace_peek_tap (b, tap, index, &ldb);
  for (size_t t = 0; t < n_tokens; t++)
    g_assert_cmpmem (x + t * lda, D * sizeof *x, y + t * ldb, D * sizeof *y);
}

static void
assert_same_trace (const AttnTrace *a, const AttnTrace *b)
{
  size_t n_tokens = attn_trace_get_n_tokens (a);
  size_t L = attn_model_peek_config (attn_trace_peek_model (a))->n_layers;
  for (size_t l = 0; l < L; l++) {
    assert_same_tap (a, b, ATTN_TAP_HIDDEN, l, n_tokens);
    assert_same_tap (a, b, ATTN_TAP_QUERY, l, n_tokens);
    assert_same_tap (a, b, ATTN_TAP_KEY, l, n_tokens);
    assert_same_tap (a, b, ATTN_TAP_VALUE, l, n_tokens);
  }
  assert_same_tap (a, b, ATTN_TAP_HIDDEN, L, n_tokens);
}

static void
test_same_bits_on_any_threads (void)
{
  g_autoptr (AttnModel) model = make_model ();
  static const size_t lengths[] = {1, 14, 27, 40, 299};
  for (size_t i = 0; i < G_N_ELEMENTS (lengths); i++) {
    size_t n_tokens = lengths[i];
    g_autoptr (AttnTrace) alone = run (model, n_tokens, NULL);
    for (size_t n_threads = 1; n_threads <= 3; n_threads++) {
      g_autoptr (AttnPool) pool = attn_pool_new (n_threads);
      g_autoptr (AttnTrace) together = run (model, n_tokens, pool);
      assert_same_trace (alone, together);
    }
  }
}

/* The rest of a layer, made from the maps that the trace computes afterwards: only the very maps
 * of the pass give the very bits of its output. */
static void
finish_layer (const AttnTrace *trace, size_t l, float *y)
{
  AttnModel *model = attn_trace_peek_model (trace);
  const AttnConfig *config = attn_model_peek_config (model);
  const AttnLayerWeights *w = &model->weights.layers[l];
  size_t T = attn_trace_get_n_tokens (trace), D = config->d_model, d_k = config->d_k, stride;
  double eps = config->layer_norm_eps;
  g_autofree float *map = g_new (float, T *T + 1), *mixed = g_new (float, T *D);
  g_autofree float *attended = g_new (float, T *D), *inner = g_new (float, T * config->d_ff);

  const float *v = attn_trace_peek_tap (trace, ATTN_TAP_VALUE, l, &stride);
  for (size_t h = 0; h < config->n_heads; h++) {
    float *unaligned = map + h % 2; /* where a map stands in memory must not matter */
    attn_trace_compute_map (trace, l, h, unaligned);
    attn_ops_mix_values (unaligned, v + h * d_k, stride, T, d_k, mixed + h * d_k, D);
  }
  memcpy (attended, attn_trace_peek_tap (trace, ATTN_TAP_HIDDEN, l, &stride), T * D * sizeof *y);
  AttnLinearCall out = {mixed, D, attended, D, T, ATTN_AFTER_ADD, config->activation};
  attn_linear_run (&w->out, &out, NULL);
  attn_ops_layer_norm (attended, attended, w->attn_norm.gain, w->attn_norm.bias, T, D, eps);
  size_t F = config->d_ff;
  AttnLinearCall up = {attended, D, inner, F, T, ATTN_AFTER_ACTIVATION, config->activation};
  attn_linear_run (&w->up, &up, NULL);
  memcpy (y, attended, T * D * sizeof *y);
  AttnLinearCall down = {inner, F, y, D, T, ATTN_AFTER_ADD, config->activation};
  attn_linear_run (&w->down, &down, NULL);
  attn_ops_layer_norm (y, y, w->ffn_norm.gain, w->ffn_norm.bias, T, D, eps);
}

static void
test_maps_are_those_of_the_pass (void)
{
  g_autoptr (AttnModel) model = make_model ();
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  size_t D = attn_model_peek_config (model)->d_model, stride;
  for (size_t n_tokens = 1; n_tokens <= 300; n_tokens += n_tokens < 40 ? 3 : 29) {
    g_autoptr (AttnTrace) trace = run (model, n_tokens, pool);
    g_autofree float *y = g_new (float, n_tokens *D);
    for (size_t l = 0; l < attn_model_peek_config (model)->n_layers; l++) {
      finish_layer (trace, l, y);
      size_t n_bytes = n_tokens * D * sizeof *y;
      g_assert_cmpmem (y, n_bytes, attn_trace_peek_tap (trace, ATTN_TAP_HIDDEN, l + 1, &stride),
                       n_bytes);
    }
  }
}

/* One map by its definition, sums in double; f32 sums of 13 products of values near 1 and one
 * softmax differ by some 1e-7. */
static void
test_map_by_definition (void)
{
  g_autoptr (AttnModel) model = make_model ();
  g_autoptr (AttnTrace) trace = run (model, 11, NULL);
  size_t d_k = 13, n = 11, stride, layer = 1, head = 4;
  const float *q = attn_trace_peek_tap (trace, ATTN_TAP_QUERY, layer, &stride) + head * d_k;
  const float *k = attn_trace_peek_tap (trace, ATTN_TAP_KEY, layer, &stride) + head * d_k;
  float scores[11 * 11], map[11 * 11];
  attn_trace_compute_scores (trace, layer, head, scores);
  attn_trace_compute_map (trace, layer, head, map);
  for (size_t i = 0; i < n; i++) {
    double expected[11], sum = 0;
    for (size_t j = 0; j < n; j++) {
      double score = 0;
      for (size_t c = 0; c < d_k; c++)
        score += (double)q[i * stride + c] * (double)k[j * stride + c];
      score /= sqrt (13.0);
      g_assert_cmpfloat_with_epsilon (scores[i * n + j], (float)score, 1e-5F);
      sum += expected[j] = exp (score);
    }
    for (size_t j = 0; j < n; j++)
      g_assert_cmpfloat_with_epsilon (map[i * n + j], (float)(expected[j] / sum), 1e-5F);
  }
}

static void
assert_refused (AttnModel *model, int32_t id, int32_t type_id, const char *found, const char *limit)
{
  g_autoptr (GError) error = NULL;
  int32_t ids[] = {0, id}, type_ids[] = {0, type_id};
  g_assert_null (attn_model_run_ids (model, ids, type_ids, 2, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, found));
  g_assert_nonnull (strstr (error->message, limit));
}

static void
test_bad_ids (void)
{
  g_autoptr (AttnModel) model = make_model ();
  assert_refused (model, 97, 0, "id 97", "97 word");
  assert_refused (model, -1, 0, "id -1", "97 word");
  assert_refused (model, G_MAXINT32, 0, "id 2147483647", "97 word");
  assert_refused (model, 0, 2, "type 2", "2 token types");
  assert_refused (model, 0, -1, "type -1", "2 token types");
  model->config->n_types = 1;
  assert_refused (model, 0, 1, "type_vocab_size in config.json", "takes one text, not two");
}

static void
test_too_many_tokens (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = make_model ();
  int32_t ids[301] = {0};
  g_assert_cmpuint (attn_model_get_max_tokens (model), ==, 300);
  g_assert_null (attn_model_run_ids (model, ids, NULL, 301, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "301"));
  g_assert_nonnull (strstr (error->message, "300"));
}

static void
test_no_tokens (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = make_model ();
  g_assert_null (attn_model_run_ids (model, NULL, NULL, 0, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
}

/* Activations beyond what half precision holds stay what they are: GPT-2's residual stream is never
 * normed on its way. */
static void
test_large_activations (void)
{
  g_autoptr (GError) error = NULL;
  AttnConfig config = {.family = (char[]){"gpt2"},
                       .n_layers = 2,
                       .n_heads = 2,
                       .d_model = 16,
                       .d_k = 8,
                       .d_ff = 32,
                       .vocab_size = 9,
                       .n_positions = 20,
                       .layer_norm_eps = 1e-5,
                       .activation = ATTN_ACTIVATION_GELU_TANH};
  g_autoptr (AttnModel) model = attn_model_new_random (&config, &error);
  g_assert_no_error (error);
  for (size_t i = 0; i < config.vocab_size * config.d_model; i++)
    model->weights.words[i] *= 1e8F; /* some ±5e6 */
  int32_t ids[] = {1, 2, 3, 4, 5};
  g_autoptr (AttnTrace) trace = attn_model_run_ids (model, ids, NULL, 5, NULL, &error);
  g_assert_no_error (error);
  float map[25], largest = 0;
  size_t stride;
  const float *last = attn_trace_peek_tap (trace, ATTN_TAP_LAST, 0, &stride);
  for (size_t i = 0; i < 5 * config.d_model; i++) {
    g_assert_true (isfinite (last[i]));
    largest = MAX (largest, fabsf (last[i]));
  }
  g_assert_cmpfloat (largest, >, 65504);
  attn_trace_compute_map (trace, 1, 1, map);
  for (size_t query = 0; query < 5; query++) {
    float sum = 0;
    for (size_t key = 0; key < 5; key++)
      sum += map[query * 5 + key];
    g_assert_cmpfloat_with_epsilon (sum, 1, 1e-6F); /* five roundings of weights up to 1 */
  }
}

/* A petabyte of word embeddings is refused before any page is touched. */
static void
test_too_large_a_model (void)
{
  g_autoptr (GError) error = NULL;
  AttnConfig config = {
      .family = (char[]){"bert"},
      .n_layers = 1,
      .n_heads = 1,
      .d_model = (size_t)1 << 20,
      .d_k = (size_t)1 << 20,
      .d_ff = 1,
      .vocab_size = (size_t)1 << 28,
      .n_positions = 1,
      .n_types = 1,
  };
  g_assert_null (attn_model_new_random (&config, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "bytes"));
}

static void
test_unknown_family (void)
{
  g_autoptr (GError) error = NULL;
  AttnConfig config = {.family = (char[]){"bertzilla"}};
  g_assert_null (attn_model_new_random (&config, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "bertzilla"));
}

typedef struct {
  size_t n_calls, n_allowed;
  double last;
} Progress;

static bool
progress_cb (double fraction, void *data)
{
  Progress *progress = data;
  g_assert_cmpfloat (fraction, >=, progress->last);
  g_assert_cmpfloat (fraction, <=, 1);
  progress->last = fraction;
  return progress->n_calls++ < progress->n_allowed;
}

static void
test_stop (void)
{
  g_autoptr (AttnModel) model = make_model ();
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  int32_t ids[] = {1, 2, 3};
  Progress all = {.n_allowed = 100};
  AttnRunOptions options = {pool, progress_cb, &all};
  g_autoptr (AttnTrace) trace = attn_model_run_ids (model, ids, NULL, 3, &options, NULL);
  g_assert_nonnull (trace);
  g_assert_cmpfloat (all.last, ==, 1);
  g_assert_cmpuint (all.n_calls, >, attn_model_peek_config (model)->n_layers);
  for (size_t n_allowed = 0; n_allowed < all.n_calls; n_allowed++) {
    g_autoptr (GError) error = NULL;
    Progress some = {.n_allowed = n_allowed};
    options.progress_data = &some;
    g_assert_null (attn_model_run_ids (model, ids, NULL, 3, &options, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
    g_assert_cmpuint (some.n_calls, ==, n_allowed + 1);
  }
}

static void
stage_cb (AttnStage stage, void *data)
{
  g_string_append_c (data, (char)('a' + (int)stage));
}

/* BERT's stages in order: embeddings, then for each layer Q, K and V, attention, output, norm, up,
 * down, norm. */
static void
test_stages (void)
{
  g_autoptr (AttnModel) model = make_model ();
  g_autoptr (GString) stages = g_string_new (NULL);
  int32_t ids[] = {1, 2, 3};
  AttnRunOptions options = {.stage = stage_cb, .stage_data = stages};
  g_autoptr (AttnTrace) trace = attn_model_run_ids (model, ids, NULL, 3, &options, NULL);
  g_assert_nonnull (trace);
  g_assert_cmpstr (stages->str, ==,
                   "a"
                   "bcdefge"
                   "bcdefge"
                   "bcdefge"
                   "h");
}

/* Maps keep the trace, the trace keeps the model. */
static void
test_lifetimes (void)
{
  g_autoptr (GError) error = NULL;
  AttnModel *model = make_model ();
  AttnTrace *trace = run (model, 5, NULL);
  attn_model_unref (model);
  AttnMaps *maps = attn_maps_new_from_trace (trace);
  attn_trace_unref (trace);
  g_autoptr (AttnMap) map = attn_maps_dup_map (maps, 2, 4, &error);
  g_assert_no_error (error);
  attn_maps_unref (maps);
  g_assert_cmpstr (attn_maps_peek_label (map->maps, ATTN_SIDE_KEY, 1), ==, "31");
  g_assert_cmpuint (map->n_keys, ==, 5);
}

static void
test_parameter_counts (void)
{
  g_autoptr (AttnModel) model = make_model ();
  AttnParameterCounts counts;
  attn_model_get_parameter_counts (model, &counts);
  size_t D = 65, F = 131, layer = 4 * (D * D + D) + 2 * D * F + F + D + 4 * D;
  g_assert_cmpuint (counts.total, ==, (97 + 300 + 2) * D + 2 * D + 3 * layer);
  g_assert_cmpuint (counts.attention_block, ==, 4 * D * D + 4 * D);
  g_assert_cmpuint (counts.attention_block_no_bias, ==, 4 * D * D);
  g_assert_cmpuint (counts.head * 5, ==, counts.attention_block_no_bias);
}

static gpointer
run_often (gpointer data)
{
  AttnModel *model = data;
  g_autoptr (AttnTrace) first = run (model, 17, NULL);
  for (size_t i = 0; i < 20; i++) {
    g_autoptr (AttnTrace) again = run (model, 17, NULL);
    assert_same_trace (first, again);
  }
  return g_steal_pointer (&first);
}

static void
test_one_model_many_threads (void)
{
  g_autoptr (AttnModel) model = make_model ();
  GThread *threads[3];
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("run", run_often, model);
  g_autoptr (AttnTrace) here = run_often (model);
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++) {
    g_autoptr (AttnTrace) there = g_thread_join (threads[i]);
    assert_same_trace (here, there);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!kernel_choice_read (argc, argv))
    return 0;
  g_test_add_func ("/run/same-bits", test_same_bits_on_any_threads);
  g_test_add_func ("/run/maps-of-the-pass", test_maps_are_those_of_the_pass);
  g_test_add_func ("/run/map-by-definition", test_map_by_definition);
  g_test_add_func ("/run/bad-ids", test_bad_ids);
  g_test_add_func ("/run/too-many-tokens", test_too_many_tokens);
  g_test_add_func ("/run/no-tokens", test_no_tokens);
  g_test_add_func ("/run/large-activations", test_large_activations);
  g_test_add_func ("/run/too-large-a-model", test_too_large_a_model);
  g_test_add_func ("/run/unknown-family", test_unknown_family);
  g_test_add_func ("/run/stop", test_stop);
  g_test_add_func ("/run/stages", test_stages);
  g_test_add_func ("/run/lifetimes", test_lifetimes);
  g_test_add_func ("/run/parameter-counts", test_parameter_counts);
  g_test_add_func ("/run/many-threads", test_one_model_many_threads);
  return g_test_run ();
}
