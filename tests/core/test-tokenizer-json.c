/* SPDX-License-Identifier: MIT */
/* What a tokenizer.json may say beside its steps and its model. */
#include "tokenizer-fixture.h"

#include "attn/error.h"
#include "attn/tokenizer.h"

#include <string.h>

#define WORDS \
  "\"model\": {\"type\": \"WordLevel\", \"unk_token\": \"?\", \"vocab\": {\"?\": 0, \"a\": 1, " \
  "\"b\": 2, \"[C]\": 3, \"[S]\": 4, \"[M]\": 9}}, " \
  "\"pre_tokenizer\": {\"type\": \"WhitespaceSplit\"}"

#define ADDED(id, content, options) \
  "{\"id\": " #id ", \"content\": \"" content "\", \"special\": true" options "}"

static AttnTokenizer *
load (const char *rest)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json = g_strdup_printf ("{" WORDS "%s}", rest);
  AttnTokenizer *tokenizer = fixture_try_json (json, &error);
  g_assert_no_error (error);
  return tokenizer;
}

static void
assert_refused (const char *rest, AttnError code, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json = g_strdup_printf ("{" WORDS "%s}", rest);
  g_assert_null (fixture_try_json (json, &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
  g_assert_nonnull (strstr (error->message, "tokenizer.json"));
  if (strstr (error->message, word) == NULL)
    g_error ("\"%s\" does not name \"%s\"", error->message, word);
}

/* Pieces, types and sequences, apart by blanks. */
static char *
dup_shape (AttnTokenizer *tokenizer, const char *text, const char *pair)
{
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, text, pair, 0);
  g_autoptr (GString) shape = g_string_new (NULL);
  for (size_t i = 0; i < attn_tokens_get_n (tokens); i++) {
    const AttnToken *token = attn_tokens_peek (tokens, i);
    g_string_append_printf (shape, "%s%s/%d/%d", i > 0 ? " " : "", token->piece, token->type_id,
                            token->sequence);
  }
  return g_string_free (g_steal_pointer (&shape), FALSE);
}

#define SHAPE(tokenizer, text, pair, expected) \
  G_STMT_START \
  { \
    g_autofree char *shape = dup_shape (tokenizer, text, pair); \
    g_assert_cmpstr (shape, ==, expected); \
  } \
  G_STMT_END

static void
test_no_processor (void)
{
  g_autoptr (AttnTokenizer) tokenizer = load (", \"post_processor\": null");
  SHAPE (tokenizer, "a x", NULL, "a/0/0 ?/0/0");
  SHAPE (tokenizer, "a", "b", "a/0/0 b/1/1");
  SHAPE (tokenizer, "", NULL, "");
  g_assert_cmpuint (attn_tokenizer_get_vocab_size (tokenizer), ==, 10);
  g_assert_null (attn_tokenizer_peek_piece (tokenizer, 7)); /* between two ids */
  g_assert_null (attn_tokenizer_peek_mask (tokenizer));
}

static void
test_template (void)
{
  g_autoptr (AttnTokenizer) tokenizer = load (
      ", \"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": "
      "[{\"SpecialToken\": {\"id\": \"two\", \"type_id\": 3}}, {\"Sequence\": {\"id\": \"A\", "
      "\"type_id\": 2}}], \"pair\": [{\"Sequence\": {\"id\": \"B\", \"type_id\": 0}}, "
      "{\"SpecialToken\": {\"id\": \"[S]\", \"type_id\": 1}}, {\"Sequence\": {\"id\": \"A\", "
      "\"type_id\": 1}}], \"special_tokens\": {\"two\": {\"id\": \"two\", \"ids\": [3, 4], "
      "\"tokens\": [\"[C]\", \"[S]\"]}, \"[S]\": {\"id\": \"[S]\", \"ids\": [4], \"tokens\": "
      "[\"[S]\"]}}}");
  SHAPE (tokenizer, "a", NULL, "[C]/3/-1 [S]/3/-1 a/2/0");
  SHAPE (tokenizer, "a", "b", "b/0/1 [S]/1/-1 a/1/0");
}

static void
test_other_processors (void)
{
#define CLS_SEP ", \"sep\": [\"[S]\", 4], \"cls\": [\"[C]\", 3]}"
  g_autoptr (AttnTokenizer) bert =
      load (", \"post_processor\": {\"type\": \"BertProcessing\"" CLS_SEP);
  g_autoptr (AttnTokenizer) roberta = load (
      ", \"post_processor\": {\"type\": \"Sequence\", \"processors\": [{\"type\": "
      "\"ByteLevel\", \"add_prefix_space\": true, \"trim_offsets\": false}, {\"type\": "
      "\"RobertaProcessing\", \"trim_offsets\": true, \"add_prefix_space\": false" CLS_SEP "]}");
  SHAPE (bert, "a", NULL, "[C]/0/-1 a/0/0 [S]/0/-1");
  SHAPE (bert, "a", "b", "[C]/0/-1 a/0/0 [S]/0/-1 b/1/1 [S]/1/-1");
  SHAPE (roberta, "a", NULL, "[C]/0/-1 a/0/0 [S]/0/-1");
  SHAPE (roberta, "a", "b", "[C]/0/-1 a/0/0 [S]/0/-1 [S]/0/-1 b/0/1 [S]/0/-1");
#undef CLS_SEP
}

/* RoBERTa's spans are without the spaces of their tokens; of an added token, which took some along,
 * and of an unknown word the text counts only in the first case. */
static void
test_trimmed_spans (void)
{
#define PARTS(prefix) \
  "{\"model\": {\"type\": \"WordLevel\", \"unk_token\": \"[U]\", \"vocab\": {\"[U]\": 0, " \
  "\"\u0120a\": " \
  "1, \"\u0120\": 2, \"a\": 3}}, \"added_tokens\": [" ADDED ( \
      4, "<m>", \
      ", \"lstrip\": true") ", " ADDED (0, "[U]", \
                                        "") "], \"pre_tokenizer\": {\"type\": \"ByteLevel\", " \
                                            "\"add_prefix_space\": " prefix \
                                            "}, \"post_processor\": {\"type\": \"ByteLevel\", " \
                                            "\"trim_offsets\": true, " \
                                            "\"add_prefix_space\": " prefix "}}"
  static const struct {
    const char *json, *text, *expected;
  } cases[] = {
      {PARTS ("false"), "a a  a", "a:0-1 \u0120a:2-3 \u0120:4-4 \u0120a:5-6"},
      {PARTS ("false"), " a  <m>", "\u0120a:1-2 <m>:4-7"},
      {PARTS ("false"), "a x\u0120", "a:0-1 [U]:1-5"},
      {PARTS ("true"), "a a", "\u0120a:0-1 \u0120a:2-3"},
      {PARTS ("true"), " <m>", "<m>:0-4"},
      {PARTS ("true"), "   <m>", "<m>:3-6"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnTokenizer) tokenizer = fixture_try_json (cases[i].json, &error);
    g_assert_no_error (error);
    g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, cases[i].text, NULL, 0);
    g_autofree char *spans = fixture_dup_spans (tokens);
    g_assert_cmpstr (spans, ==, cases[i].expected);
  }
#undef PARTS
}

