/* SPDX-License-Identifier: MIT */
/* Where in a folder of sentence-transformers the transformer is. */
#include "model-folder.h"
#include "test-util.h"

#include "attn/folder.h"
#include "attn/model.h"
#include "attn/run.h"

#include <glib/gstdio.h>

#include <string.h>
#include <unistd.h>

#define MODULE(path, type) "{\"idx\":0,\"name\":\"0\",\"path\":" path ",\"type\":\"" type "\"}"
#define TRANSFORMER "sentence_transformers.models.Transformer"

static const struct {
  const char *modules;
  const char *path; /* NULL: refused */
} rows[] = {
    {"[]", ""},
    {"[" MODULE ("\"\"", TRANSFORMER) "]", ""},
    {"[" MODULE ("null", TRANSFORMER) "]", ""},
    {"[{\"type\":\"" TRANSFORMER "\"}]", ""},
    {"[" MODULE ("\"0_Transformer\"", TRANSFORMER) "]", "0_Transformer"},
    {"[" MODULE ("\"1_Pooling\"",
                 "sentence_transformers.models.Pooling") "," MODULE ("\"inner\"", TRANSFORMER) "]",
     "inner"},
    {"[" MODULE ("\"../x\"", "sentence_transformers.models.Pooling") "]", ""},
    {"[" MODULE ("\"..\"", TRANSFORMER) "]", NULL},
    {"[" MODULE ("\".\"", TRANSFORMER) "]", NULL},
    {"[" MODULE ("\"a/b\"", TRANSFORMER) "]", NULL},
    {"[" MODULE ("\"a\\\\b\"", TRANSFORMER) "]", NULL},
    {"[" MODULE ("\"/etc\"", TRANSFORMER) "]", NULL},
    {"[" MODULE ("\"a\\u0000b\"", TRANSFORMER) "]", NULL},
    {"[" MODULE ("7", TRANSFORMER) "]", NULL},
    {"[7]", NULL},
    {"{}", NULL},
    {"[", NULL},
    {"", NULL},
};

static void
test_rows (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) error = NULL;
    char *folder = test_folder_new ();
    const char *text = rows[i].modules;
    g_free (test_folder_write (folder, "modules.json", text, strlen (text)));
    g_autofree char *found = attn_folder_find_transformer (folder, &error);
    g_test_message ("modules.json: %s", text);
    if (rows[i].path == NULL) {
      g_assert_null (found);
      g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
      test_sentence_check (error->message, (const char *[]){"modules.json: ", NULL});
    } else {
      g_autofree char *wanted =
          *rows[i].path == '\0' ? g_strdup (folder) : g_build_filename (folder, rows[i].path, NULL);
      g_assert_no_error (error);
      g_assert_cmpstr (found, ==, wanted);
    }
    test_folder_remove (folder);
  }
}

static void
test_without (void)
{
  g_autofree char *found = attn_folder_find_transformer ("/nowhere/at/all", NULL);
  g_assert_cmpstr (found, ==, "/nowhere/at/all");
}

