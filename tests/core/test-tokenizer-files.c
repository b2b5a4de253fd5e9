/* SPDX-License-Identifier: MIT */
/* What a folder's tokenizer files may say, well and badly. */
#include "test-util.h"
#include "tokenizer-fixture.h"

#include "attn/error.h"
#include "attn/tokenizer.h"

#include <jansson.h>

#include <string.h>

#define LINES "[UNK]\n[CLS]\n[SEP]\n[PAD]\n[MASK]\n"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (json_t, json_decref)

/* Loads a folder with the given files; @config and @vocab may be NULL. */
static AttnTokenizer *
try_load (const char *vocab, gssize n_bytes, const char *config, GError **error)
{
  char *folder = fixture_make_folder ();
  if (vocab != NULL)
    fixture_write (folder, "vocab.txt", vocab, n_bytes);
  if (config != NULL)
    fixture_write (folder, "tokenizer_config.json", config, -1);
  AttnTokenizer *tokenizer = attn_tokenizer_load (folder, error);
  fixture_remove (folder);
  return tokenizer;
}

static void
assert_refused (const char *vocab, const char *config, AttnError code, const char *const *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTokenizer) tokenizer = try_load (vocab, -1, config, &error);
  g_assert_null (tokenizer);
  g_assert_error (error, ATTN_ERROR, (int)code);
  for (size_t i = 0; words[i] != NULL; i++)
    if (strstr (error->message, words[i]) == NULL)
      g_error ("\"%s\" does not name \"%s\"", error->message, words[i]);
  g_assert_false (g_str_has_suffix (error->message, "."));
}

#define REFUSED(vocab, config, code, ...) \
  assert_refused (vocab, config, code, (const char *const[]){__VA_ARGS__, NULL})

static void
assert_warned (const AttnTokenizer *tokenizer, const char *word)
{
  for (size_t i = 0; i < attn_tokenizer_get_n_warnings (tokenizer); i++)
    if (strstr (attn_tokenizer_peek_warning (tokenizer, i), word) != NULL)
      return;
  g_error ("no warning names \"%s\"", word);
}

static void
check_probe (const AttnTokenizer *tokenizer, const AttnTokens *tokens, json_t *fault)
{
  json_t *ids = json_object_get (fault, "ids_by_transformers"), *id;
  size_t index;
  if (ids == NULL)
    return; /* the reference does not load it */
  g_assert_cmpuint (attn_tokens_get_n (tokens), ==, json_array_size (ids));
  json_array_foreach (ids, index, id)
      g_assert_cmpint (attn_tokens_peek (tokens, index)->id, ==, (int)json_integer_value (id));
  g_assert_cmpuint (attn_tokenizer_get_vocab_size (tokenizer), >=, 12 - 3);
}

/* A vocabulary that is longer or shorter than the model says is the model's to find. */
static bool
is_about_the_vocabulary_alone (const char *name)
{
  return !g_str_equal (name, "voc-short") && !g_str_equal (name, "voc-long");
}

static void
check_fault (json_t *fault, const char *probe_text)
{
  const char *name = json_string_value (json_object_get (fault, "folder"));
  const char *expect = json_string_value (json_object_get (fault, "expect"));
  g_autofree char *below = g_strdup_printf ("hostile/%s", name);
  g_autofree char *folder = test_data_path (below);
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTokenizer) tokenizer = attn_tokenizer_load (folder, &error);
  g_test_message ("%s: %s", name, error == NULL ? "loads" : error->message);
  if (error != NULL)
    g_assert_true (error->domain == ATTN_ERROR);
  if (g_str_equal (expect, "error") || (g_str_has_prefix (expect, "error") && error != NULL)) {
    json_t *words = json_object_get (fault, "message_names"), *word;
    size_t index;
    g_assert_nonnull (error);
    json_array_foreach (words, index, word)
        g_assert_nonnull (strstr (error->message, json_string_value (word)));
    return;
  }
  g_assert_no_error (error);
  if (g_str_equal (expect, "loads with warning") && is_about_the_vocabulary_alone (name))
    assert_warned (tokenizer, "vocab.txt");
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, probe_text, NULL, 0);
  check_probe (tokenizer, tokens, fault);
}

