/* SPDX-License-Identifier: MIT */
/* Tokens as people read them, and the words they make up. */
#include "test-util.h"
#include "tokenizer-fixture.h"
#include "tokens.h"

#include "attn/tokenizer.h"

#include <string.h>

/* Tokens that end at each "|" of @marked, which is the text with these marks. */
static AttnTokens *
cut_text (const char *marked)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) parts = g_strsplit (marked, "|", -1);
  g_autofree char *text = g_strjoinv ("", parts);
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (AttnToken));
  for (size_t i = 0, at = 0; parts[i] != NULL; at += strlen (parts[i++])) {
    AttnToken token = {.piece = "piece", .start = at, .end = at + strlen (parts[i])};
    g_array_append_val (tokens, token);
  }
  AttnTokensText texts[] = {{text, strlen (text)}, {NULL, 0}};
  AttnTokens *made = attn_tokens_new ((const AttnToken *)(const void *)tokens->data, tokens->len, 0,
                                      texts, NULL, &error);
  g_assert_no_error (error);
  return made;
}

/* "text:first+n", apart by blanks; checks what holds for all. */
static char *
dup_words (const AttnTokens *tokens)
{
  g_autoptr (GString) shown = g_string_new (NULL);
  size_t next = 0;
  for (size_t i = 0; i < attn_tokens_get_n_words (tokens); i++) {
    const AttnWord *word = attn_tokens_peek_word (tokens, i);
    g_assert_cmpuint (word->first, ==, next);
    g_assert_cmpuint (word->n, >, 0);
    for (size_t t = word->first; t < word->first + word->n; t++) {
      g_assert_cmpuint (attn_tokens_find_word (tokens, t), ==, i);
      g_assert_cmpint (attn_tokens_peek (tokens, t)->sequence, ==, word->sequence);
    }
    next = word->first + word->n;
    g_string_append_printf (shown, "%s%s:%zu+%zu", i > 0 ? " " : "", word->text, word->first,
                            word->n);
  }
  g_assert_cmpuint (next, ==, attn_tokens_get_n (tokens));
  return g_string_free (g_steal_pointer (&shown), FALSE);
}

#define WORDS(marked, expected) \
  G_STMT_START \
  { \
    g_autoptr (AttnTokens) tokens = cut_text (marked); \
    g_autofree char *words = dup_words (tokens); \
    g_assert_cmpstr (words, ==, expected); \
  } \
  G_STMT_END

static void
test_latin_words (void)
{
  WORDS ("the| trans|form|er", "the:0+1 transformer:1+3");
  WORDS ("a|b|c", "abc:0+3");
  WORDS ("don|'|t| go|!|!", "don't:0+3 go:3+1 !!:4+2");
  WORDS ("John|'s| (|re|-|do|)", "John's:0+2 (:2+1 re:3+1 -:4+1 do:5+1 ):6+1");
  WORDS ("3|.|14|, |1|,|000|.", "3.14:0+3 ,:3+1 1,000:4+3 .:7+1");
  WORDS ("snake|_|case|2", "snake_case2:0+4");
  WORDS ("caf|e\u0301|s", "cafe\u0301s:0+3");
  WORDS ("it|\u2019|s", "it\u2019s:0+3");
  WORDS ("'|a|'", "':0+1 a:1+1 ':2+1");
}

static void
test_other_scripts (void)
{
  WORDS ("\u4ECA\u5929|\u5929|\u6C14", "\u4ECA\u5929:0+1 \u5929:1+1 \u6C14:2+1");
  WORDS ("\u4ECA|\u5929|abc|d|\u3002", "\u4ECA:0+1 \u5929:1+1 abcd:2+2 \u3002:4+1");
  WORDS ("\u98DF|\u3079|\u308B", "\u98DF:0+1 \u3079\u308B:1+2");
  WORDS ("\uD55C|\uAD6D| \uB9D0", "\uD55C\uAD6D:0+2 \uB9D0:2+1");
  WORDS ("\u0928|\u092E|\u0938\u094D|\u0924\u0947", "\u0928\u092E\u0938\u094D\u0924\u0947:0+4");
  WORDS ("ok| \U0001F469\u200D|\U0001F467|\uFE0F", "ok:0+1 \U0001F469\u200D\U0001F467\uFE0F:1+3");
}