static void
test_refused_processors (void)
{
#define PROCESSOR(text) ", \"post_processor\": " text
  assert_refused (PROCESSOR ("{\"type\": \"Wrap\"}"), ATTN_ERROR_UNSUPPORTED, "Wrap");
  assert_refused (PROCESSOR ("{\"type\": \"BertProcessing\", \"cls\": [\"x\", 7], \"sep\": [\"y\", "
                             "4]}"),
                  ATTN_ERROR_FORMAT, "cls");
  assert_refused (PROCESSOR ("{\"type\": \"BertProcessing\", \"cls\": [\"x\", 3]}"),
                  ATTN_ERROR_FORMAT, "sep");
  assert_refused (PROCESSOR ("{\"type\": \"TemplateProcessing\", \"single\": [{\"SpecialToken\": "
                             "{\"id\": \"[NO]\", \"type_id\": 0}}]}"),
                  ATTN_ERROR_FORMAT, "[NO]");
  assert_refused (PROCESSOR ("{\"type\": \"TemplateProcessing\", \"single\": [{\"Sequence\": "
                             "{\"id\": \"C\"}}]}"),
                  ATTN_ERROR_FORMAT, "single");
  assert_refused (PROCESSOR ("{\"type\": \"TemplateProcessing\", \"single\": [], \"pair\": []}"),
                  ATTN_ERROR_UNSUPPORTED, "single");
#undef PROCESSOR
}

