/* SPDX-License-Identifier: MIT */
/* What the BERT pipeline does, step by step, on vocabularies small enough to see through. */
#include "tokenizer-fixture.h"

#include "attn/error.h"
#include "attn/tokenizer.h"

#include <string.h>

#define SPECIALS "[UNK] [CLS] [SEP] [PAD] [MASK] "

static void
test_pieces (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (NULL, NULL);
  fixture_assert_pieces (tokenizer, "UNwant\u00E9d,running", "un ##want ##ed , runn ##ing");
  fixture_assert_pieces (tokenizer, "unwantedX running", "[UNK] runn ##ing");
  fixture_assert_pieces (tokenizer, "low lowest lowester", "low lowest [UNK]");
  fixture_assert_pieces (tokenizer, "", "");
  fixture_assert_pieces (tokenizer, " \t\r\n", "");

  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, "UNwant\u00E9d,running", NULL, 0);
  static const int32_t ids[] = {1, 9, 6, 7, 12, 10, 11, 2};
  g_assert_cmpuint (attn_tokens_get_n (tokens), ==, G_N_ELEMENTS (ids));
  for (size_t i = 0; i < G_N_ELEMENTS (ids); i++)
    g_assert_cmpint (attn_tokens_peek (tokens, i)->id, ==, ids[i]);
  g_autofree char *spans = fixture_dup_spans (tokens);
  g_assert_cmpstr (spans, ==, "un:0-2 ##want:2-6 ##ed:6-9 ,:9-10 runn:10-14 ##ing:14-17");
}

/* What is removed joins its neighbours; what is white parts them. */
static void
test_cleaning (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (SPECIALS "ab a b", NULL);
  static const char *const removed[] = {"a\vb",
                                        "a\fb",
                                        "a\034b",
                                        "a\xC2\x85"
                                        "b",
                                        "a\u00ADb",
                                        "a\u200Bb",
                                        "a\u200Db",
                                        "a\u2060b",
                                        "a\uFEFFb",
                                        "a\uFFFDb",
                                        "a\uE000b"};
  static const char *const white[] = {"a b",      "a\tb",     "a\nb",     "a\rb",
                                      "a\u00A0b", "a\u1680b", "a\u2028b", "a\u3000b"};
  for (size_t i = 0; i < G_N_ELEMENTS (removed); i++)
    fixture_assert_pieces (tokenizer, removed[i], "ab");
  for (size_t i = 0; i < G_N_ELEMENTS (white); i++)
    fixture_assert_pieces (tokenizer, white[i], "a b");
  fixture_assert_pieces (tokenizer, "\u00AD", "");
  fixture_assert_pieces (tokenizer, "\u200E\u200F", "");
  fixture_assert_pieces (tokenizer, "a\u0378b", "[UNK]"); /* unassigned: stays */
}

static void
test_nul (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (SPECIALS "ab", NULL);
  g_autoptr (GError) error = NULL;
  AttnTokenizerInput input = {.text = "a\0b [MASK]", .text_length = 10};
  g_autoptr (AttnTokens) tokens = attn_tokenizer_encode (tokenizer, &input, &error);
  g_assert_no_error (error);
  fixture_check_tokens (tokenizer, tokens);
  g_autofree char *spans = fixture_dup_spans (tokens);
  g_assert_cmpstr (spans, ==, "ab:0-3 [MASK]:4-10");
  size_t n_bytes = 0;
  const char *text = attn_tokens_peek_text (tokens, 0, &n_bytes);
  g_assert_cmpmem (text, n_bytes + 1, "a\0b [MASK]", 11);
  g_assert_null (attn_tokens_peek_text (tokens, 1, &n_bytes));
  g_assert_cmpuint (n_bytes, ==, 0);
}

static void
test_punctuation (void)
{
  g_autoptr (AttnTokenizer) tokenizer =
      fixture_load (SPECIALS "a ' ll ! to ? d of , can t . $ 1 \u20AC ##1", NULL);
  fixture_assert_pieces (tokenizer, "a\n'll !!to?'d of, can't.",
                         "a ' ll ! ! to ? ' d of , can ' t .");
  /* a dollar is ASCII and a word of its own, a euro is neither */
  fixture_assert_pieces (tokenizer, "$1 \u20AC1", "$ 1 \u20AC ##1");
  /* U+166D was punctuation in the reference's tables, U+2E43 was not there yet */
  fixture_assert_pieces (tokenizer, "a\u166Da a\u2E43a", "a [UNK] a [UNK]");
}