static void
test_large (void)
{
  char *folder = test_folder_new ();
  g_autofree char *blanks = g_strnfill (70000, ' ');
  g_free (test_folder_write (folder, "modules.json", blanks, 70000));
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_folder_find_transformer (folder, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  test_folder_remove (folder);
}

/* The model in the sub-folder, under the outer folder's name and with the same numbers. */
static void
test_load (void)
{
  const char *modules = "[" MODULE ("\"0_Transformer\"", TRANSFORMER) "]";
  g_autofree char *plain = test_data_path ("golden/models/sentence-transformers");
  char *folder = test_folder_new ();
  g_autofree char *inner = g_build_filename (folder, "0_Transformer", NULL);
  g_autofree char *last = g_path_get_basename (folder);
  g_free (test_folder_write (folder, "modules.json", modules, strlen (modules)));
  g_assert_cmpint (symlink (plain, inner), ==, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnModel) direct = attn_model_load (plain, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (attn_model_peek_name (model), ==, last);
  g_assert_cmpstr (attn_model_peek_folder (model), ==, folder);

  const int32_t ids[] = {3, 17, 29, 5};
  float a[16], b[16];
  g_autoptr (AttnTrace) trace = attn_model_run_ids (model, ids, NULL, 4, NULL, &error);
  g_autoptr (AttnTrace) expected = attn_model_run_ids (direct, ids, NULL, 4, NULL, &error);
  g_assert_no_error (error);
  attn_trace_compute_map (trace, 1, 0, a);
  attn_trace_compute_map (expected, 1, 0, b);
  g_assert_cmpmem (a, sizeof a, b, sizeof b);
  test_folder_remove (folder);
}

/* A folder with the golden model's config and vocabulary. */
static char *
make_folder (const char *golden)
{
  static const char *const names[] = {"config.json", "vocab.txt", "tokenizer_config.json"};
  char *folder = test_folder_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *from = g_build_filename (golden, names[i], NULL);
    g_autofree char *to = g_build_filename (folder, names[i], NULL);
    g_assert_cmpint (symlink (from, to), ==, 0);
  }
  return folder;
}

static char *
link_weights (const char *golden, const char *folder, const char *name)
{
  g_autofree char *from = g_build_filename (golden, "model.safetensors", NULL);
  char *to = g_build_filename (folder, name, NULL);
  g_assert_cmpint (symlink (from, to), ==, 0);
  return to;
}

static void
assert_place (const char *path, const char *place)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = attn_model_load (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (attn_model_peek_folder (model), ==, place);
}

/* Weights of any name: alone in their folder, or given by their own path. */
static void
test_weight_file (void)
{
  g_autofree char *golden = test_data_path ("golden/models/bert");
  char *folder = make_folder (golden);
  g_autofree char *first = link_weights (golden, folder, "epoch-1.safetensors");
  g_free (test_folder_write (folder, "adapter_model.safetensors", "", 0));
  assert_place (folder, folder);
  assert_place (first, folder);

  g_autofree char *second = link_weights (golden, folder, "epoch-2.safetensors");
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_model_load (folder, NULL, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  test_sentence_check (error->message,
                       (const char *[]){folder, "epoch-1.safetensors, epoch-2.safetensors",
                                        "the path of one of the .safetensors files", NULL});
  assert_place (first, first);
  assert_place (second, second);

  g_autofree char *usual = link_weights (golden, folder, "model.safetensors");
  assert_place (folder, folder);
  assert_place (usual, folder);
  assert_place (second, second);
  test_folder_remove (folder);
}

static void
test_weight_file_of_several (void)
{
  g_autofree char *folder = test_data_path ("golden/models/bert-sharded");
  g_autofree char *part = g_build_filename (folder, "model-00002-of-00002.safetensors", NULL);
  g_autofree char *index = g_build_filename (folder, "model.safetensors.index.json", NULL);
  assert_place (part, folder);
  assert_place (index, folder);
}

/* What is beside the weights decides, and what is missing there is said. */
static void
test_weight_file_alone (void)
{
  g_autofree char *golden = test_data_path ("golden/models/bert");
  char *folder = test_folder_new ();
  g_autofree char *file = link_weights (golden, folder, "model.safetensors");
  g_autofree char *text = test_folder_write (folder, "notes.txt", "", 0);
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_model_load (file, NULL, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  test_sentence_check (error->message, (const char *[]){"config.json", NULL});
  g_clear_error (&error);
  g_autoptr (AttnSource) source = attn_source_open (text, &error);
  g_assert_null (source);
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  test_sentence_check (error->message, (const char *[]){"notes.txt: is a file", NULL});
  test_folder_remove (folder);
}

static void
test_name (void)
{
  static const struct {
    const char *folder, *name;
  } names[] = {
      {"/models/bert-base", "bert-base"},
      {"/models/bert-base/", "bert-base"},
      {"bert", "bert"},
      {"/", "/"},
      {"/c/models--google--electra-small/snapshots/0123abcd", "google/electra-small"},
      {"/c/models--gpt2/snapshots/0123abcd", "gpt2"},
      {"/c/models--gpt2/snapshots/0123abcd/", "gpt2"},
      {"/c/models--a--b--c/snapshots/0123abcd", "a/b--c"},
      {"/c/models--/snapshots/0123abcd", "0123abcd"},
      {"/c/models/snapshots/0123abcd", "0123abcd"},
      {"/c/models--a--b/refs", "refs"},
      {"snapshots/0123abcd", "0123abcd"},
      {"/m/caf\xe9", "caf\xef\xbf\xbd"},
      {"/m/two\nlines", "two lines"},
      {"/m/minilm/model", "minilm/model"},
      {"/m/minilm/model/", "minilm/model"},
      {"/m/minilm/0_Transformer", "minilm/0_Transformer"},
      {"/m/run7/checkpoint-500", "run7/checkpoint-500"},
      {"/m/run7/model/checkpoint-500", "run7/model/checkpoint-500"},
      {"/m/bert/pytorch_model.bin", "bert/pytorch_model.bin"},
      {"/m/bert/epoch3.safetensors", "bert/epoch3.safetensors"},
      {"/m/bert/0123456789abcdef0123456789abcdef01234567",
       "bert/0123456789abcdef0123456789abcdef01234567"},
      {"/m/model-of-mine", "model-of-mine"},
      {"/m/deadbeef", "deadbeef"},
      {"/m/best-bert", "best-bert"},
      {"model", "model"},
      {"/model", "model"},
      {"/output/model", "output/model"},
      {"/m/\xe9/model", "\xef\xbf\xbd/model"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *name = attn_folder_dup_name (names[i].folder);
    g_assert_cmpstr (name, ==, names[i].name);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/folder/name", test_name);
  g_test_add_func ("/folder/rows", test_rows);
  g_test_add_func ("/folder/weight-file", test_weight_file);
  g_test_add_func ("/folder/weight-file-of-several", test_weight_file_of_several);
  g_test_add_func ("/folder/weight-file-alone", test_weight_file_alone);
  g_test_add_func ("/folder/without", test_without);
  g_test_add_func ("/folder/large", test_large);
  g_test_add_func ("/folder/load", test_load);
  return g_test_run ();
}