static void
test_hostile (void)
{
  g_autofree char *path = test_data_path ("hostile/hostile.json");
  g_autoptr (json_t) root = json_load_file (path, 0, NULL);
  json_t *fault;
  size_t index, n_checked = 0;
  json_array_foreach (json_object_get (root, "cases"), index, fault)
  {
    const char *name = json_string_value (json_object_get (fault, "folder"));
    if (!g_str_has_prefix (name, "voc-") && !g_str_has_prefix (name, "tok-"))
      continue;
    check_fault (fault, json_string_value (json_object_get (root, "probe_text")));
    n_checked++;
  }
  g_assert_cmpuint (n_checked, ==, 15 + 19);
}

static void
test_vocab_lines (void)
{
  g_autoptr (GError) error = NULL;
  static const char vocab[] = "\xEF\xBB\xBF" LINES "a \nb\r\nc\xC2\x85\na\0d\n\n\xE2\x80\xA8\na\n";
  g_autoptr (AttnTokenizer) tokenizer = try_load (vocab, sizeof vocab - 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_tokenizer_get_vocab_size (tokenizer), ==, 12);
  g_assert_cmpint (attn_tokenizer_find_id (tokenizer, "[UNK]"), ==, 0);
  g_assert_cmpint (attn_tokenizer_find_id (tokenizer, "a"), ==, 11);
  g_assert_cmpint (attn_tokenizer_find_id (tokenizer, "b"), ==, 6);
  g_assert_cmpint (attn_tokenizer_find_id (tokenizer, "c"), ==, 7);
  g_assert_cmpint (attn_tokenizer_find_id (tokenizer, ""), ==, -1);
  g_assert_cmpint (attn_tokenizer_find_id (tokenizer, "nothing"), ==, -1);
  g_assert_cmpstr (attn_tokenizer_peek_piece (tokenizer, 5), ==, "a");
  g_assert_cmpstr (attn_tokenizer_peek_piece (tokenizer, 8), ==, "a\u2400d");
  g_assert_cmpstr (attn_tokenizer_peek_piece (tokenizer, 9), ==, "");
  g_assert_cmpstr (attn_tokenizer_peek_piece (tokenizer, 10), ==, "\u2028");
  g_assert_null (attn_tokenizer_peek_piece (tokenizer, 12));
  g_assert_null (attn_tokenizer_peek_piece (tokenizer, -1));
  assert_warned (tokenizer, "byte order mark");
  assert_warned (tokenizer, "line 9 holds a NUL byte");
  assert_warned (tokenizer, "line 12 repeats \"a\" of line 6");
}

static void
test_refused_vocabs (void)
{
  REFUSED ("", NULL, ATTN_ERROR_FORMAT, "vocab.txt", "empty");
  REFUSED (LINES "a\n\xC3(\n", NULL, ATTN_ERROR_FORMAT, "vocab.txt", "line 7", "0xC3");
  REFUSED ("[UNK]\n[CLS]\n", NULL, ATTN_ERROR_FORMAT, "vocab.txt", "[SEP]", "sep_token");
  REFUSED (NULL, NULL, ATTN_ERROR_IO, "vocab.txt", "tokenizer.json");
  g_autoptr (GString) many = g_string_new (LINES);
  for (int i = 0; i <= 4 << 20; i++)
    g_string_append_c (many, '\n');
  REFUSED (many->str, NULL, ATTN_ERROR_TOO_LARGE, "vocab.txt", "lines");
}

