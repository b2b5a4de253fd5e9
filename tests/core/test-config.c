/* SPDX-License-Identifier: MIT */
/* config.json: what is read, what is filled in, and every way it can be wrong. */
#include "model-folder.h"
#include "test-util.h"

#include "attn/config.h"

#include <glib/gstdio.h>
#include <locale.h>

#include <stdlib.h>
#include <string.h>

static const TestHostileCase hostile[] = {
    {"cfg-missing", TEST_REFUSED, ATTN_ERROR_IO},
    {"cfg-empty", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"cfg-cut", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"cfg-array", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"cfg-nul", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"cfg-bom", TEST_LOADS, 0},
    {"cfg-deep", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"cfg-heads-not-dividing", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"cfg-zero-heads", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"cfg-zero-layers", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"cfg-billion-layers", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"cfg-more-layers-than-file", TEST_MODEL_REFUSES, 0},
    {"cfg-negative-hidden", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"cfg-hidden-string", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"cfg-hidden-float", TEST_LOADS, 0},
    {"cfg-hidden-fraction", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"cfg-hidden-mismatch", TEST_MODEL_REFUSES, 0},
    {"cfg-vocab-huge", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"cfg-eps-nan", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"cfg-eps-negative", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"cfg-act-unknown", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"cfg-type-unknown", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"cfg-type-missing", TEST_LOADS, 0},
    {"cfg-relative-key", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"cfg-defaults", TEST_LOADS, 0},
    {"cfg-duplicate-key", TEST_REFUSED, ATTN_ERROR_FORMAT},
};

static void
assert_same (const AttnConfig *a, const AttnConfig *b)
{
  g_assert_cmpstr (a->family, ==, b->family);
  g_assert_cmpstr (a->architecture, ==, b->architecture);
  g_assert_cmpuint (a->n_layers, ==, b->n_layers);
  g_assert_cmpuint (a->n_heads, ==, b->n_heads);
  g_assert_cmpuint (a->d_model, ==, b->d_model);
  g_assert_cmpuint (a->d_k, ==, b->d_k);
  g_assert_cmpuint (a->d_ff, ==, b->d_ff);
  g_assert_cmpuint (a->vocab_size, ==, b->vocab_size);
  g_assert_cmpuint (a->n_positions, ==, b->n_positions);
  g_assert_cmpuint (a->n_types, ==, b->n_types);
  g_assert_cmpfloat (a->layer_norm_eps, ==, b->layer_norm_eps);
  g_assert_cmpint (a->activation, ==, b->activation);
  g_assert_cmpint (a->pad_id, ==, b->pad_id);
  g_assert_cmpint (a->tied, ==, b->tied);
}

static void
test_hostile_folder (gconstpointer data)
{
  const TestHostileCase *hostile_case = data;
  g_autofree char *path = test_hostile_path (hostile_case->folder);
  g_autofree char *ok_path = test_hostile_path ("ok");
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnConfig) config = attn_config_load (path, &error);
  if (hostile_case->outcome == TEST_REFUSED) {
    g_assert_null (config);
    test_hostile_check_error (hostile_case->folder, error, hostile_case->code);
    return;
  }
  g_assert_no_error (error);
  if (hostile_case->outcome == TEST_LOADS) {
    g_autoptr (AttnConfig) ok = attn_config_load (ok_path, NULL);
    assert_same (config, ok);
  }
}

static void
test_hostile_list (void)
{
  test_hostile_check_list ("cfg-", hostile, G_N_ELEMENTS (hostile));
}

static AttnConfig *
load_text (const char *text, GError **error)
{
  char *folder = test_folder_new ();
  g_free (test_folder_write (folder, "config.json", text, strlen (text)));
  AttnConfig *config = attn_config_load (folder, error);
  test_folder_remove (folder);
  return config;
}

