/* SPDX-License-Identifier: MIT */
/* Words and hidden tokens of which nothing is known but their names. */
#include "array-bytes.h"
#include "model-folder.h"

#include "attn/arrange.h"
#include "attn/arrays.h"
#include "attn/error.h"

#include <string.h>

/* Sums of at most ten f32 of at most 1 each: rounding alone, about 10 × 6e-8. */
#define TOLERANCE 6e-7

enum { MAX_TOKENS = 32 };

/* One layer of two heads, [n_queries, n_keys]; each row sums to 1, and no two are the same. */
static float
get_weight (size_t head, size_t query, size_t key, size_t n_keys)
{
  float sum = 0;
  for (size_t k = 0; k < n_keys; k++)
    sum += (float)(1 + (query * 7 + k * 3 + head) % 11);
  return (float)(1 + (query * 7 + key * 3 + head) % 11) / sum;
}

static AttnArrays *
load_arrays (size_t n_queries, size_t n_keys)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) bytes = g_string_new (NULL);
  g_autofree char *shape = g_strdup_printf ("(2, %zu, %zu)", n_queries, n_keys);
  float values[2 * MAX_TOKENS * MAX_TOKENS];
  size_t n = 2 * n_queries * n_keys;
  for (size_t i = 0; i < n; i++)
    values[i] = get_weight (i / (n_queries * n_keys), i / n_keys % n_queries, i % n_keys, n_keys);
  test_append_array (bytes, "<f4", FALSE, shape, values, n * sizeof *values);
  char *folder = test_folder_new ();
  g_autofree char *path = test_folder_write (folder, "a", bytes->str, bytes->len);
  AttnArrays *arrays = attn_arrays_load (path, NULL, &error);
  test_folder_remove (folder);
  g_assert_no_error (error);
  return arrays;
}

static GPtrArray *
split (const char *names)
{
  g_auto (GStrv) parts = g_strsplit (names, ";", -1);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  for (size_t i = 0; parts[i] != NULL; i++)
    g_ptr_array_add (list, g_strdup (parts[i]));
  return list;
}

/* Names apart by ";"; @keys may be NULL for one list. */
static AttnMaps *
new_maps (const char *queries, const char *keys)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) query_list = split (queries);
  g_autoptr (GPtrArray) key_list = keys != NULL ? split (keys) : NULL;
  g_autoptr (AttnLabels) labels = attn_labels_new (query_list, key_list);
  g_autoptr (AttnArrays) arrays = load_arrays (attn_labels_get_n (labels, ATTN_SIDE_QUERY),
                                               attn_labels_get_n (labels, ATTN_SIDE_KEY));
  AttnMaps *maps = attn_maps_new_from_arrays (arrays, labels, &error);
  g_assert_no_error (error);
  return maps;
}

static AttnMaps *
arrange_with (AttnMaps *maps, AttnArrangement how, const AttnWordList *words)
{
  g_autoptr (GError) error = NULL;
  AttnMaps *made = attn_maps_arrange (maps, &how, words, NULL, &error);
  g_assert_no_error (error);
  return made;
}

static AttnMaps *
arrange (AttnMaps *maps, AttnArrangement how)
{
  return arrange_with (maps, how, NULL);
}

static void
assert_names (AttnMaps *maps, AttnSide side, const char *expected)
{
  g_autoptr (GString) names = g_string_new (NULL);
  for (size_t i = 0; i < attn_maps_get_n (maps, side); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ";" : "", attn_maps_peek_label (maps, side, i));
  g_assert_cmpstr (names->str, ==, expected);
}