static void
test_ideographs (void)
{
  const char *words = SPECIALS "\u7684 \u4EBA \u6709 ##\u4EBA ##\u6709 \uAC00 \u3042";
  g_autoptr (AttnTokenizer) apart = fixture_load (words, NULL);
  g_autoptr (AttnTokenizer) together = fixture_load (words, "{\"tokenize_chinese_chars\": false}");
  fixture_assert_pieces (apart, "\u7684\u4EBA\u6709", "\u7684 \u4EBA \u6709");
  fixture_assert_pieces (together, "\u7684\u4EBA\u6709", "\u7684 ##\u4EBA ##\u6709");
  fixture_assert_pieces (apart, "\u3042\u7684", "\u3042 \u7684");
  g_autoptr (AttnTokens) tokens = fixture_encode (apart, "\u7684x\u4EBA", NULL, 0);
  g_autofree char *spans = fixture_dup_spans (tokens);
  g_assert_cmpstr (spans, ==, "\u7684:0-3 [UNK]:3-4 \u4EBA:4-7");
}

/* The ideographs' first blocks as the fast tokenizer bounds them: extension E begins 256 late. */
static void
test_ideograph_bounds (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (SPECIALS "a", NULL);
  fixture_assert_pieces (tokenizer, "a\U0002B820a", "[UNK]");
  fixture_assert_pieces (tokenizer, "a\U0002B920a", "a [UNK] a");
  fixture_assert_pieces (tokenizer, "a\U0002CEAFa", "a [UNK] a");
  fixture_assert_pieces (tokenizer, "a\U0002CEB0a", "[UNK]");
}