/* A token that reaches into two words makes them one. */
static void
test_reaching_tokens (void)
{
  WORDS ("a, b|c", "a, bc:0+2");
  WORDS ("x|y z|w| q", "xy zw:0+3 q:3+1");
  WORDS ("\u4ECA\u5929|!", "\u4ECA\u5929:0+1 !:1+1");
}

/* Blanks are parts of no word; a token of nothing else is named by its text. */
static void
test_blanks (void)
{
  WORDS ("  a  | b ", "a:0+1 b:1+1");
  WORDS ("a|  | |b", "a:0+1 piecepiece:1+2 b:3+1");
  WORDS (" |", "piece:0+1 piece:1+1");
  g_autoptr (AttnTokens) tokens = cut_text ("  a  | b ");
  g_assert_cmpuint (attn_tokens_peek_word (tokens, 0)->start, ==, 2);
  g_assert_cmpuint (attn_tokens_peek_word (tokens, 0)->end, ==, 3);
  g_assert_cmpuint (attn_tokens_peek_word (tokens, 1)->start, ==, 6);
}

/* Bytes of one character share its span. */
static void
test_shared_spans (void)
{
  g_autoptr (GError) error = NULL;
  AttnToken all[] = {
      {.piece = "x", .start = 0, .end = 3},
      {.piece = "y", .start = 0, .end = 3},
      {.piece = "z", .start = 3, .end = 4},
      {.piece = "[SEP]", .sequence = -1},
      {.piece = "w", .sequence = 1, .start = 0, .end = 1},
      {.piece = "[SEP]", .sequence = -1},
  };
  AttnTokensText texts[] = {{"\u4ECAb", 4}, {"c", 1}};
  g_autoptr (AttnTokens) tokens = attn_tokens_new (all, G_N_ELEMENTS (all), 0, texts, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *words = dup_words (tokens);
  g_assert_cmpstr (words, ==, "\u4ECA:0+2 b:2+1 [SEP]:3+1 c:4+1 [SEP]:5+1");
  g_assert_cmpstr (attn_tokens_peek (tokens, 3)->text, ==, "[SEP]");
}

/* An unknown word is what was typed, not [UNK]. */
static void
test_bert_words (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (NULL, NULL);
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, "UNwant\u00E9d, xyz", "low", 0);
  g_autofree char *words = dup_words (tokens);
  g_assert_cmpstr (words, ==,
                   "[CLS]:0+1 UNwant\u00E9d:1+3 ,:4+1 xyz:5+1 [SEP]:6+1 low:7+1 [SEP]:8+1");
  g_autoptr (AttnTokens) none = fixture_encode (tokenizer, "", NULL, 0);
  g_assert_cmpuint (attn_tokens_get_n_words (none), ==, 2);
}

static void
check_texts (AttnTokenizer *tokenizer, const char *const *expected)
{
  for (int32_t id = 0; expected[id] != NULL; id++)
    g_assert_cmpstr (attn_tokenizer_peek_text (tokenizer, id), ==, expected[id]);
}

static void
test_byte_level_texts (void)
{
  /* the last but two is not made of bytes' characters alone */
  static const char *const expected[] = {"the",
                                         "␣the",
                                         "↵↵",
                                         "⇥x",
                                         "<C3>",
                                         "\u00E9",
                                         "<E4><BD>",
                                         "<A0>a",
                                         "\u4F60",
                                         "U+00A0",
                                         "U+0000",
                                         "<s>",
                                         "\u00C3\u00A9U+200B",
                                         "\u200Dx",
                                         "U+200E",
                                         NULL};
  g_autoptr (AttnTokenizer) tokenizer = fixture_load_parts (
      NULL, "{\"type\": \"ByteLevel\"}",
      "{\"type\": \"WordLevel\", \"unk_token\": \"the\", \"vocab\": {\"the\": 0, "
      "\"\u0120the\": 1, \"\u010A\u010A\": 2, \"\u0109x\": 3, \"\u00C3\": 4, \"\u00C3\u00A9\": 5, "
      "\"\u00E4\u00BD\": 6, \"\u0142a\": 7, \"\u00E4\u00BD\u0142\": 8, \"\u00C2\u0142\": 9, "
      "\"\u0100\": 10, \"<s>\": 11, \"\u00C3\u00A9\u200B\": 12, \"\u00E2\u0122\u012Fx\": 13, "
      "\"\u00E2\u0122\u0130\": 14}}");
  check_texts (tokenizer, expected);
  g_assert_null (attn_tokenizer_peek_text (tokenizer, 15));
  g_assert_null (attn_tokenizer_peek_text (tokenizer, -1));
  g_assert_cmpstr (attn_tokenizer_peek_piece (tokenizer, 1), ==, "\u0120the");
}

