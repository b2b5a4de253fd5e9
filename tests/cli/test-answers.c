/* SPDX-License-Identifier: MIT */
/* Of every command of headscope-cli: JSON that has each key once, and words where a file of
 * attention, or its tokens, are of no use. */
#include "cli-run.h"
#include "test-util.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A file of weights, [1, 2, n_queries, 2]. */
static void
write_arrays (const char *name, size_t n_queries, float weight)
{
  g_autofree char *path = in_folder (name);
  g_autoptr (GString) bytes = g_string_new (NULL);
  g_autofree char *header = g_strdup_printf (
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, %zu, 2)}\n", n_queries);
  g_string_append_len (bytes, "\x93NUMPY\x01\x00", 8);
  g_string_append_c (bytes, (char)strlen (header));
  g_string_append_c (bytes, 0);
  g_string_append (bytes, header);
  for (size_t i = 0; i < n_queries * 4; i++)
    g_string_append_len (bytes, (const char *)&weight, sizeof weight);
  g_assert_true (g_file_set_contents (path, bytes->str, (gssize)bytes->len, NULL));
}

static void
write_all (void)
{
  g_autofree char *tokens = in_folder ("t.json");
  g_assert_true (g_file_set_contents (tokens, "[\"a\", \"b\"]", -1, NULL));
  write_arrays ("square.npy", 2, 0.5F);
  write_arrays ("cross.npy", 3, 0.5F);
  write_arrays ("nan.npy", 2, NAN);
}

/* Every command with every option of such files and what may stand beside it. */
static void
test_of_no_use (void)
{
  static const char *const options[] = {"--attention square.npy", "--tokens t.json",
                                        "--token-list ab"};
  static const char *const beside[] = {"",
                                       "--text a",
                                       "--model demo",
                                       "--step scores",
                                       "--several",
                                       "--code c",
                                       "--figure f.svg",
                                       "--each",
                                       "--off 1-1",
                                       "--layer 1 --head 1",
                                       "-o -",
                                       "--mask-positions 1",
                                       "--hash",
                                       "--diagnostics",
                                       "--batch t.txt",
                                       "--attention-b nan.npy",
                                       "--view layers -o -"};
  g_auto (Run) help = RUN ("--help");
  g_auto (GStrv) lines = g_strsplit (strstr (help.out, "Commands:\n"), "\n", -1);
  size_t n = 0;
  for (size_t i = 1; g_str_has_prefix (lines[i], "  "); i++, n++) {
    g_autofree char *command = g_strndup (lines[i] + 2, strcspn (lines[i] + 2, " "));
    for (size_t k = 0; k < G_N_ELEMENTS (options); k++)
      for (size_t b = 0; b < G_N_ELEMENTS (beside); b++) {
        g_autofree char *words = g_strstrip (g_strjoin (" ", command, options[k], beside[b], NULL));
        g_auto (Run) run = RUN (words);
        if (run.status > 2 || (run.status > 0 && strstr (run.err, "headscope-cli: ") == NULL))
          g_error ("%s: exit %d: %s", words, run.status, run.err);
      }
  }
  g_assert_cmpuint (n, >, 10);
}

/* A file has no model whose steps could be shown: that is said whatever else is asked for. */
static void
test_lab (void)
{
  static const char *const asked[] = {"--step scores",          "--several",
                                      "--figure f.svg",         "--code c",
                                      "--text a --step scores", "--model demo --several",
                                      "--d-model 48 --heads 3", "--train 1,4"};
  for (size_t i = 0; i < G_N_ELEMENTS (asked); i++) {
    g_autofree char *words = g_strconcat ("lab --attention square.npy ", asked[i], NULL);
    g_auto (Run) run = RUN (words);
    if (run.status != 2 || strstr (run.err, "--attention is of no use here") == NULL)
      g_error ("%s: exit %d: %s", words, run.status, run.err);
  }
}

static void
test_keys_once (void)
{
  static const char *const asked[] = {
      "info",
      "info --hash --tensors --diagnostics",
      "info --attention square.npy --hash",
      "info --attention cross.npy",
      "tokenize --text a",
      "tokenize --text a --pair b",
      "attention --text a",
      "attention --text a --pair b --combine mean --hide cls",
      "attention --attention cross.npy",
      "attention --attention nan.npy --combine max",
      "predict --text [MASK]",
      "compare --text a --text-b b",
      "compare --text a --text-b b --layer 1 --head 2 --top 3",
      "compare --attention cross.npy --attention-b cross.npy --layer 1",
      "fetch --suggest",
      "models",
      "verify --all",
      "ablate --text a --off 1-1",
      "importance --text a",
      "heads --text a",
      "heads --attention nan.npy",
      "lab --d-model 48 --heads 3",
      "lab --d-model 48 --time 1,3 --tokens 8 --repeat 2",
      "lab --text a --step scores",
      "lab --text a --step normed --cell 0,0",
      "lab --text a --step result --cell 0,0",
      "lab --text a --several",
      "lab --train 1,4 --seeds 1 --steps 5",
      "bench --shape 1x16x2x16 --tokens 4 --repeat 1 --profile",
  };
  size_t n_read = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (asked); i++) {
    g_auto (Run) run = RUN (asked[i]);
    json_error_t problem;
    json_t *answer = json_loadb (run.out, run.out_length, JSON_REJECT_DUPLICATES, &problem);
    if (run.status == 0 && answer == NULL)
      g_error ("%s: %s", asked[i], problem.text);
    n_read += answer != NULL;
    if (answer == NULL)
      g_test_message ("%s: exit %d: %s", asked[i], run.status, run.err);
    json_decref (answer);
  }
  g_assert_cmpuint (n_read, >=, G_N_ELEMENTS (asked) - 1); /* this family has one of two norms */
}