static void
test_case_and_accents (void)
{
  const char *words = SPECIALS "hallo h\u00E4llo HaLLo H\u00E4LLo";
  static const struct {
    const char *config, *expected;
  } cases[] = {
      {"{}", "hallo"},
      {"{\"do_lower_case\": true, \"strip_accents\": null}", "hallo"},
      {"{\"do_lower_case\": true, \"strip_accents\": false}", "h\u00E4llo"},
      {"{\"do_lower_case\": false}", "H\u00E4LLo"},
      {"{\"do_lower_case\": false, \"strip_accents\": true}", "HaLLo"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (AttnTokenizer) tokenizer = fixture_load (words, cases[i].config);
    fixture_assert_pieces (tokenizer, "H\u00E4LLo", cases[i].expected);
  }
}

/* Spans lead back through every change of length. */
static void
test_spans_after_changes (void)
{
  g_autoptr (AttnTokenizer) plain =
      fixture_load (SPECIALS "cafe istanbul \u1100 ##\u1161 \u03BF ##\u03B4 ##\u03C3 x", NULL);
  g_autoptr (AttnTokenizer) accents =
      fixture_load (SPECIALS "i ##\u0307 ##s", "{\"strip_accents\": false}");
  static const struct {
    const char *text, *expected;
  } cases[] = {
      {"caf\u00E9 x", "cafe:0-5 x:6-7"},
      {"cafe\u0301\u0301\u0301 x", "cafe:0-4 x:11-12"},
      {"\u0301caf\u00AD\u00E9", "cafe:2-9"},
      {"\u0130STANBUL", "istanbul:0-9"},
      {"\uAC00", "\u1100:0-3 ##\u1161:0-3"},
      {"\u039F\u0394\u03A3", "\u03BF:0-2 ##\u03B4:2-4 ##\u03C3:4-6"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (AttnTokens) tokens = fixture_encode (plain, cases[i].text, NULL, 0);
    g_autofree char *spans = fixture_dup_spans (tokens);
    g_assert_cmpstr (spans, ==, cases[i].expected);
  }
  g_autoptr (AttnTokens) tokens = fixture_encode (accents, "\u0130S", NULL, 0);
  g_autofree char *spans = fixture_dup_spans (tokens);
  g_assert_cmpstr (spans, ==, "i:0-2 ##\u0307:0-2 ##s:2-3");
}

static void
test_long_words (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (SPECIALS "a ##a b", NULL);
  g_autofree char *longest = g_strnfill (100, 'a');
  g_autofree char *longer = g_strnfill (101, 'a');
  g_autoptr (AttnTokens) known = fixture_encode (tokenizer, longest, NULL, 0);
  g_assert_cmpuint (attn_tokens_get_n (known), ==, 102);
  fixture_assert_pieces (tokenizer, longer, "[UNK]");
  /* the limit counts characters after normalising, not bytes */
  g_autoptr (GString) accents = g_string_new (NULL);
  for (int i = 0; i < 100; i++)
    g_string_append (accents, "a\u0301");
  g_autoptr (AttnTokens) stripped = fixture_encode (tokenizer, accents->str, NULL, 0);
  g_assert_cmpuint (attn_tokens_get_n (stripped), ==, 102);
}

static void
test_typed_specials (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (SPECIALS "the sat [ ] mask", NULL);
  fixture_assert_pieces (tokenizer, "the[MASK]sat", "the [MASK] sat");
  fixture_assert_pieces (tokenizer, "[mask]", "[ mask ]");
  fixture_assert_pieces (tokenizer, "[[MASK]]", "[ [MASK] ]");
  fixture_assert_pieces (tokenizer, "[MASK[SEP][CLS][PAD][UNK]", "[ mask [SEP] [CLS] [PAD] [UNK]");
  g_assert_cmpstr (attn_tokenizer_peek_mask (tokenizer), ==, "[MASK]");

  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, "the [MASK] [SEP]", NULL, 0);
  g_assert_cmpuint (attn_tokens_get_n (tokens), ==, 5);
  const AttnToken *mask = attn_tokens_peek (tokens, 2), *typed = attn_tokens_peek (tokens, 3);
  g_assert_true (mask->mask);
  g_assert_false (mask->special);
  g_assert_cmpint (mask->word, ==, 1);
  g_assert_false (typed->special);
  g_assert_false (typed->mask);
  g_assert_cmpuint (typed->start, ==, 11);
  g_assert_true (attn_tokens_peek (tokens, 4)->special);
}

static void
test_pairs (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (SPECIALS "hello world", NULL);
  g_autoptr (AttnTokens) pair = fixture_encode (tokenizer, "hello", "world hello", 0);
  g_autofree char *pieces = fixture_dup_pieces (pair);
  g_assert_cmpstr (pieces, ==, "[CLS] hello [SEP] world hello [SEP]");
  static const int types[] = {0, 0, 0, 1, 1, 1}, sequences[] = {-1, 0, -1, 1, 1, -1};
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++) {
    g_assert_cmpint (attn_tokens_peek (pair, i)->type_id, ==, types[i]);
    g_assert_cmpint (attn_tokens_peek (pair, i)->sequence, ==, sequences[i]);
  }
  g_assert_cmpstr (attn_tokens_peek_text (pair, 1, NULL), ==, "world hello");

  /* an empty second text is one all the same */
  g_autoptr (AttnTokens) empty = fixture_encode (tokenizer, "hello", "", 0);
  g_autofree char *empty_pieces = fixture_dup_pieces (empty);
  g_assert_cmpstr (empty_pieces, ==, "[CLS] hello [SEP] [SEP]");
  g_assert_cmpint (attn_tokens_peek (empty, 3)->type_id, ==, 1);
  g_autoptr (AttnTokens) alone = fixture_encode (tokenizer, "", NULL, 0);
  g_autofree char *alone_pieces = fixture_dup_pieces (alone);
  g_assert_cmpstr (alone_pieces, ==, "[CLS] [SEP]");
}

/* The published table of longest-first cutting: a limit of 7, template apart. */
static void
test_truncation (void)
{
  static const struct {
    size_t first, second, kept_first, kept_second;
  } cases[] = {
      {0, 0, 0, 0}, {2, 8, 2, 5}, {4, 4, 3, 4}, {4, 8, 3, 4}, {8, 0, 7, 0},
      {8, 2, 5, 2}, {8, 4, 4, 3}, {8, 8, 3, 4}, {4, 2, 4, 2}, {0, 8, 0, 7},
  };
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (SPECIALS "a b", NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *first =
        g_strdup_printf ("%.*s", (int)(2 * cases[i].first), "a a a a a a a a ");
    g_autofree char *second =
        g_strdup_printf ("%.*s", (int)(2 * cases[i].second), "b b b b b b b b ");
    g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, first, second, 7 + 3);
    size_t n_kept[2] = {0, 0};
    for (size_t k = 0; k < attn_tokens_get_n (tokens); k++)
      if (attn_tokens_peek (tokens, k)->sequence >= 0)
        n_kept[attn_tokens_peek (tokens, k)->sequence]++;
    g_assert_cmpuint (n_kept[0], ==, cases[i].kept_first);
    g_assert_cmpuint (n_kept[1], ==, cases[i].kept_second);
    g_assert_cmpuint (attn_tokens_get_n_truncated (tokens), ==,
                      cases[i].first + cases[i].second - n_kept[0] - n_kept[1]);
  }
}