static void
test_metaspace_texts (void)
{
  static const char *const expected[] = {"␣Hello", "␣", "<E4>", "<0xE4>x", "é", "<unk>", NULL};
  static const char vocab[] = "\"vocab\": {\"\u2581Hello\": 0, \"\u2581\": 1, \"<0xE4>\": 2, "
                              "\"<0xE4>x\": 3, \"\u00E9\": 4, \"<unk>\": 5}, \"merges\": []}";
  g_autofree char *model = g_strconcat ("{\"type\": \"BPE\", ", vocab, NULL);
  g_autoptr (AttnTokenizer) by_step =
      fixture_load_parts (NULL, "{\"type\": \"Metaspace\", \"replacement\": \"\u2581\"}", model);
  g_autoptr (AttnTokenizer) by_normalizer = fixture_load_parts (
      "{\"type\": \"Replace\", \"pattern\": {\"String\": \" \"}, \"content\": \"\u2581\"}", NULL,
      model);
  check_texts (by_step, expected);
  check_texts (by_normalizer, expected);
}

static void
test_plain_texts (void)
{
  static const char *const expected[] = {"[UNK]", "[CLS]", "[SEP]", "##ing", "▁x", "Ġ", NULL};
  g_autoptr (AttnTokenizer) tokenizer = fixture_load ("[UNK] [CLS] [SEP] ##ing ▁x Ġ", NULL);
  check_texts (tokenizer, expected);
}

/* Tokens that were added keep their content, though it looks like bytes. */
static void
test_added_texts (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTokenizer) tokenizer = fixture_try_json (
      "{\"pre_tokenizer\": {\"type\": \"ByteLevel\"}, \"added_tokens\": [{\"id\": 1, \"content\": "
      "\"\u00E9 x\"}], \"model\": {\"type\": \"WordLevel\", \"unk_token\": \"a\", \"vocab\": "
      "{\"a\": 0}}}",
      &error);
  g_assert_no_error (error);
  g_assert_cmpstr (attn_tokenizer_peek_text (tokenizer, 1), ==, "\u00E9␣x");
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, "\u00E9 x", NULL, 0);
  g_assert_cmpstr (attn_tokens_peek (tokens, 0)->piece, ==, "\u00E9 x");
  g_assert_cmpstr (attn_tokens_peek (tokens, 0)->text, ==, "\u00E9␣x");
}

/* GPT-2's way with a real small vocabulary. */
static void
test_gpt2_words (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("golden/models/gpt2");
  g_autoptr (AttnTokenizer) tokenizer = attn_tokenizer_load (folder, &error);
  g_assert_no_error (error);
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, "The cat's caf\u00E9\n", NULL, 0);
  for (size_t i = 0; i < attn_tokens_get_n_words (tokens); i++) {
    static const char *const expected[] = {"The", "cat's", "caf\u00E9", "↵"};
    g_assert_cmpuint (i, <, G_N_ELEMENTS (expected));
    g_assert_cmpstr (attn_tokens_peek_word (tokens, i)->text, ==, expected[i]);
  }
  g_assert_cmpuint (attn_tokens_get_n_words (tokens), ==, 4);
  g_autofree char *words = dup_words (tokens);
  g_assert_nonnull (words);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tokens/words/latin", test_latin_words);
  g_test_add_func ("/tokens/words/other-scripts", test_other_scripts);
  g_test_add_func ("/tokens/words/reaching-tokens", test_reaching_tokens);
  g_test_add_func ("/tokens/words/blanks", test_blanks);
  g_test_add_func ("/tokens/words/shared-spans", test_shared_spans);
  g_test_add_func ("/tokens/words/bert", test_bert_words);
  g_test_add_func ("/tokens/words/gpt2", test_gpt2_words);
  g_test_add_func ("/tokens/texts/byte-level", test_byte_level_texts);
  g_test_add_func ("/tokens/texts/metaspace", test_metaspace_texts);
  g_test_add_func ("/tokens/texts/plain", test_plain_texts);
  g_test_add_func ("/tokens/texts/added", test_added_texts);
  return g_test_run ();
}
