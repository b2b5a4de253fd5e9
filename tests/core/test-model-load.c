/* SPDX-License-Identifier: MIT */
/* Whole folders: each with one fault, and good ones whose facts and lifetimes are checked. */
#include "model-folder.h"
#include "model-private.h"
#include "test-util.h"

#include "attn/error.h"
#include "attn/json.h"
#include "attn/maps.h"
#include "attn/run.h"
#include "attn/source.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

static json_t *hostile; /* hostile.json; its cases are tested one by one */

static bool
holds_ignoring_case (const char *text, const char *part)
{
  g_autofree char *folded_text = g_utf8_casefold (text, -1);
  g_autofree char *folded_part = g_utf8_casefold (part, -1);
  return strstr (folded_text, folded_part) != NULL;
}

static void
check_names (json_t *item, const char *message)
{
  json_t *names = json_object_get (item, "message_names");
  g_assert_true (g_utf8_validate (message, -1, NULL));
  for (size_t i = 0; i < json_array_size (names); i++) {
    const char *name = json_string_value (json_array_get (names, i));
    if (!holds_ignoring_case (message, name))
      g_test_fail_printf ("the message \"%s\" does not name %s", message, name);
  }
}

/* Without the one all these folders share: the good one they are made from has no pooler. */
static char *
dup_all_warnings (const AttnModel *model)
{
  GString *all = g_string_new (NULL);
  for (size_t i = 0; i < attn_model_get_n_warnings (model); i++)
    if (strstr (attn_model_peek_warning (model, i), "pooler") == NULL)
      g_string_append_printf (all, "%s\n", attn_model_peek_warning (model, i));
  return g_string_free (all, FALSE);
}

/* The maps of the good folder as the reference computes them; its own rounding to 7 decimals and
 * f32 sums of 2 products allow 1e-6. */
static void
check_same_as_ok (const AttnTrace *trace)
{
  json_t *maps = json_object_get (json_object_get (hostile, "ok_reference"), "attentions");
  size_t n = attn_trace_get_n_tokens (trace);
  g_autofree float *map = g_new (float, n *n);
  for (size_t head = 0; head < json_array_size (maps); head++) {
    attn_trace_compute_map (trace, 0, head, map);
    json_t *rows = json_array_get (maps, head);
    g_assert_cmpuint (json_array_size (rows), ==, n);
    for (size_t i = 0; i < n * n; i++) {
      json_t *value = json_array_get (json_array_get (rows, i / n), i % n);
      g_assert_cmpfloat_with_epsilon (map[i], (float)json_number_value (value), 1e-6F);
    }
  }
}

/* Runs the probe text. A folder that loads may still refuse it, in words. */
static void
probe (AttnModel *model, json_t *item)
{
  g_autoptr (GError) error = NULL;
  const char *text = json_string_value (json_object_get (hostile, "probe_text"));
  AttnTokenizerInput input = {.text = text, .text_length = strlen (text)};
  g_autoptr (AttnTokens) tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, &error);
  g_assert_no_error (error);
  g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
  if (trace == NULL) {
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
    return;
  }
  json_t *ids = json_object_get (item, "ids_by_transformers");
  bool same = json_is_true (json_object_get (item, "attentions_same_as_ok"));
  g_assert_true (ids == NULL || json_array_size (ids) == attn_trace_get_n_tokens (trace));
  for (size_t t = 0; t < json_array_size (ids); t++)
    g_assert_cmpint (attn_trace_peek_ids (trace)[t], ==,
                     (int)json_number_value (json_array_get (ids, t)));
  if (same)
    check_same_as_ok (trace);
}

static void
test_hostile (gconstpointer data)
{
  json_t *item = json_array_get (json_object_get (hostile, "cases"), GPOINTER_TO_SIZE (data));
  g_autoptr (GError) error = NULL;
  const char *name = json_string_value (json_object_get (item, "folder"));
  const char *expect = json_string_value (json_object_get (item, "expect"));
  g_autofree char *below = g_build_filename ("hostile", name, NULL);
  g_autofree char *folder = test_data_path (below);
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
  if (model == NULL) {
    g_assert_nonnull (strstr (expect, "error"));
    g_assert_true (error->domain == ATTN_ERROR);
    g_assert_false (g_str_has_suffix (error->message, "."));
    check_names (item, error->message);
    return;
  }
  g_assert_no_error (error);
  g_assert_nonnull (strstr (expect, "loads"));
  g_autofree char *warnings = dup_all_warnings (model);
  if (strcmp (expect, "loads") == 0)
    g_assert_cmpstr (warnings, ==, "");
  if (strcmp (expect, "loads with warning") == 0) {
    g_assert_cmpstr (warnings, !=, "");
    check_names (item, warnings);
  }
  probe (model, item);
}