static void
test_reads_all (void)
{
  g_autofree char *path = test_data_path ("golden/models/bert-gelu_new");
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnConfig) config = attn_config_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (config->family, ==, "bert");
  g_assert_cmpstr (config->architecture, ==, "BertForMaskedLM");
  g_assert_cmpuint (config->n_layers, ==, 2);
  g_assert_cmpuint (config->n_heads, ==, 4);
  g_assert_cmpuint (config->d_model, ==, 32);
  g_assert_cmpuint (config->d_k, ==, 8);
  g_assert_cmpuint (config->d_ff, ==, 64);
  g_assert_cmpuint (config->vocab_size, ==, 401);
  g_assert_cmpuint (config->n_positions, ==, 64);
  g_assert_cmpuint (config->n_types, ==, 2);
  g_assert_cmpfloat (config->layer_norm_eps, ==, 1e-5);
  g_assert_cmpint (config->activation, ==, ATTN_ACTIVATION_GELU_TANH);
  g_assert_cmpint (config->pad_id, ==, 0);
  g_assert_true (config->tied);
  g_assert_null (config->warnings);
  g_autofree char *untied_path = test_data_path ("golden/models/bert-relu");
  g_autoptr (AttnConfig) untied = attn_config_load (untied_path, &error);
  g_assert_no_error (error);
  g_assert_false (untied->tied);
  g_assert_cmpint (untied->activation, ==, ATTN_ACTIVATION_RELU);
}

/* With nothing but its type, a BERT is bert-base-uncased. Null means the same as missing. */
static void
test_defaults (void)
{
  const AttnConfig base = {.family = (char[]){"bert"},
                           .n_layers = 12,
                           .n_heads = 12,
                           .d_model = 768,
                           .d_k = 64,
                           .d_ff = 3072,
                           .vocab_size = 30522,
                           .n_positions = 512,
                           .n_types = 2,
                           .layer_norm_eps = 1e-12,
                           .activation = ATTN_ACTIVATION_GELU,
                           .tied = true};
  const char *texts[] = {
      "{\"model_type\": \"bert\"}",
      " {\"model_type\": \"bert\", \"hidden_size\": null, \"architectures\": null, "
      "\"pad_token_id\": null, \"hidden_act\": null, \"layer_norm_eps\": null, "
      "\"tie_word_embeddings\": null, \"position_embedding_type\": null, \"pruned_heads\": {}}\n",
      "{\"model_type\": \"bert\", \"hidden_size\": 768.0, \"vocab_size\": 3.0522e4, "
      "\"architectures\": [], \"unknown\": [1e30, 1000000000000000019884624838656]}",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnConfig) config = load_text (texts[i], &error);
    g_assert_no_error (error);
    assert_same (config, &base);
    g_assert_null (config->warnings);
  }
}

static void
test_activations (void)
{
  const struct {
    const char *name;
    AttnActivation activation;
  } rows[] = {
      {"gelu", ATTN_ACTIVATION_GELU},          {"gelu_python", ATTN_ACTIVATION_GELU},
      {"gelu_new", ATTN_ACTIVATION_GELU_TANH}, {"gelu_pytorch_tanh", ATTN_ACTIVATION_GELU_TANH},
      {"relu", ATTN_ACTIVATION_RELU},          {"gelu_fast", ATTN_ACTIVATION_GELU_TANH},
      {"silu", ATTN_ACTIVATION_SILU},          {"swish", ATTN_ACTIVATION_SILU},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *text =
        g_strdup_printf ("{\"model_type\": \"bert\", \"hidden_act\": \"%s\"}", rows[i].name);
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnConfig) config = load_text (text, &error);
    g_assert_no_error (error);
    g_assert_cmpint (config->activation, ==, rows[i].activation);
  }
}