static void
test_limits (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (SPECIALS "a", "{\"model_max_length\": 4}");
  g_assert_cmpuint (attn_tokenizer_get_max_tokens (tokenizer), ==, 4);
  g_autoptr (AttnTokens) by_file = fixture_encode (tokenizer, "a a a a a", NULL, 0);
  g_assert_cmpuint (attn_tokens_get_n (by_file), ==, 4);
  g_assert_cmpuint (attn_tokens_get_n_truncated (by_file), ==, 3);
  g_autoptr (AttnTokens) by_caller = fixture_encode (tokenizer, "a a a a a", NULL, 100);
  g_assert_cmpuint (attn_tokens_get_n (by_caller), ==, 7);
  g_autoptr (AttnTokens) bare = fixture_encode (tokenizer, "a a", NULL, 2);
  g_assert_cmpuint (attn_tokens_get_n (bare), ==, 2);

  g_autoptr (GError) error = NULL;
  AttnTokenizerInput input = {
      .text = "a", .text_length = 1, .pair = "a", .pair_length = 1, .max_tokens = 2};
  g_assert_null (attn_tokenizer_encode (tokenizer, &input, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "the limit of tokens is 2, wanted at least 3: "));
}

static void
test_invalid_second_text (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (NULL, NULL);
  g_autoptr (GError) error = NULL;
  AttnTokenizerInput input = {.text = "a", .text_length = 1, .pair = "ok \xC3(", .pair_length = 5};
  g_assert_null (attn_tokenizer_encode (tokenizer, &input, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_INVALID_TEXT);
  g_assert_cmpstr (error->message, ==,
                   "the second text is not valid UTF-8: found the byte 0xC3 at byte 3");
}

/* Tokens outlive their tokenizer. */
static void
test_lifetime (void)
{
  AttnTokenizer *tokenizer = fixture_load (NULL, NULL);
  AttnTokens *tokens = fixture_encode (tokenizer, "low", NULL, 0);
  attn_tokenizer_unref (tokenizer);
  AttnTokens *again = attn_tokens_ref (tokens);
  attn_tokens_unref (tokens);
  g_assert_cmpstr (attn_tokens_peek (again, 1)->piece, ==, "low");
  attn_tokens_unref (again);
}

/* One character of any plane, with those preferred that a tokenizer treats in its own way. */
static gunichar
pick_char (GRand *random)
{
  static const gunichar special[] = {0,      ' ',   '\n',   '[',    'I',     0x130,  0x301,
                                     0x323,  0x344, 0xAC01, 0x4E2D, 0xFEFF,  0x3000, 0x1F600,
                                     0x200D, 0x8D4, 0x1E9B, 0xF900, 0x1D160, 0x302E};
  switch (g_rand_int_range (random, 0, 5)) {
  case 0:
    return special[g_rand_int_range (random, 0, G_N_ELEMENTS (special))];
  case 1:
    return (gunichar)g_rand_int_range (random, 0x20, 0x7F);
  case 2:
    return (gunichar)g_rand_int_range (random, 0x80, 0x800);
  case 3:
    return (gunichar)g_rand_int_range (random, 0x800, 0xD800);
  default:
    return (gunichar)g_rand_int_range (random, 0xE000, 0x110000);
  }
}

static void
append_random (GString *text, GRand *random)
{
  int n = g_rand_int_range (random, 0, 40);
  for (int i = 0; i < n; i++) {
    char utf8[6];
    if (g_rand_int_range (random, 0, 20) == 0)
      g_string_append (text, "[MASK]");
    else
      g_string_append_len (text, utf8, g_unichar_to_utf8 (pick_char (random), utf8));
  }
}

/* Random texts, always the same ones: no crash, and every token keeps what tokens promise. */
static void
test_random_texts (void)
{
  enum { N_TEXTS = 20000 };
  const char *words = SPECIALS "a b c ##a ##b \u4E2D \u1100 ##\u1161 ##\u11A8 i ##\u0307 . \u0308";
  AttnTokenizer *tokenizers[] = {
      fixture_load (words, NULL),
      fixture_load (words, "{\"do_lower_case\": false, \"tokenize_chinese_chars\": false}"),
      fixture_load (words, "{\"strip_accents\": false, \"added_tokens_decoder\": {\"99\": "
                           "{\"content\": \"I \", \"normalized\": true, \"rstrip\": true}}}"),
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (20260101);
  for (int i = 0; i < N_TEXTS; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GString) text = g_string_new (NULL);
    g_autoptr (GString) pair = g_string_new (NULL);
    append_random (text, random);
    append_random (pair, random);
    AttnTokenizerInput input = {.text = text->str,
                                .text_length = text->len,
                                .pair = i % 4 == 0 ? pair->str : NULL,
                                .pair_length = i % 4 == 0 ? pair->len : 0,
                                .max_tokens = i % 8 == 0 ? 12 : 0};
    AttnTokenizer *tokenizer = tokenizers[i % (int)G_N_ELEMENTS (tokenizers)];
    g_autoptr (AttnTokens) tokens = attn_tokenizer_encode (tokenizer, &input, &error);
    g_assert_no_error (error);
    fixture_check_tokens (tokenizer, tokens);
    if (input.max_tokens > 0)
      g_assert_cmpuint (attn_tokens_get_n (tokens), <=, input.max_tokens);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (tokenizers); i++)
    attn_tokenizer_unref (tokenizers[i]);
}

/* Time must grow with the text, not with its square: each of these would take minutes if it did.
 * The bound is a hundred times what it takes. */
static void
test_large_texts (void)
{
  enum { N_BYTES = 1 << 20 };
  static const char *const units[] = {"a", "a ", "\u0301\u0323", "[", "[MASK]", "\u4E2D", "."};
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (SPECIALS "a ##a \u4E2D .", NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (units); i++) {
    g_autoptr (GString) text = g_string_sized_new (N_BYTES + 8);
    while (text->len < N_BYTES)
      g_string_append (text, units[i]);
    gint64 begin = g_get_monotonic_time ();
    g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, text->str, NULL, 512);
    double elapsed_ms = (double)(g_get_monotonic_time () - begin) / 1000;
    g_test_message ("1 MB of %s: %.1f ms", units[i], elapsed_ms);
    g_assert_cmpfloat (elapsed_ms, <, 10000);
    g_assert_cmpuint (attn_tokens_get_n (tokens), <=, 512);
  }
}