static void
assert_warning (const char *name, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *below = g_build_filename ("hostile", name, NULL);
  g_autofree char *folder = test_data_path (below);
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *warnings = dup_all_warnings (model);
  g_assert_nonnull (strstr (warnings, words));
}

static void
test_kinds_of_values (void)
{
  assert_warning ("st-nan", "not-a-number");
  assert_warning ("st-inf", "infinite");
  assert_warning ("st-overflowing", "overflow");
}

/* The folder of F64 weights with @n numbers changed, each at a place in bytes behind the header. */
static char *
make_f64_folder (size_t n, const size_t *places, const double *values)
{
  static const char *const files[] = {"config.json", "vocab.txt", "tokenizer_config.json",
                                      "model.safetensors"};
  char *folder = test_folder_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *below = g_build_filename ("hostile", "st-f64", files[i], NULL);
    g_autofree char *path = test_data_path (below);
    g_autofree char *bytes = NULL;
    gsize n_bytes;
    g_assert_true (g_file_get_contents (path, &bytes, &n_bytes, &error));
    g_assert_no_error (error);
    for (size_t v = 0; i == 3 && v < n; v++) {
      guint64 bits, header;
      memcpy (&bits, &values[v], sizeof bits);
      bits = GUINT64_TO_LE (bits);
      memcpy (&header, bytes, sizeof header);
      memcpy (bytes + 8 + GUINT64_FROM_LE (header) + places[v], &bits, sizeof bits);
    }
    g_free (test_folder_write (folder, files[i], bytes, n_bytes));
  }
  return folder;
}

/* What F64 holds and F32 does not is told as that, with both numbers; what the file has as
 * infinite, or as not a number, is still told as such. */
static void
test_too_large (void)
{
  const size_t matrix = 1808 + 3 * 8, bias = 1776; /* encoder.layer.0.output.dense.weight, .bias */
  const double infinite = (double)INFINITY, nan = (double)NAN;
  const struct {
    size_t n, places[2];
    double values[2];
    const char *wanted;
  } cases[] = {
      {1, {bias}, {3e38}, "bias holds values so large that results may overflow\n"},
      {1,
       {matrix},
       {-1e300},
       "weight holds values too large for single precision: found 1e+300, wanted at most "
       "3.40282347e+38; they are taken as infinite\n"},
      {2,
       {bias, bias + 8},
       {1e39, -2e40},
       "bias holds values too large for single precision: found 2e+40, wanted at most "
       "3.40282347e+38; they are taken as infinite\n"},
      {1, {bias}, {-infinite}, "bias holds infinite values\n"},
      {2,
       {bias, bias + 8},
       {infinite, 1e39},
       "bias holds infinite values\n|bias holds values too large for single precision: found "
       "1e+39"},
      {2,
       {matrix, matrix + 8},
       {1e39, nan},
       "weight holds not-a-number (NaN) values\n|weight holds values too large for single "
       "precision: "
       "found 1e+39"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    char *folder = make_f64_folder (cases[i].n, cases[i].places, cases[i].values);
    g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
    g_autofree char *warnings = dup_all_warnings (model);
    g_auto (GStrv) parts = g_strsplit (cases[i].wanted, "|", -1);
    size_t n_lines = 0;
    for (const char *c = warnings; *c != 0; c++)
      n_lines += *c == '\n';
    g_assert_cmpuint (n_lines, ==, g_strv_length (parts));
    for (size_t p = 0; parts[p] != NULL; p++)
      g_assert_nonnull (strstr (warnings, parts[p]));
    g_assert_nonnull (strstr (warnings, "model.safetensors: tensor encoder.layer.0.output.dense."));
    test_folder_remove (folder);
  }
}

/* A word the vocabulary has and the model has no row for. */
static void
test_word_without_row (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("hostile/voc-long");
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  const char *word = attn_tokenizer_peek_piece (attn_model_peek_tokenizer (model), 13);
  g_assert_nonnull (word);
  AttnTokenizerInput input = {.text = word, .text_length = strlen (word)};
  g_autoptr (AttnTokens) tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, &error);
  g_assert_no_error (error);
  g_assert_null (attn_model_run (model, tokens, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "id 13"));
  g_assert_nonnull (strstr (error->message, "12 word"));
}