/* How many there are, and what they are called. */
static void
test_cross (void)
{
  g_auto (Run) run = RUN ("info --attention cross.npy");
  json_t *info = json_loads (run.out, JSON_REJECT_DUPLICATES, NULL);
  assert_keys (info, "name,format,array,dtype,shape,layers,heads,queries,keys,query_tokens,"
                     "key_tokens,warnings");
  g_assert_cmpint (get_int (info, "queries"), ==, 3);
  g_assert_cmpint (get_int (info, "keys"), ==, 2);
  g_assert_cmpuint (json_array_size (json_object_get (info, "query_tokens")), ==, 3);
  g_assert_cmpuint (json_array_size (json_object_get (info, "key_tokens")), ==, 2);
  json_decref (info);
}

/* What is NaN says so, and is told apart from what is not there; then there is no class. */
static void
test_nan (void)
{
  g_auto (Run) run = RUN ("heads --attention nan.npy");
  json_t *answer = json_loads (run.out, 0, NULL);
  json_t *head = json_array_get (json_object_get (answer, "heads"), 1);
  static const char *const odd[] = {"entropy",       "entropy_normalised", "confidence",
                                    "mean_distance", "mass_self",          "mass_prev",
                                    "mass_next"};
  for (size_t i = 0; i < G_N_ELEMENTS (odd); i++)
    g_assert_cmpstr (json_string_value (json_object_get (head, odd[i])), ==, "NaN");
  g_assert_true (json_is_null (json_object_get (head, "mass_cls")));
  g_assert_true (json_is_null (json_object_get (head, "mass_other_sentence")));
  g_assert_true (json_is_null (json_object_get (head, "class")));
  g_assert_cmpstr (json_string_value (json_object_get (head, "class_reason")), ==,
                   "weights that are infinite or NaN: 4");
  json_decref (answer);
  g_auto (Run) csv = RUN ("heads --attention nan.npy --format csv");
  g_assert_true (g_str_has_suffix (csv.out, ",none,\n"));
}

/* A file without arrays: the sentence has an end. */
static void
test_no_arrays (void)
{
  static const char bytes[] = "\x02\0\0\0\0\0\0\0{}";
  g_autofree char *path = in_folder ("none.safetensors");
  g_assert_true (g_file_set_contents (path, bytes, sizeof bytes - 1, NULL));
  g_auto (Run) run = RUN ("info --attention none.safetensors");
  g_assert_cmpint (run.status, ==, 1);
  g_assert_true (g_str_has_suffix (run.err, "; there are: none\n"));
  g_auto (Run) named = RUN ("info --attention none.safetensors --array a");
  g_assert_true (g_str_has_suffix (named.err, "; there are: none\n"));
}

/* What a model of NaN alone loses with one head is no number, too, and surely not 0. */
static void
test_nan_model (void)
{
  static const char *const files[] = {"config.json", "vocab.txt", "tokenizer_config.json",
                                      "special_tokens_map.json", "model.safetensors"};
  g_autofree char *golden = test_data_path ("golden/models/bert-mlm");
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *from = g_build_filename (golden, files[i], NULL);
    g_autofree char *to = in_folder (files[i]);
    g_autofree char *bytes = NULL;
    gsize n = 0, header = 0;
    if (!g_file_get_contents (from, &bytes, &n, NULL))
      continue;
    if (g_str_has_suffix (from, ".safetensors")) {
      memcpy (&header, bytes, sizeof header);
      memset (bytes + 8 + header, 0xFF, n - 8 - header); /* a NaN of any width */
    }
    g_assert_true (g_file_set_contents (to, bytes, (gssize)n, NULL));
  }
  g_auto (Run) run = RUN ("lab --text a --several --model @", peek_folder ());
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.err, "layer 1: 6 of 6 pairs of heads could not be compared"));
  json_t *answer = json_loads (run.out, 0, NULL);
  json_t *one = json_object_get (answer, "one_head");
  g_assert_cmpstr (json_string_value (json_object_get (one, "lost")), ==, "NaN");
  g_assert_cmpint (json_integer_value (json_object_get (answer, "pairs_not_compared")), ==, 6);
  g_assert_true (json_is_null (json_object_get (answer, "most_alike")));
  json_decref (answer);
  g_auto (Run) drawn =
      RUN ("lab --text a --several --model @ --figure - --format svg", peek_folder ());
  g_assert_cmpint (drawn.status, ==, 0);
  g_assert_nonnull (strstr (drawn.err, "6 of 6 pairs of heads could not be compared"));
  g_assert_null (strstr (drawn.out, "-nan"));
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  write_all ();
  g_test_add_func ("/answers/of-no-use", test_of_no_use);
  g_test_add_func ("/answers/lab", test_lab);
  g_test_add_func ("/answers/keys-once", test_keys_once);
  g_test_add_func ("/answers/cross", test_cross);
  g_test_add_func ("/answers/nan", test_nan);
  g_test_add_func ("/answers/no-arrays", test_no_arrays);
  g_test_add_func ("/answers/nan-model", test_nan_model);
  return cli_test_run ();
}