static void
test_refusals (void)
{
  const struct {
    const char *fields;
    AttnError code;
    const char *names[4]; /* NULL-terminated */
  } rows[] = {
      {"\"model_type\": \"t5\"", ATTN_ERROR_UNSUPPORTED, {"model_type", "\"t5\"", "gpt2"}},
      {"\"model_type\": 7", ATTN_ERROR_FORMAT, {"model_type", "7", "string"}},
      {"\"model_type\": \"be\\u0000rt\"", ATTN_ERROR_FORMAT, {"model_type", "U+0000"}},
      {"\"model_type\": \"a\\nb\\u001b[31m\"", ATTN_ERROR_UNSUPPORTED, {"model_type"}},
      {"\"architectures\": [\"Other\"]", ATTN_ERROR_UNSUPPORTED, {"model_type", "bert"}},
      {"\"architectures\": \"BertModel\"", ATTN_ERROR_FORMAT, {"architectures"}},
      {"\"architectures\": [1]", ATTN_ERROR_FORMAT, {"architectures"}},
      {"\"hidden_act\": \"tanh\"", ATTN_ERROR_UNSUPPORTED, {"\"tanh\"", "gelu_new", "swish"}},
      {"\"hidden_act\": []", ATTN_ERROR_FORMAT, {"hidden_act", "array"}},
      {"\"is_decoder\": true", ATTN_ERROR_UNSUPPORTED, {"is_decoder"}},
      {"\"is_decoder\": 1", ATTN_ERROR_FORMAT, {"is_decoder", "true or false"}},
      {"\"pruned_heads\": {\"0\": [1]}", ATTN_ERROR_UNSUPPORTED, {"pruned_heads"}},
      {"\"layer_norm_eps\": 1e400", ATTN_ERROR_FORMAT, {"layer_norm_eps"}},
      {"\"layer_norm_eps\": 1.5", ATTN_ERROR_SHAPE, {"layer_norm_eps", "1.5"}},
      {"\"layer_norm_eps\": \"1e-12\"", ATTN_ERROR_FORMAT, {"layer_norm_eps", "string"}},
      {"\"pad_token_id\": 30522", ATTN_ERROR_SHAPE, {"pad_token_id", "30522", "30521"}},
      {"\"pad_token_id\": -1", ATTN_ERROR_SHAPE, {"pad_token_id", "-1"}},
      {"\"hidden_size\": 1e300", ATTN_ERROR_SHAPE, {"hidden_size", "1e+300"}},
      {"\"hidden_size\": true", ATTN_ERROR_FORMAT, {"hidden_size", "true"}},
      {"\"hidden_size\": {}", ATTN_ERROR_FORMAT, {"hidden_size", "object"}},
      {"\"tie_word_embeddings\": \"yes\"", ATTN_ERROR_FORMAT, {"tie_word_embeddings"}},
      {"\"type_vocab_size\": 0", ATTN_ERROR_SHAPE, {"type_vocab_size", "0"}},
      {"\"num_hidden_layers\": 99999999999999999999", ATTN_ERROR_SHAPE, {"num_hidden_layers"}},
      {"\"hidden_size\" 8", ATTN_ERROR_FORMAT, {"JSON", "line 1", "hidden_size"}},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    bool typed = strstr (rows[i].fields, "model_type") != NULL ||
                 strstr (rows[i].fields, "architectures") != NULL;
    g_autofree char *text =
        g_strdup_printf ("{%s%s}", typed ? "" : "\"model_type\": \"bert\", ", rows[i].fields);
    g_autoptr (GError) error = NULL;
    g_assert_null (load_text (text, &error));
    g_assert_error (error, ATTN_ERROR, (int)rows[i].code);
    test_sentence_check (error->message, rows[i].names);
    g_assert_nonnull (strstr (error->message, "config.json: "));
  }
}

static void
test_warnings (void)
{
  const char *const names[] = {"config.json", "model_type", "BertForMaskedLM", NULL};
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnConfig) config =
      load_text ("\xEF\xBB\xBF{\"architectures\": [\"BertForMaskedLM\"]}", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (config->warnings), ==, 2);
  g_assert_nonnull (strstr (config->warnings[0], "byte order mark"));
  test_sentence_check (config->warnings[1], names);
  g_autoptr (AttnConfig) copy = attn_config_copy (config);
  assert_same (copy, config);
  g_assert_true (copy->family != config->family);
  g_assert_cmpstr (copy->warnings[1], ==, config->warnings[1]);
}