/* Where padding takes positions, what is left of the table is the longest text: one token more has
 * no row. */
static void
test_longest_text (void)
{
  static const char *const models[] = {"roberta-mlm", "xlm-roberta", "mpnet", "bert"};
  for (size_t i = 0; i < G_N_ELEMENTS (models); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *below = g_build_filename ("golden/models", models[i], NULL);
    g_autofree char *folder = test_data_path (below);
    g_autofree char *path = g_build_filename (folder, "config.json", NULL);
    json_t *config = json_load_file (path, 0, NULL);
    g_assert_nonnull (config);
    const size_t n_rows =
        (size_t)json_integer_value (json_object_get (config, "max_position_embeddings"));
    const size_t pad = (size_t)json_integer_value (json_object_get (config, "pad_token_id"));
    json_decref (config);
    const size_t n = strcmp (models[i], "bert") == 0 ? n_rows : n_rows - pad - 1;
    g_autoptr (AttnModel) model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
    g_autofree int32_t *ids = g_new (int32_t, n + 1);
    for (size_t t = 0; t <= n; t++)
      ids[t] = 5;
    g_autoptr (AttnTrace) trace = attn_model_run_ids (model, ids, NULL, n, NULL, &error);
    g_assert_no_error (error);
    g_assert_null (attn_model_run_ids (model, ids, NULL, n + 1, NULL, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
    g_autofree char *limit = g_strdup_printf ("takes %zu at most", n);
    g_assert_nonnull (strstr (error->message, limit));
  }
}

/* 256 MB, as hostile.json's rule says; sanitizers keep freed memory, so not under them. */
static void
test_hostile_memory (void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  g_test_skip ("a sanitizer's own memory would be counted");
#else
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  g_assert_cmpint (usage.ru_maxrss, <, 256 << 10);
#endif
}

static void
test_facts (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("golden/models/bert-mlm/");
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  size_t D = 40, F = 72, V = 401, layer = 4 * (D * D + D) + 2 * D * F + F + D + 4 * D;
  AttnParameterCounts counts;
  attn_model_get_parameter_counts (model, &counts);
  g_assert_cmpuint (counts.total, ==, (V + 64 + 2) * D + 2 * D + 3 * layer + D * D + D + 2 * D + V);
  g_assert_cmpuint (counts.attention_block, ==, 4 * D * D + 4 * D);
  g_assert_cmpuint (counts.head, ==, D * D);
  g_assert_cmpstr (attn_model_peek_name (model), ==, "bert-mlm");
  g_assert_cmpstr (attn_model_peek_dtype_name (model), ==, "F32");
  g_assert_cmpstr (attn_model_peek_files (model)[0], ==, "model.safetensors");
  g_assert_null (attn_model_peek_files (model)[1]);
  g_assert_cmpuint (attn_model_get_n_bytes (model), >, counts.total * 4);
  g_assert_cmpuint (attn_model_get_max_tokens (model), ==, 64);
  g_assert_true (attn_model_has_lm_head (model));
  g_assert_cmpuint (attn_model_get_n_warnings (model), ==, 0);
}

/* The key bias moves no map (softmax cancels it), so only its bytes show that it is loaded. */
static void
test_key_bias (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("golden/models/bert");
  g_autoptr (AttnModel) model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnSource) source = attn_source_open (folder, &error);
  g_assert_no_error (error);
  for (size_t l = 0; l < 3; l++) {
    float bias[40];
    g_autofree char *name = g_strdup_printf ("encoder.layer.%zu.attention.self.key.bias", l);
    attn_source_read_f32 (source, attn_source_find (source, name), 0, 40, bias, &error);
    g_assert_no_error (error);
    g_assert_cmpmem (bias, sizeof bias, model->weights.layers[l].qkv.bias + 40, sizeof bias);
  }
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
  g_autofree char *folder = test_data_path ("golden/models/bert-mlm");
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  Progress all = {.n_allowed = 10000};
  g_autoptr (AttnModel) model = attn_model_load (folder, pool, progress_cb, &all, NULL);
  g_assert_nonnull (model);
  g_assert_cmpfloat (all.last, ==, 1);
  for (size_t n_allowed = 0; n_allowed < all.n_calls; n_allowed += 7) {
    g_autoptr (GError) error = NULL;
    Progress some = {.n_allowed = n_allowed};
    g_assert_null (attn_model_load (folder, pool, progress_cb, &some, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  }
}

typedef struct {
  double last, largest;
} Steps;

static bool
steps_cb (double fraction, void *data)
{
  Steps *steps = data;
  steps->largest = MAX (steps->largest, fraction - steps->last);
  steps->last = fraction;
  return true;
}

/* The words are half of the file; whoever waits for them hears of it more than once. */
static void
test_steps (void)
{
  g_autofree char *folder = test_minilm_path ();
  if (folder == NULL)
    return;
  Steps steps = {0, 0};
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, steps_cb, &steps, NULL);
  g_assert_nonnull (model);
  g_assert_cmpfloat (steps.last, ==, 1);
  g_assert_cmpfloat (steps.largest, <, 0.25); /* of 91 MB; a step is 17 MB of f32 */
}

/* The same bytes in memory, whoever converts which piece. */
static void
test_pool_changes_nothing (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (g_getenv ("HEADSCOPE_DATA_DIR"), "demo-model", NULL);
  g_autoptr (AttnPool) pool = attn_pool_new (3);
  g_autoptr (AttnModel) alone = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnModel) together = attn_model_load_weights (folder, pool, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (alone->weights.block.data, alone->weights.block.n_bytes,
                   together->weights.block.data, together->weights.block.n_bytes);
}

static long
get_resident_kb (void)
{
  g_autofree char *text = test_read_file ("/proc/self/statm", NULL);
  return strtol (strchr (text, ' '), NULL, 10) * 4;
}

static void
load_and_run (const char *folder, size_t n_runs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  const int32_t ids[] = {4, 216, 302, 250, 5};
  for (size_t i = 0; i < n_runs; i++) {
    g_autoptr (AttnTrace) trace = attn_model_run_ids (model, ids, NULL, 5, NULL, &error);
    g_assert_no_error (error);
    g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
    g_autoptr (AttnMap) map = attn_maps_dup_map (maps, 0, 0, &error);
    g_assert_no_error (error);
  }
}

/* 200 loads and 1,000 runs; a leak of one map of 100 bytes a run would stay below the slack, but
 * that is what the address sanitizer is for; one trace of 12 KB a run would not. */
static void
test_memory_stays (void)
{
  g_autofree char *folder = test_data_path ("golden/models/bert-mlm");
  for (size_t i = 0; i < 20; i++)
    load_and_run (folder, 5);
  long before = get_resident_kb ();
  for (size_t i = 0; i < 200; i++)
    load_and_run (folder, 5);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  g_test_message ("resident memory is not compared under a sanitizer (%ld KB before)", before);
#else
  g_assert_cmpint (get_resident_kb (), <=, before + 2048);
#endif
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = test_data_path ("hostile/hostile.json");
  hostile = attn_json_load_file (path, 1 << 20, &error);
  g_assert_no_error (error);
  json_t *cases = json_object_get (hostile, "cases");
  for (size_t i = 0; i < json_array_size (cases); i++) {
    json_t *item = json_array_get (cases, i);
    g_autofree char *name = g_strdup_printf ("/model-load/hostile/%s",
                                             json_string_value (json_object_get (item, "folder")));
    g_test_add_data_func (name, GSIZE_TO_POINTER (i), test_hostile);
  }
  g_test_add_func ("/model-load/kinds-of-values", test_kinds_of_values);
  g_test_add_func ("/model-load/too-large", test_too_large);
  g_test_add_func ("/model-load/word-without-row", test_word_without_row);
  g_test_add_func ("/model-load/hostile-memory", test_hostile_memory);
  g_test_add_func ("/model-load/facts", test_facts);
  g_test_add_func ("/model-load/key-bias", test_key_bias);
  g_test_add_func ("/model-load/longest-text", test_longest_text);
  g_test_add_func ("/model-load/stop", test_stop);
  g_test_add_func ("/model-load/steps", test_steps);
  g_test_add_func ("/model-load/pool", test_pool_changes_nothing);
  g_test_add_func ("/model-load/memory-stays", test_memory_stays);
  int status = g_test_run ();
  json_decref (hostile);
  return status;
}
