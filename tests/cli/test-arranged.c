/* SPDX-License-Identifier: MIT */
/* Arranged maps on the command line: the numbers, and the names they have in files. */
#include "cli-run.h"
#include "test-util.h"

#include <jansson.h>

#include <string.h>

/* Sums of f32 that passed through nine digits: a few 1e-8 each. */
#define TOLERANCE 1e-6

static json_t *
read_json (const Run *run)
{
  g_assert_cmpstr (run->err, ==, "");
  g_assert_cmpint (run->status, ==, 0);
  json_t *answer = json_loadb (run->out, run->out_length, 0, NULL);
  g_assert_nonnull (answer);
  return answer;
}

static double
get_weight (json_t *answer, size_t map, size_t query, size_t key)
{
  json_t *weights =
      json_object_get (json_array_get (json_object_get (answer, "maps"), map), "weights");
  json_t *weight = json_array_get (json_array_get (weights, query), key);
  g_assert_true (json_is_real (weight) || json_is_integer (weight));
  return json_number_value (weight);
}

static void
assert_tokens (json_t *answer, const char *key, const char *expected)
{
  g_autoptr (GString) joined = g_string_new (NULL);
  json_t *tokens = json_object_get (answer, key);
  for (size_t i = 0; i < json_array_size (tokens); i++)
    g_string_append_printf (joined, "%s%s", i > 0 ? " " : "",
                            json_string_value (json_array_get (tokens, i)));
  g_assert_cmpstr (joined->str, ==, expected);
}

/* "didn't" is three tokens: to it their sum, from it their mean. */
static void
test_words (void)
{
  g_auto (Run) plain = RUN ("attention --text @ --layer 2 --head 3", "it didn't");
  g_auto (Run) words = RUN ("attention --text @ --layer 2 --head 3 --unit words", "it didn't");
  json_t *tokens = read_json (&plain), *grouped = read_json (&words);
  assert_tokens (tokens, "tokens", "[CLS] it didn ' t [SEP]");
  assert_tokens (grouped, "tokens", "[CLS] it didn't [SEP]");
  g_assert_null (json_object_get (tokens, "arrangement"));
  double to = 0, from = 0;
  for (size_t t = 2; t < 5; t++) {
    to += get_weight (tokens, 0, 1, t);
    from += get_weight (tokens, 0, t, 1) / 3;
  }
  g_assert_cmpfloat_with_epsilon (get_weight (grouped, 0, 1, 2), to, TOLERANCE);
  g_assert_cmpfloat_with_epsilon (get_weight (grouped, 0, 2, 1), from, TOLERANCE);
  json_decref (tokens);
  json_decref (grouped);
}

static void
test_combined (void)
{
  g_auto (Run) plain = RUN ("attention --text @ --layer 2", "the cat");
  g_auto (Run) mean = RUN ("attention --text @ --layer 2 --combine mean --heads 1,4-5", "the cat");
  g_auto (Run) max = RUN ("attention --text @ --combine max", "the cat");
  json_t *heads = read_json (&plain), *means = read_json (&mean), *maxima = read_json (&max);
  double sum = 0, largest = 0;
  static const size_t chosen[] = {0, 3, 4};
  for (size_t i = 0; i < G_N_ELEMENTS (chosen); i++)
    sum += get_weight (heads, chosen[i], 1, 2);
  for (size_t head = 0; head < 8; head++)
    largest = MAX (largest, get_weight (heads, head, 1, 2));
  g_assert_cmpuint (json_array_size (json_object_get (means, "maps")), ==, 1);
  g_assert_cmpuint (json_array_size (json_object_get (maxima, "maps")), ==, 4);
  g_assert_cmpfloat_with_epsilon (get_weight (means, 0, 1, 2), sum / 3, TOLERANCE);
  g_assert_cmpfloat_with_epsilon (get_weight (maxima, 1, 1, 2), largest, TOLERANCE);
  json_t *map = json_array_get (json_object_get (maxima, "maps"), 1);
  g_assert_cmpint (json_integer_value (json_object_get (map, "layer")), ==, 2);
  g_assert_cmpstr (json_string_value (json_object_get (map, "head")), ==, "max");
  json_decref (heads);
  json_decref (means);
  json_decref (maxima);
}

static void
test_named (void)
{
  g_auto (Run) run =
      RUN ("attention --text @ --pair @ --combine mean --heads 2,7 --all-layers --part a-b "
           "--hide punctuation,cls --renormalise --top-keys 1",
           "the cat,", "it was!");
  json_t *answer = read_json (&run);
  g_autofree char *arrangement =
      json_dumps (json_object_get (answer, "arrangement"), JSON_COMPACT | JSON_PRESERVE_ORDER);
  g_assert_cmpstr (arrangement, ==,
                   "{\"combine\":\"mean\",\"layers\":\"all\",\"heads\":[2,7],\"part\":\"a-b\","
                   "\"hide\":[\"cls\",\"punctuation\"],\"renormalise\":true,\"top_keys\":1}");
  assert_tokens (answer, "queries", "the cat");
  assert_tokens (answer, "keys", "it was");
  g_assert_cmpfloat (get_weight (answer, 0, 0, 0) * get_weight (answer, 0, 0, 1), ==, 0);
  json_decref (answer);

  g_auto (Run) csv =
      RUN ("attention --text a --combine max --all-layers --threshold 0.5 --format csv");
  g_assert_true (g_str_has_prefix (
      csv.out, "layer,head,query,key,query_token,key_token,weight\nall,max,0,0,[CLS],[CLS],"));
  g_auto (Run) threshold = RUN ("attention --text a --layer 1 --head 1 --threshold 0.25");
  g_assert_nonnull (strstr (threshold.out, "},\"arrangement\":{\"threshold\":0.25},\"tokens\":"));
}

/* Dimensions of a tensor are those of what was asked for. */
static void
test_npy (void)
{
  static const struct {
    const char *words, *shape;
  } cases[] = {
      {"attention --text @ --format npy --unit words -o -", "(4, 8, 4, 4)"},
      {"attention --text @ --format npy --combine mean -o -", "(4, 1, 6, 6)"},
      {"attention --text @ --format npy --combine mean --layer 2 -o -", "(6, 6)"},
      {"attention --text @ --format npy --combine max --all-layers --hide cls -o -", "(5, 5)"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (Run) run = RUN (cases[i].words, "it didn't");
    g_assert_cmpint (run.status, ==, 0);
    g_assert_cmpuint (run.out_length, >, 128);
    /* behind the magic bytes and the header's length, which may hold a zero */
    g_assert_nonnull (g_strstr_len (run.out + 10, 118, cases[i].shape));
  }
}

static void
test_word_list (void)
{
  g_autofree char *path = in_folder ("words.txt");
  g_assert_true (g_file_set_contents (path, "今天\n", -1, NULL));
  g_auto (Run) with =
      RUN ("attention --layer 1 --head 1 --unit words --hide cls,sep --text @ --words-file @",
           "今天", path);
  g_auto (Run) without =
      RUN ("attention --layer 1 --head 1 --unit words --hide cls,sep --text @", "今天");
  json_t *one = read_json (&with), *two = read_json (&without);
  assert_tokens (one, "tokens", "今天");
  assert_tokens (two, "tokens", "今 天");
  json_decref (one);
  json_decref (two);
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/cli/arranged/words", test_words);
  g_test_add_func ("/cli/arranged/combined", test_combined);
  g_test_add_func ("/cli/arranged/named", test_named);
  g_test_add_func ("/cli/arranged/npy", test_npy);
  g_test_add_func ("/cli/arranged/word-list", test_word_list);
  return cli_test_run ();
}