static void
test_odd_files (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir (path, 0755), ==, 0);
  g_assert_null (attn_config_load (folder, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  test_sentence_check (error->message, (const char *[]){"config.json", "a folder", NULL});
  g_clear_error (&error);
  g_assert_cmpint (g_rmdir (path), ==, 0);

  size_t n = (size_t)9 << 20;
  g_autofree char *spaces = g_malloc (n);
  memset (spaces, ' ', n);
  g_free (test_folder_write (folder, "config.json", spaces, n));
  g_assert_null (attn_config_load (folder, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  test_sentence_check (error->message, (const char *[]){"config.json", "9437184", NULL});
  g_clear_error (&error);
  test_folder_remove (folder);

  g_assert_null (attn_config_load ("/nowhere/\xFF\nfolder", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  test_sentence_check (error->message, (const char *[]){"/nowhere/", "config.json", NULL});
}

/* 1e-12 must not become 1 where the decimal sign is a comma. */
static void
test_locale (void)
{
  const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
  size_t i = 0;
  while (i < G_N_ELEMENTS (commas) && setlocale (LC_NUMERIC, commas[i]) == NULL)
    i++;
  if (i == G_N_ELEMENTS (commas)) {
    g_test_skip ("no locale with a decimal comma is installed");
    return;
  }
  g_autoptr (AttnConfig) config =
      load_text ("{\"model_type\": \"bert\", \"layer_norm_eps\": 0.25}", NULL);
  g_autoptr (GError) error = NULL;
  g_assert_null (load_text ("{\"model_type\": \"bert\", \"layer_norm_eps\": 1.5}", &error));
  setlocale (LC_NUMERIC, "C");
  g_assert_cmpfloat (config->layer_norm_eps, ==, 0.25);
  test_sentence_check (error->message, (const char *[]){"found 1.5,", NULL});
}

/* Mutations of a good file: refused or loaded with sound sizes, never anything else. */
static void
test_mutations (void)
{
  enum { ROUNDS = 2000 };
  g_autofree char *path = test_hostile_path ("ok/config.json");
  gsize n = 0;
  g_autofree char *good = test_read_file (path, &n);
  GRand *random = g_rand_new_with_seed (20260703);
  char *folder = test_folder_new ();
  size_t n_loaded = 0, n_refused = 0;
  for (int round = 0; round < ROUNDS; round++) {
    g_autofree char *bytes = g_memdup2 (good, n);
    int n_changes = g_rand_int_range (random, 1, 4);
    for (int i = 0; i < n_changes; i++)
      bytes[g_rand_int_range (random, 0, (gint32)n)] =
          (char)g_rand_int_range (random, 32, i == 2 ? 256 : 127);
    size_t kept = g_rand_int_range (random, 0, 8) == 0 ? g_rand_int (random) % n : n;
    g_free (test_folder_write (folder, "config.json", bytes, kept));
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnConfig) config = attn_config_load (folder, &error);
    g_assert_true ((config == NULL) == (error != NULL));
    if (config == NULL) {
      n_refused++;
      test_sentence_check (error->message, (const char *[]){"config.json", NULL});
      continue;
    }
    n_loaded++;
    g_assert_cmpuint (config->d_model, ==, config->n_heads * config->d_k);
    g_assert_cmpuint (config->d_k * config->d_ff * config->n_layers, >, 0);
    g_assert_cmpint (config->pad_id, <, (int)config->vocab_size);
  }
  test_folder_remove (folder);
  g_rand_free (random);
  g_test_message ("%zu loaded, %zu refused", n_loaded, n_refused);
  g_assert_cmpuint (n_loaded, >, 100);
  g_assert_cmpuint (n_refused, >, 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/config/reads-all", test_reads_all);
  g_test_add_func ("/config/defaults", test_defaults);
  g_test_add_func ("/config/activations", test_activations);
  g_test_add_func ("/config/refusals", test_refusals);
  g_test_add_func ("/config/warnings", test_warnings);
  g_test_add_func ("/config/odd-files", test_odd_files);
  g_test_add_func ("/config/locale", test_locale);
  g_test_add_func ("/config/mutations", test_mutations);
  g_test_add_func ("/config/hostile/list", test_hostile_list);
  for (size_t i = 0; i < G_N_ELEMENTS (hostile); i++) {
    g_autofree char *name = g_strdup_printf ("/config/hostile/%s", hostile[i].folder);
    g_test_add_data_func (name, &hostile[i], test_hostile_folder);
  }
  return g_test_run ();
}