static void
test_too_large_text (void)
{
  g_autoptr (AttnTokenizer) tokenizer = fixture_load (NULL, NULL);
  g_autofree char *text = g_strnfill ((16 << 20) + 1, ' ');
  g_autoptr (GError) error = NULL;
  AttnTokenizerInput input = {.text = text, .text_length = (16 << 20) + 1};
  g_assert_null (attn_tokenizer_encode (tokenizer, &input, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wordpiece/pieces", test_pieces);
  g_test_add_func ("/wordpiece/cleaning", test_cleaning);
  g_test_add_func ("/wordpiece/nul", test_nul);
  g_test_add_func ("/wordpiece/punctuation", test_punctuation);
  g_test_add_func ("/wordpiece/ideographs", test_ideographs);
  g_test_add_func ("/wordpiece/ideograph-bounds", test_ideograph_bounds);
  g_test_add_func ("/wordpiece/case-and-accents", test_case_and_accents);
  g_test_add_func ("/wordpiece/spans-after-changes", test_spans_after_changes);
  g_test_add_func ("/wordpiece/long-words", test_long_words);
  g_test_add_func ("/wordpiece/typed-specials", test_typed_specials);
  g_test_add_func ("/wordpiece/pairs", test_pairs);
  g_test_add_func ("/wordpiece/truncation", test_truncation);
  g_test_add_func ("/wordpiece/limits", test_limits);
  g_test_add_func ("/wordpiece/invalid-second-text", test_invalid_second_text);
  g_test_add_func ("/wordpiece/lifetime", test_lifetime);
  g_test_add_func ("/wordpiece/random-texts", test_random_texts);
  g_test_add_func ("/wordpiece/large-texts", test_large_texts);
  g_test_add_func ("/wordpiece/too-large-text", test_too_large_text);
  return g_test_run ();
}