/* A folder with these files, which end at NULL, must be refused. */
static void
assert_folder_refused (const char *const *files, AttnError code, const char *word)
{
  g_autoptr (GError) error = NULL;
  char *folder = fixture_make_folder ();
  for (size_t i = 0; files[i] != NULL; i += 2)
    fixture_write (folder, files[i], files[i + 1], -1);
  g_assert_null (attn_tokenizer_load (folder, &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
  if (strstr (error->message, word) == NULL)
    g_error ("\"%s\" does not name \"%s\"", error->message, word);
  fixture_remove (folder);
}

#define FOLDER_REFUSED(code, word, ...) \
  assert_folder_refused ((const char *const[]){__VA_ARGS__, NULL}, code, word)

static void
test_other_kinds (void)
{
  FOLDER_REFUSED (ATTN_ERROR_IO, "config.json", "tokenizer.model", "");
  FOLDER_REFUSED (ATTN_ERROR_IO, "merges.txt", "vocab.json", "{}");
  FOLDER_REFUSED (ATTN_ERROR_FORMAT, "model", "tokenizer.json", "{}");
  FOLDER_REFUSED (ATTN_ERROR_FORMAT, "tokenizer.json", "tokenizer.json", "not JSON", "vocab.txt",
                  LINES);
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_tokenizer_load ("/nowhere/at/all", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
}

/* Whether there is enough, without reading it. */
static void
test_check_files (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = fixture_make_folder ();
  g_assert_false (attn_tokenizer_check_files (folder, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_clear_error (&error);
  fixture_write (folder, "vocab.json", "", -1);
  g_assert_false (attn_tokenizer_check_files (folder, &error));
  g_assert_nonnull (strstr (error->message, "merges.txt"));
  fixture_write (folder, "merges.txt", "", -1);
  g_assert_true (attn_tokenizer_check_files (folder, NULL));
  fixture_remove (folder);
  folder = fixture_make_folder ();
  fixture_write (folder, "spiece.model", "", -1);
  g_assert_true (attn_tokenizer_check_files (folder, NULL));
  fixture_remove (folder);
}

/* Of a folder with both, tokenizer.json is read. */
static void
test_both_kinds (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = fixture_make_folder ();
  fixture_write (folder, "tokenizer.json",
                 "{\"model\": {\"type\": \"WordLevel\", \"unk_token\": \"u\", "
                 "\"vocab\": {\"u\": 0, \"a\": 1}}}",
                 -1);
  fixture_write (folder, "vocab.txt", LINES "a\n", -1);
  g_autoptr (AttnTokenizer) tokenizer = attn_tokenizer_load (folder, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_tokenizer_get_vocab_size (tokenizer), ==, 2);
  fixture_remove (folder);
}

static void
test_refused_configs (void)
{
  REFUSED (LINES, "{\"tokenizer_class\": \"BertJapaneseTokenizer\"}", ATTN_ERROR_UNSUPPORTED,
           "tokenizer_config.json", "tokenizer_class", "BertJapaneseTokenizer");
  REFUSED (LINES, "{\"do_lower_case\": \"yes\"}", ATTN_ERROR_FORMAT, "tokenizer_config.json",
           "do_lower_case");
  REFUSED (LINES, "{\"cls_token\": 5}", ATTN_ERROR_FORMAT, "tokenizer_config.json", "cls_token");
  REFUSED (LINES, "{\"cls_token\": \"\"}", ATTN_ERROR_FORMAT, "cls_token");
  REFUSED (LINES, "{\"cls_token\": \"[BEGIN]\"}", ATTN_ERROR_FORMAT, "vocab.txt", "[BEGIN]");
  REFUSED (LINES, "{\"model_max_length\": \"long\"}", ATTN_ERROR_FORMAT, "model_max_length");
  REFUSED (LINES, "{\"added_tokens_decoder\": {\"-1\": {\"content\": \"x\"}}}", ATTN_ERROR_FORMAT,
           "\"x\"", "-1");
  REFUSED (LINES, "{\"added_tokens_decoder\": {\"5\": {\"special\": true}}}", ATTN_ERROR_FORMAT,
           "content");
  REFUSED (LINES, "{\"do_lower_case\": ", ATTN_ERROR_FORMAT, "tokenizer_config.json", "JSON");
  REFUSED (LINES, "[]", ATTN_ERROR_FORMAT, "tokenizer_config.json");
}

static void
test_accepted_classes (void)
{
  static const char *const classes[] = {"BertTokenizer", "BertTokenizerFast", "DistilBertTokenizer",
                                        "ElectraTokenizerFast"};
  for (size_t i = 0; i < G_N_ELEMENTS (classes); i++) {
    g_autofree char *config = g_strdup_printf ("{\"tokenizer_class\": \"%s\"}", classes[i]);
    g_autoptr (AttnTokenizer) tokenizer = fixture_load (NULL, config);
    g_assert_cmpuint (attn_tokenizer_get_n_warnings (tokenizer), ==, 0);
  }
}

static void
test_max_lengths (void)
{
  static const struct {
    const char *config;
    size_t expected;
    bool warned;
  } cases[] = {
      {"{}", G_MAXSIZE, false},
      {"{\"model_max_length\": 512}", 512, false},
      {"{\"model_max_length\": 512.0}", 512, false},
      {"{\"model_max_length\": null}", G_MAXSIZE, false},
      {"{\"model_max_length\": 1000000000000000019884624838656}", G_MAXSIZE, false},
      {"{\"model_max_length\": 1e30}", G_MAXSIZE, false},
      {"{\"model_max_length\": -1}", G_MAXSIZE, true},
      {"{\"model_max_length\": 0}", G_MAXSIZE, true},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (AttnTokenizer) tokenizer = fixture_load (NULL, cases[i].config);
    g_assert_cmpuint (attn_tokenizer_get_max_tokens (tokenizer), ==, cases[i].expected);
    g_assert_cmpint (attn_tokenizer_get_n_warnings (tokenizer) > 0, ==, cases[i].warned);
  }
}

/* Special tokens may have other names, as strings or as objects, in either file; of both the map
 * counts, as in the reference. */
static void
test_special_names (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = fixture_make_folder ();
  fixture_write (folder, "vocab.txt", "<u>\n<s>\n</s>\n<m>\n<other>\nlow\n", -1);
  fixture_write (folder, "tokenizer_config.json",
                 "{\"unk_token\": \"<u>\", \"cls_token\": {\"content\": \"<s>\"}, "
                 "\"sep_token\": \"</s>\", \"mask_token\": \"<other>\"}",
                 -1);
  fixture_write (folder, "special_tokens_map.json",
                 "{\"mask_token\": {\"content\": \"<m>\", \"lstrip\": true}}", -1);
  g_autoptr (AttnTokenizer) tokenizer = attn_tokenizer_load (folder, &error);
  g_assert_no_error (error);
  fixture_remove (folder);
  g_assert_cmpstr (attn_tokenizer_peek_mask (tokenizer), ==, "<m>");
  assert_warned (tokenizer, "[PAD]");
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, "low  <m> low x", NULL, 0);
  g_autofree char *pieces = fixture_dup_pieces (tokens);
  g_assert_cmpstr (pieces, ==, "<s> low <m> low <u> </s>");
  g_autofree char *spans = fixture_dup_spans (tokens);
  g_assert_cmpstr (spans, ==, "low:0-3 <m>:3-8 low:9-12 <u>:13-14");
  g_assert_true (attn_tokens_peek (tokens, 2)->mask);
}

/* Without a mask in the vocabulary there is none to type. */
static void
test_no_mask (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load ("[UNK] [CLS] [SEP] [PAD] a", NULL);
  g_assert_null (attn_tokenizer_peek_mask (tokenizer));
  assert_warned (tokenizer, "[MASK]");
  fixture_assert_pieces (tokenizer, "[MASK]", "[UNK] [UNK] [UNK]");
}

/* added_tokens.json: ids behind vocab.txt's; found whole, and after normalising. */
static void
test_added_tokens_file (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = fixture_make_folder ();
  fixture_write (folder, "vocab.txt", LINES "a\n", -1);
  fixture_write (folder, "added_tokens.json", "{\"NEWer\": 7, \"New\": 6, \"odd\": 99}", -1);
  g_autoptr (AttnTokenizer) tokenizer = attn_tokenizer_load (folder, &error);
  g_assert_no_error (error);
  fixture_remove (folder);
  g_assert_cmpuint (attn_tokenizer_get_vocab_size (tokenizer), ==, 9);
  g_assert_cmpint (attn_tokenizer_find_id (tokenizer, "New"), ==, 6);
  assert_warned (tokenizer, "\"odd\" should have the id 99");
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, "a n\u00E9w aNEWERa", NULL, 0);
  g_autofree char *spans = fixture_dup_spans (tokens);
  g_assert_cmpstr (spans, ==, "a:0-1 New:2-6 a:7-8 NEWer:8-13 a:13-14");
}

static void
test_added_token_options (void)
{
  g_autoptr (AttnTokenizer) tokenizer =
      fixture_load ("[UNK] [CLS] [SEP] [PAD] [MASK] a <x> <y>",
                    "{\"added_tokens_decoder\": {"
                    "\"6\": {\"content\": \"<x>\", \"single_word\": true, \"special\": true}, "
                    "\"7\": {\"content\": \"<y>\", \"rstrip\": true, \"special\": true}}, "
                    "\"extra_special_tokens\": [\"<z>\"]}");
  g_assert_cmpint (attn_tokenizer_find_id (tokenizer, "<z>"), ==, 8);
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, "<x> a<x> <y>  a<z>", NULL, 0);
  g_autofree char *spans = fixture_dup_spans (tokens);
  g_assert_cmpstr (spans, ==,
                   "<x>:0-3 a:4-5 [UNK]:5-6 [UNK]:6-7 [UNK]:7-8 <y>:9-14 a:14-15 <z>:15-18");
}

/* An added token is no piece of a word, and what is said first about it counts. */
static void
test_added_tokens_in_words (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (
      "[UNK] [CLS] [SEP] [PAD] [MASK] a ##a ##b",
      "{\"added_tokens_decoder\": {\"8\": {\"content\": \"ab\", \"single_word\": true}, "
      "\"9\": {\"content\": \"aa\", \"normalized\": true, \"lstrip\": true}}, "
      "\"extra_special_tokens\": [\"aa\"]}");
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, "aba ab  AA", NULL, 0);
  g_autofree char *spans = fixture_dup_spans (tokens);
  g_assert_cmpstr (spans, ==, "a:0-1 ##b:1-2 ##a:2-3 ab:4-6 aa:6-10");
}

static void
test_never_split (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (NULL, "{\"never_split\": [\"want\"]}");
  assert_warned (tokenizer, "never_split");
  g_autoptr (AttnTokenizer) none = fixture_load (NULL, "{\"never_split\": null}");
  g_assert_cmpuint (attn_tokenizer_get_n_warnings (none), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tokenizer-files/hostile", test_hostile);
  g_test_add_func ("/tokenizer-files/vocab-lines", test_vocab_lines);
  g_test_add_func ("/tokenizer-files/refused-vocabs", test_refused_vocabs);
  g_test_add_func ("/tokenizer-files/other-kinds", test_other_kinds);
  g_test_add_func ("/tokenizer-files/check-files", test_check_files);
  g_test_add_func ("/tokenizer-files/both-kinds", test_both_kinds);
  g_test_add_func ("/tokenizer-files/refused-configs", test_refused_configs);
  g_test_add_func ("/tokenizer-files/accepted-classes", test_accepted_classes);
  g_test_add_func ("/tokenizer-files/max-lengths", test_max_lengths);
  g_test_add_func ("/tokenizer-files/special-names", test_special_names);
  g_test_add_func ("/tokenizer-files/no-mask", test_no_mask);
  g_test_add_func ("/tokenizer-files/added-tokens-file", test_added_tokens_file);
  g_test_add_func ("/tokenizer-files/added-token-options", test_added_token_options);
  g_test_add_func ("/tokenizer-files/added-tokens-in-words", test_added_tokens_in_words);
  g_test_add_func ("/tokenizer-files/never-split", test_never_split);
  return g_test_run ();
}