/* A normaliser that multiplies each letter by a thousand, four times over. */
static char *
dup_growing_steps (void)
{
  g_autofree char *content = g_strnfill (1000, 'a');
  g_autoptr (GString) steps = g_string_new (NULL);
  for (size_t i = 0; i < 4; i++)
    g_string_append_printf (steps,
                            "%s{\"type\": \"Replace\", \"pattern\": {\"String\": \"a\"}, "
                            "\"content\": \"%s\"}",
                            i > 0 ? ", " : "", content);
  return g_strdup_printf ("{\"type\": \"Sequence\", \"normalizers\": [%s]}", steps->str);
}

static void
assert_too_long (AttnTokenizer *tokenizer, const char *text)
{
  g_autoptr (GError) error = NULL;
  const AttnTokenizerInput input = {.text = text, .text_length = strlen (text)};
  g_assert_null (attn_tokenizer_encode (tokenizer, &input, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "normalizer makes more than"));
}

/* What fills the memory is a sentence at once, for one long stretch and for many short ones. */
static void
test_growing_texts (void)
{
  static const char model[] =
      "{\"type\": \"WordLevel\", \"unk_token\": \"a\", \"vocab\": {\"a\": 0, \"|\": 1}}";
  g_autofree char *steps = dup_growing_steps ();
  g_autoptr (AttnTokenizer) growing = fixture_load_parts (steps, NULL, model);
  assert_too_long (growing, "aaaa");
  g_autofree char *content = g_strnfill (4000, 'b');
  g_autofree char *json = g_strdup_printf (
      "{\"model\": %s, \"added_tokens\": [" ADDED (1, "|", "") "], \"normalizer\": {\"type\": "
                                                               "\"Prepend\", \"prepend\": \"%s\"}}",
      model, content);
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTokenizer) prepending = fixture_try_json (json, &error);
  g_assert_no_error (error);
  g_autoptr (AttnTokens) once = fixture_encode (prepending, "a", NULL, 0);
  g_assert_cmpuint (attn_tokens_get_n (once), ==, 1);
  g_autofree char *many = g_strnfill (40000, '|');
  for (size_t i = 0; i < 40000; i += 2)
    many[i] = 'a';
  assert_too_long (prepending, many);
}

/* Many faults of one kind are told by the first of them and their number. */
static void
test_many_warnings (void)
{
  g_autoptr (GString) json = g_string_new (
      "{\"model\": {\"type\": \"WordLevel\", \"unk_token\": \"a\", \"vocab\": {\"a\": 0}}, "
      "\"added_tokens\": [");
  for (int i = 0; i < 1000; i++)
    g_string_append_printf (json, "%s{\"id\": %d, \"content\": \"t%d\"}", i > 0 ? ", " : "",
                            5000 - i, i);
  g_string_append (json, "]}");
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTokenizer) tokenizer = fixture_try_json (json->str, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_tokenizer_get_n_warnings (tokenizer), ==, 11);
  g_assert_nonnull (strstr (attn_tokenizer_peek_warning (tokenizer, 0), "\"t0\""));
  g_assert_cmpstr (attn_tokenizer_peek_warning (tokenizer, 10), ==, "and 990 more warnings");
}

/* Options of added tokens; one the vocabulary lacks gets the next free id, here 6, as there are six
 * pieces. */
