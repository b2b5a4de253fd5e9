/* SPDX-License-Identifier: MIT */
/* Guesses at masks against the reference, and what holds for any guess. */
#include "model-private.h"
#include "reference.h"
#include "test-util.h"
#include "text-run.h"

#include "attn/error.h"
#include "attn/predict.h"
#include "attn/run.h"

#include <math.h>

static AttnModel *
load (const char *folder)
{
  g_autoptr (GError) error = NULL;
  AttnModel *model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return model;
}

static AttnModel *
load_golden (const char *name)
{
  g_autofree char *below = g_build_filename ("golden/models", name, NULL);
  return test_model_load (below);
}

static double
get_number (json_t *object, const char *key)
{
  return json_number_value (json_object_get (object, key));
}

/* Differences of logits are those of ln p. Neighbours that are closer than what both sides may be
 * off could change places. */
static bool
is_clear (json_t *top, size_t rank, double tolerance)
{
  double logit = log (get_number (json_array_get (top, rank), "prob"));
  for (size_t other = rank > 0 ? rank - 1 : 0; other <= rank + 1; other++)
    if (other != rank && other < json_array_size (top) &&
        fabs (log (get_number (json_array_get (top, other), "prob")) - logit) <= 2 * tolerance)
      return false;
  return rank + 1 < json_array_size (top); /* the last one's neighbour is unknown */
}

static size_t
check_mask (const AttnPrediction *found, json_t *expected, double tolerance)
{
  json_t *top = json_object_get (expected, "top5");
  size_t n_compared = 0;
  g_assert_cmpuint (found->position, ==, (size_t)get_number (expected, "position"));
  g_assert_cmpuint (found->n_guesses, ==, json_array_size (top));
  for (size_t i = 0; i < found->n_guesses; i++) {
    json_t *item = json_array_get (top, i);
    /* a logit's tolerance, twice, as a factor on p; p itself is given with 6 decimals */
    double p = get_number (item, "prob");
    g_assert_cmpfloat_with_epsilon ((double)found->guesses[i].p, p, 2 * tolerance * p + 1e-6);
    if (!is_clear (top, i, tolerance))
      continue;
    g_assert_cmpint (found->guesses[i].id, ==, (int)get_number (item, "id"));
    g_assert_cmpstr (found->guesses[i].piece, ==,
                     json_string_value (json_object_get (item, "token")));
    n_compared++;
  }
  return n_compared;
}

static void
check_reference (AttnModel *model, const char *reference_folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Reference) reference = reference_load (reference_folder);
  json_t *root = reference_peek_json (reference), *cases = json_object_get (root, "cases");
  double tolerance = get_number (json_object_get (root, "tolerance_abs"), "logits");
  size_t n_compared = 0;
  for (size_t i = 0; i < json_array_size (cases); i++) {
    json_t *item = json_array_get (cases, i), *masks = json_object_get (item, "mask_predictions");
    if (!json_is_array (masks)) /* a batch: its texts stand in other cases of their own */
      continue;
    g_autoptr (AttnTrace) trace =
        test_text_run (model, json_string_value (json_object_get (item, "text")),
                       json_string_value (json_object_get (item, "pair")));
    g_autoptr (AttnPredictions) predictions = attn_trace_predict (trace, 5, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (predictions->n, ==, json_array_size (masks));
    for (size_t m = 0; m < predictions->n; m++)
      n_compared += check_mask (&predictions->items[m], json_array_get (masks, m), tolerance);
  }
  g_assert_cmpuint (n_compared, >=, 3);
}

static void
test_golden (gconstpointer data)
{
  g_autoptr (AttnModel) model = load_golden (data);
  g_autofree char *below = g_build_filename ("golden/models", data, NULL);
  g_autofree char *folder = test_data_path (below);
  check_reference (model, folder);
}

static void
test_demo_model (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("HEADSCOPE_DATA_DIR"), "demo-model", NULL);
  g_autofree char *reference_folder = test_data_path ("demo-model");
  g_autoptr (AttnModel) model = load (folder);
  check_reference (model, reference_folder);
}