static void
assert_weights (AttnMaps *maps, size_t head, const double *expected)
{
  float weights[MAX_TOKENS * MAX_TOKENS];
  g_autoptr (GError) error = NULL;
  g_assert_true (attn_maps_compute (maps, 0, head, weights, &error));
  size_t n = attn_maps_get_n (maps, ATTN_SIDE_QUERY) * attn_maps_get_n (maps, ATTN_SIDE_KEY);
  for (size_t i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon ((double)weights[i], expected[i], TOLERANCE);
}

/* ---- names ---- */

static void
test_words (void)
{
  static const struct {
    const char *names, *words;
  } cases[] = {
      /* WordPiece */
      {"[CLS];un;##aff;##able;cats;,;[SEP]", "[CLS];unaffable;cats;,;[SEP]"},
      {"[CLS];##ing;##s;[SEP];##s", "[CLS];ings;[SEP];s"},
      {"##;###;a;##b", "##;###;ab"},
      {"play;[MASK];##ing", "play;[MASK];ing"},
      {"30;##°;##c;[UNK];a", "30;°;c;[UNK];a"}, /* as in texts */
      {"我;爱;北;京;run;##s", "我;爱;北;京;runs"},
      /* SentencePiece */
      {"<s>;▁The;▁un;aff;able;▁cat;.;</s>", "<s>;The;unaffable;cat;.;</s>"},
      {"▁;我;爱;▁a;b", "▁;我;爱;ab"},
      {"▁don;';t;▁3;.;5;▁a;<mask>;b", "don't;3.5;a;<mask>;b"},
      {"▁a;</s>;b", "a;</s>;b"},
      /* bytes */
      {"<|endoftext|>;The;Ġcat;s;Ġsat;.", "<|endoftext|>;The;cats;sat;."},
      {"Ġcaf;Ã©;Ġ;æĪ;ĳ", "café;Ġ;我"}, /* the last two are the bytes of one character */
      {"Ġcafé;s;Ġ貓", "cafés;貓"},     /* no bytes: as they are */
      {"Ġa;æĪ", "aæĪ"},                /* half a character is no text either */
      /* as texts of tokens */
      {"The; cat;s; sat", "The;cats;sat"},
      /* no marks */
      {"the;cat;s;.;a.b;New York", "the;cat;s;.;a.b;New York"},
      {";;a;", ";;a;"},
      {"0;1;2", "0;1;2"},
      {"[cls];a;<PAD>", "[cls];a;<PAD>"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_test_message ("%s", cases[i].names);
    g_autoptr (AttnMaps) maps = new_maps (cases[i].names, NULL);
    g_autoptr (AttnMaps) made = arrange (maps, (AttnArrangement){.unit = ATTN_UNIT_WORDS});
    assert_names (made, ATTN_SIDE_QUERY, cases[i].words);
    assert_names (made, ATTN_SIDE_KEY, cases[i].words);
  }
}

static void
test_word_list (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = test_folder_new ();
  static const char list[] = "北京\n";
  g_autofree char *path = test_folder_write (folder, "words.txt", list, strlen (list));
  g_autoptr (AttnWordList) words = attn_word_list_load (path, &error);
  test_folder_remove (folder);
  g_assert_no_error (error);
  g_autoptr (AttnMaps) maps = new_maps ("[CLS];我;爱;北;京;[SEP]", NULL);
  g_autoptr (AttnMaps) made =
      arrange_with (maps, (AttnArrangement){.unit = ATTN_UNIT_WORDS}, words);
  assert_names (made, ATTN_SIDE_KEY, "[CLS];我;爱;北京;[SEP]");
}

static void
test_hidden_names (void)
{
  static const struct {
    const char *names;
    unsigned hide;
    const char *left;
  } cases[] = {
      {"[CLS];a;,;[SEP];b;[SEP]", ATTN_HIDE_CLS, "a;,;[SEP];b;[SEP]"},
      {"[CLS];a;,;[SEP];b;[SEP]", ATTN_HIDE_SEP, "[CLS];a;,;b"},
      {"[CLS];a;,;[SEP];b;[SEP]", ATTN_HIDE_PUNCTUATION, "[CLS];a;[SEP];b;[SEP]"},
      {"<s>;▁a;▁,;▁«;.;</s>;<pad>", ATTN_HIDE_PUNCTUATION | ATTN_HIDE_SEP, "<s>;▁a"},
      {"<|endoftext|>;a;Ġ!!;ãĢĤ;<|endoftext|>", ATTN_HIDE_PUNCTUATION | ATTN_HIDE_CLS,
       "a;<|endoftext|>"},
      {"a;[MASK];[UNK];##.;b;##c", ATTN_HIDE_PUNCTUATION | ATTN_HIDE_CLS | ATTN_HIDE_SEP,
       "a;[MASK];[UNK];b;##c"},
      {"a; ;b;", ATTN_HIDE_PUNCTUATION | ATTN_HIDE_CLS | ATTN_HIDE_SEP, "a; ;b;"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_test_message ("%s", cases[i].names);
    g_autoptr (AttnMaps) maps = new_maps (cases[i].names, NULL);
    g_autoptr (AttnMaps) made = arrange (maps, (AttnArrangement){.hide = cases[i].hide});
    assert_names (made, ATTN_SIDE_QUERY, cases[i].left);
    assert_names (made, ATTN_SIDE_KEY, cases[i].left);
  }
}

static void
test_marks (void)
{
  static const struct {
    const char *queries, *keys;
    bool has;
  } cases[] = {{"[CLS];a;#;##;.", NULL, false},
               {"a;b", "c;##d", true},
               {"a;▁b", "c", true},
               {"Ġ", "c", true},
               {" a", NULL, true},
               {"a b;c", NULL, false}};
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GPtrArray) queries = split (cases[i].queries);
    g_autoptr (GPtrArray) keys = cases[i].keys != NULL ? split (cases[i].keys) : NULL;
    g_autoptr (AttnLabels) labels = attn_labels_new (queries, keys);
    g_assert_true (attn_labels_has_marks (labels) == cases[i].has);
  }
}

/* ---- weights ---- */

/* To a word the sum of its columns, from a word the mean of its rows; each side by its own names.
 */
static void
test_word_weights (void)
{
  g_autoptr (AttnMaps) maps = new_maps ("▁un;aff;able;▁cat;</s>", "<s>;▁die;▁Kat;ze;.;</s>");
  static const size_t query_of[] = {0, 0, 0, 1, 2}, key_of[] = {0, 1, 2, 2, 3, 4};
  static const double rows[] = {3, 1, 1};
  enum { N_QUERIES = 5, N_KEYS = 6, N_WORD_QUERIES = 3, N_WORD_KEYS = 5 };
  g_autoptr (AttnMaps) made = arrange (maps, (AttnArrangement){.unit = ATTN_UNIT_WORDS});
  assert_names (made, ATTN_SIDE_QUERY, "unaffable;cat;</s>");
  assert_names (made, ATTN_SIDE_KEY, "<s>;die;Katze;.;</s>");
  for (size_t head = 0; head < 2; head++) {
    double expected[N_WORD_QUERIES * N_WORD_KEYS] = {0};
    for (size_t q = 0; q < N_QUERIES; q++)
      for (size_t k = 0; k < N_KEYS; k++)
        expected[query_of[q] * N_WORD_KEYS + key_of[k]] +=
            (double)get_weight (head, q, k, N_KEYS) / rows[query_of[q]];
    assert_weights (made, head, expected);
  }
}

/* What is left is as it was, or sums to 1 again; queries and keys have lists of their own. */
static void
test_hidden_weights (void)
{
  enum { N_KEYS = 6, N_LEFT_QUERIES = 2, N_LEFT_KEYS = 2 };
  static const size_t queries[] = {1, 3}, keys[] = {1, 3};
  for (int renormalise = 0; renormalise < 2; renormalise++) {
    g_autoptr (AttnMaps) maps = new_maps ("<pad>;a;,;b", "[CLS];x;.;y;[SEP];[PAD]");
    AttnArrangement how = {.hide = ATTN_HIDE_CLS | ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION,
                           .renormalise = renormalise != 0};
    g_autoptr (AttnMaps) made = arrange (maps, how);
    assert_names (made, ATTN_SIDE_QUERY, "a;b");
    assert_names (made, ATTN_SIDE_KEY, "x;y");
    double expected[N_LEFT_QUERIES * N_LEFT_KEYS];
    for (size_t q = 0; q < N_LEFT_QUERIES; q++) {
      double sum = 0;
      for (size_t k = 0; k < N_LEFT_KEYS; k++)
        sum += (double)get_weight (1, queries[q], keys[k], N_KEYS);
      for (size_t k = 0; k < N_LEFT_KEYS; k++)
        expected[q * N_LEFT_KEYS + k] =
            (double)get_weight (1, queries[q], keys[k], N_KEYS) / (renormalise ? sum : 1);
    }
    assert_weights (made, 1, expected);
  }
}

/* All steps in their order: what is combined has the names still. */
static void
test_all_steps (void)
{
  g_autoptr (AttnMaps) maps = new_maps ("[CLS];cat;##s;,;sat;[SEP]", NULL);
  AttnArrangement how = {.combine = ATTN_COMBINE_MEAN,
                         .combine_layers = true,
                         .unit = ATTN_UNIT_WORDS,
                         .hide = ATTN_HIDE_CLS | ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION,
                         .renormalise = true};
  g_autoptr (AttnMaps) made = arrange (maps, how);
  assert_names (made, ATTN_SIDE_KEY, "cats;sat");
  double expected[4] = {0};
  static const size_t word_of[] = {9, 0, 0, 9, 1, 9};
  for (size_t q = 0; q < 6; q++)
    for (size_t k = 0; k < 6; k++)
      if (word_of[q] != 9 && word_of[k] != 9)
        expected[word_of[q] * 2 + word_of[k]] +=
            (double)get_weight (0, q, k, 6) + (double)get_weight (1, q, k, 6);
  for (size_t q = 0; q < 2; q++) {
    double sum = expected[q * 2] + expected[q * 2 + 1];
    expected[q * 2] /= sum;
    expected[q * 2 + 1] /= sum;
  }
  assert_weights (made, 0, expected);
  AttnOrigin origin;
  g_assert_true (attn_maps_get_origin (made, ATTN_SIDE_KEY, 1, &origin));
  g_assert_cmpuint (origin.first, ==, 4);
  g_assert_cmpuint (attn_maps_find_token (made, ATTN_SIDE_QUERY, 2), ==, 0);
  g_assert_cmpuint (attn_maps_find_token (made, ATTN_SIDE_QUERY, 3), ==, G_MAXSIZE);
}

static void
assert_refused (AttnMaps *maps, AttnArrangement how, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_maps_arrange (maps, &how, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_cmpstr (error->message, ==, says);
}

static void
test_refused (void)
{
  g_autoptr (AttnMaps) maps = new_maps ("a;,", "[CLS];.;[SEP]");
  assert_refused (maps, (AttnArrangement){.unit = ATTN_UNIT_CHARACTERS},
                  "characters: these maps come from no text");
  assert_refused (maps, (AttnArrangement){.part = ATTN_PART_A_TO_A},
                  "a part of the sentence pair: these maps come from no text");
  assert_refused (maps,
                  (AttnArrangement){.hide = ATTN_HIDE_CLS | ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION},
                  "hidden tokens: of 3 tokens nothing is left to show");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/named/words", test_words);
  g_test_add_func ("/named/word-list", test_word_list);
  g_test_add_func ("/named/hidden", test_hidden_names);
  g_test_add_func ("/named/marks", test_marks);
  g_test_add_func ("/named/word-weights", test_word_weights);
  g_test_add_func ("/named/hidden-weights", test_hidden_weights);
  g_test_add_func ("/named/all-steps", test_all_steps);
  g_test_add_func ("/named/refused", test_refused);
  return g_test_run ();
}