static void
test_added_tokens (void)
{
  g_autoptr (AttnTokenizer) tokenizer =
      load (", \"normalizer\": {\"type\": \"Lowercase\"}, \"added_tokens\": [" ADDED (
          9, "[M]", ", \"lstrip\": true") ", " ADDED (6, "<new>",
                                                      "") ", " ADDED (99, "Big",
                                                                      ", \"normalized\": "
                                                                      "true") ", " ADDED (8,
                                                                                          "on"
                                                                                          "e",
                                                                                          ", "
                                                                                          "\""
                                                                                          "si"
                                                                                          "ng"
                                                                                          "le"
                                                                                          "_w"
                                                                                          "or"
                                                                                          "d"
                                                                                          "\""
                                                                                          ": "
                                                                                          "tr"
                                                                                          "ue"
                                                                                          ", "
                                                                                          "\""
                                                                                          "rs"
                                                                                          "tr"
                                                                                          "ip"
                                                                                          "\""
                                                                                          ": "
                                                                                          "tr"
                                                                                          "u"
                                                                                          "e") "]");
  g_assert_cmpint (attn_tokenizer_find_id (tokenizer, "<new>"), ==, 6);
  g_assert_cmpint (attn_tokenizer_find_id (tokenizer, "Big"), ==, 7);
  g_assert_cmpint (attn_tokenizer_find_id (tokenizer, "one"), ==, 8);
  g_assert_cmpuint (attn_tokenizer_get_n_warnings (tokenizer), ==, 1);
  g_assert_nonnull (strstr (attn_tokenizer_peek_warning (tokenizer, 0), "99"));
  g_autoptr (AttnTokens) tokens =
      fixture_encode (tokenizer, "A  [M]b<new>aBIGone one  oneb", NULL, 0);
  g_autofree char *spans = fixture_dup_spans (tokens);
  g_assert_cmpstr (spans, ==,
                   "a:0-1 [M]:1-6 b:6-7 <new>:7-12 a:12-13 Big:13-16 ?:16-19 one:20-25 ?:25-29");
}

static void
test_mask (void)
{
  g_autoptr (AttnTokenizer) guessed = load (", \"added_tokens\": [" ADDED (6, "<mask>", "") "]");
  g_assert_cmpstr (attn_tokenizer_peek_mask (guessed), ==, "<mask>");
  g_autoptr (AttnTokens) tokens = fixture_encode (guessed, "a <mask>", NULL, 0);
  g_assert_true (attn_tokens_peek (tokens, 1)->mask);
  g_assert_false (attn_tokens_peek (tokens, 0)->mask);
  g_autoptr (AttnTokenizer) none = load ("");
  g_assert_null (attn_tokenizer_peek_mask (none));
}

/* Where tokenizer_config.json is silent, the file's own limit counts; padding never does. */
static void
test_truncation (void)
{
  static const char truncation[] =
      "{" WORDS ", \"padding\": {\"strategy\": {\"Fixed\": 9}, \"pad_id\": 0}, \"truncation\": "
      "{\"max_length\": 2, \"strategy\": \"OnlyFirst\", \"stride\": 0, \"direction\": \"Left\"}}";
  static const struct {
    const char *config, *sentence;
    size_t expected;
    const char *shape;
  } cases[] = {
      {"{}", NULL, 2, "b/0/0 a/0/0"},
      {"{\"model_max_length\": 3}", NULL, 3, "a/0/0 b/0/0 a/0/0"},
      {"{\"model_max_length\": 3, \"truncation_side\": \"right\"}", "{\"max_seq_length\": 1}", 1,
       "a/0/0"},
      {"{\"model_max_length\": 1e30}", "{\"max_seq_length\": null}", G_MAXSIZE,
       "a/0/0 a/0/0 b/0/0 a/0/0"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    char *folder = fixture_make_folder ();
    fixture_write (folder, "tokenizer.json", truncation, -1);
    fixture_write (folder, "tokenizer_config.json", cases[i].config, -1);
    if (cases[i].sentence != NULL)
      fixture_write (folder, "sentence_bert_config.json", cases[i].sentence, -1);
    g_autoptr (AttnTokenizer) tokenizer = attn_tokenizer_load (folder, &error);
    g_assert_no_error (error);
    fixture_remove (folder);
    g_assert_cmpuint (attn_tokenizer_get_max_tokens (tokenizer), ==, cases[i].expected);
    SHAPE (tokenizer, "a a b a", NULL, cases[i].shape);
  }
}

/* Keys may come in any order, with escapes in them, and models without a type. */
static void
test_forms (void)
{
  static const char *const files[] = {
      "{\"model\": {\"unk_token\": \"a\", \"vocab\": {\"a\": 0, \"\\u00e9\\n\": 1}}}",
      "\xEF\xBB\xBF{\"model\": {\"vocab\": {\"a\": 0, \"\u00E9\\u000A\": 1}, \"unk_token\": \"a\", "
      "\"type\": \"WordLevel\"}, \"version\": \"1.0\"}\n",
      "{\"model\": {\"merges\": [\"\\u00e9 \\n\"], \"vocab\": {\"\\n\": 2, \"\\u00e9\": 0, "
      "\"\\u00e9\\n\": 1}}}",
      "{\"model\": {\"vocab\": [[\"a\", 0], [\"\\u00e9\\n\", -1]], \"unk_id\": 0}}",
      "{\"model\": {\"max_input_chars_per_word\": 2, \"unk_token\": \"a\", \"vocab\": {\"a\": 0, "
      "\"\\u00e9\\n\": 1}}}",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnTokenizer) tokenizer = fixture_try_json (files[i], &error);
    g_assert_no_error (error);
    g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, "\u00E9\n", NULL, 0);
    g_assert_cmpuint (attn_tokens_get_n (tokens), ==, 1);
    g_assert_cmpint (attn_tokens_peek (tokens, 0)->id, ==, 1);
  }
}