/* All of the vocabulary: falling, each id once, together 1. */
static void
test_whole_vocabulary (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load_golden ("bert-mlm");
  g_autoptr (AttnTrace) trace = test_text_run (model, "the [MASK] fox", NULL);
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  g_autoptr (AttnPredictions) predictions = attn_trace_predict (trace, 100000, pool, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (predictions->n, ==, 1);
  const AttnPrediction *item = &predictions->items[0];
  g_assert_cmpuint (item->position, ==, 2);
  g_assert_cmpuint (item->n_guesses, ==, 401);
  bool seen[401] = {false};
  double sum = 0;
  for (size_t i = 0; i < item->n_guesses; i++) {
    g_assert_false (seen[item->guesses[i].id]);
    seen[item->guesses[i].id] = true;
    g_assert_true (i == 0 || item->guesses[i].p <= item->guesses[i - 1].p);
    sum += (double)item->guesses[i].p;
  }
  g_assert_cmpfloat_with_epsilon (sum, 1, 1e-6); /* 401 roundings to f32 of numbers below 1 */
}

static void
test_nothing_to_guess (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load_golden ("bert-mlm");
  g_autoptr (AttnTrace) trace = test_text_run (model, "the quick fox", NULL);
  g_autoptr (AttnPredictions) none = attn_trace_predict (trace, 5, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->n, ==, 0);
  int32_t ids[] = {4, 6, 5};
  g_autoptr (AttnTrace) bare = attn_model_run_ids (model, ids, NULL, 3, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnPredictions) of_ids = attn_trace_predict (bare, 5, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (of_ids->n, ==, 0);
}

static void
test_no_guesses_wanted (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load_golden ("bert-mlm");
  g_autoptr (AttnTrace) trace = test_text_run (model, "[MASK]", NULL);
  g_autoptr (AttnPredictions) predictions = attn_trace_predict (trace, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (predictions->n, ==, 1);
  g_assert_cmpuint (predictions->items[0].n_guesses, ==, 0);
}

static void
test_without_head (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load_golden ("bert");
  g_autoptr (AttnTrace) trace = test_text_run (model, "[MASK]", NULL);
  float logits[401];
  g_assert_null (attn_trace_predict (trace, 5, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_false (attn_trace_compute_logits (trace, 0, 1, logits, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
}

/* Pieces belong to the model, which the predictions keep. */
static void
test_lifetimes (void)
{
  g_autoptr (GError) error = NULL;
  AttnModel *model = load_golden ("bert-mlm");
  AttnTrace *trace = test_text_run (model, "the [MASK] fox", NULL);
  g_autoptr (AttnPredictions) predictions = attn_trace_predict (trace, 3, NULL, &error);
  g_assert_no_error (error);
  attn_trace_unref (trace);
  attn_model_unref (model);
  for (size_t i = 0; i < 3; i++)
    g_assert_true (g_utf8_validate (predictions->items[0].guesses[i].piece, -1, NULL));
}

/* Rows alone and rows together: the same bits where linear layers promise it, else 1e-5 for sums
 * of 40 products near 1. */
static void
test_rows_of_logits (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load_golden ("bert-mlm");
  g_autoptr (AttnTrace) trace = test_text_run (model, "the quick brown fox", NULL);
  size_t n = attn_trace_get_n_tokens (trace), V = 401;
  g_autofree float *all = g_new (float, n *V), *one = g_new (float, V);
  g_assert_true (attn_trace_compute_logits (trace, 0, n, all, NULL, &error));
  for (size_t t = 0; t < n; t++) {
    g_assert_true (attn_trace_compute_logits (trace, t, 1, one, NULL, &error));
    for (size_t i = 0; i < V; i++)
      g_assert_cmpfloat_with_epsilon (one[i], all[t * V + i], 1e-5F);
  }
  g_assert_true (attn_trace_compute_logits (trace, n, 0, one, NULL, &error));
}

/* A causal model guesses what comes after the last token, by that token's logits. */
static void
test_next_token (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load_golden ("gpt2");
  g_autoptr (AttnTrace) trace = test_text_run (model, "The cat sat on", NULL);
  const size_t last = attn_trace_get_n_tokens (trace) - 1;
  const size_t V = attn_model_peek_config (model)->vocab_size;
  g_autoptr (AttnPredictions) predictions = attn_trace_predict (trace, 3, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (predictions->n, ==, 1);
  g_assert_true (predictions->items[0].next);
  g_assert_cmpuint (predictions->items[0].position, ==, last);
  g_autofree float *logits = g_new (float, V);
  g_assert_true (attn_trace_compute_logits (trace, last, 1, logits, NULL, &error));
  const float best = logits[predictions->items[0].guesses[0].id];
  for (size_t i = 0; i < V; i++)
    g_assert_cmpfloat (logits[i], <=, best);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  static const char *const models[] = {"bert-mlm",   "bert-relu", "bert-gelu_new", "roberta-mlm",
                                       "albert-mlm", "mpnet",     "deberta-v2",    "modernbert"};
  for (size_t i = 0; i < G_N_ELEMENTS (models); i++) {
    g_autofree char *path = g_strdup_printf ("/predict/golden/%s", models[i]);
    g_test_add_data_func (path, models[i], test_golden);
  }
  g_test_add_func ("/predict/next-token", test_next_token);
  g_test_add_func ("/predict/demo-model", test_demo_model);
  g_test_add_func ("/predict/whole-vocabulary", test_whole_vocabulary);
  g_test_add_func ("/predict/nothing-to-guess", test_nothing_to_guess);
  g_test_add_func ("/predict/no-guesses-wanted", test_no_guesses_wanted);
  g_test_add_func ("/predict/without-head", test_without_head);
  g_test_add_func ("/predict/lifetimes", test_lifetimes);
  g_test_add_func ("/predict/rows-of-logits", test_rows_of_logits);
  return g_test_run ();
}