static void
test_refused_texts (void)
{
  static const char *const files[] = {
      "",
      "[]",
      "{\"model\": {\"vocab\": {\"a\": 0}, ",
      "{\"model\": {\"vocab\": {\"a\": 0}}} x",
      "{\"model\": {\"vocab\": {\"\\ud800\": 0}}}",
      "{\"model\": {\"vocab\": {\"a\": 00}}}",
      "{\"model\": {}, \"model\": {}}",
      "{\"model\": 7}",
      "{\"model\": {\"type\": 7}}",
      "{\"model\": {\"type\": \"WordLevel\", \"unk_token\": \"a\", \"vocab\": null}}",
      "{\"model\": {\"type\": \"WordLevel\", \"unk_token\": \"a\", \"vocab\": [\"a\"]}}",
      "{\"model\": {\"type\": \"WordPiece\", \"vocab\": {\"a\": 0}}}",
      "{\"model\": {\"type\": \"WordPiece\", \"unk_token\": \"a\", \"vocab\": {\"a\": 0}, "
      "\"max_input_chars_per_word\": 0.5}}",
      "{" WORDS ", \"added_tokens\": [7]}",
      "{" WORDS ", \"added_tokens\": [{\"id\": 7}]}",
      "{" WORDS ", \"truncation\": {\"max_length\": -1}}",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (fixture_try_json (files[i], &error));
    g_test_message ("%s", error->message);
    g_assert_true (error->domain == ATTN_ERROR);
    g_assert_nonnull (strstr (error->message, "tokenizer.json"));
    g_assert_false (g_str_has_suffix (error->message, "."));
  }
}

/* A piece with U+0000 is found like any other and shown so that nothing is cut. */
static void
test_nul (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTokenizer) tokenizer = fixture_try_json (
      "{\"model\": {\"type\": \"WordLevel\", \"unk_token\": \"a\", \"vocab\": {\"a\": 0, "
      "\"b\\u0000c\": 1}}}",
      &error);
  g_assert_no_error (error);
  AttnTokenizerInput input = {.text = "b\0c", .text_length = 3};
  g_autoptr (AttnTokens) tokens = attn_tokenizer_encode (tokenizer, &input, &error);
  g_assert_no_error (error);
  g_assert_cmpint (attn_tokens_peek (tokens, 0)->id, ==, 1);
  g_assert_cmpstr (attn_tokens_peek (tokens, 0)->piece, ==, "b\u2400c");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tokenizer-json/no-processor", test_no_processor);
  g_test_add_func ("/tokenizer-json/template", test_template);
  g_test_add_func ("/tokenizer-json/other-processors", test_other_processors);
  g_test_add_func ("/tokenizer-json/trimmed-spans", test_trimmed_spans);
  g_test_add_func ("/tokenizer-json/refused-processors", test_refused_processors);
  g_test_add_func ("/tokenizer-json/added-tokens", test_added_tokens);
  g_test_add_func ("/tokenizer-json/growing-texts", test_growing_texts);
  g_test_add_func ("/tokenizer-json/many-warnings", test_many_warnings);
  g_test_add_func ("/tokenizer-json/mask", test_mask);
  g_test_add_func ("/tokenizer-json/truncation", test_truncation);
  g_test_add_func ("/tokenizer-json/forms", test_forms);
  g_test_add_func ("/tokenizer-json/refused-texts", test_refused_texts);
  g_test_add_func ("/tokenizer-json/nul", test_nul);
  return g_test_run ();
}
