/* SPDX-License-Identifier: MIT */
/* Byte-pair encoding on vocabularies small enough to see through. */
#include "tokenizer-fixture.h"

#include "attn/error.h"
#include "attn/tokenizer.h"

#include <string.h>

#define VOCAB \
  "\"vocab\": {\"a\": 0, \"b\": 1, \"c\": 2, \"ab\": 3, \"bc\": 4, \"abc\": 5, \"?\": 6, " \
  "\"aa\": 7, \"aaaa\": 8, \"<0xC3>\": 9, \"<0xA9>\": 10, \"<0xC3><0xA9>\": 11}"

static AttnTokenizer *
load (const char *merges, const char *options)
{
  g_autofree char *model =
      g_strdup_printf ("{\"type\": \"BPE\", " VOCAB ", \"merges\": [%s]%s}", merges, options);
  return fixture_load_parts (NULL, NULL, model);
}

static void
check_spans (AttnTokenizer *tokenizer, const char *text, const char *expected)
{
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, text, NULL, 0);
  g_autofree char *spans = fixture_dup_spans (tokens);
  g_assert_cmpstr (spans, ==, expected);
}

/* The rank decides, then the place. */
static void
test_order (void)
{
  g_autoptr (AttnTokenizer) left = load ("\"a b\", \"b c\", \"ab c\"", "");
  g_autoptr (AttnTokenizer) right = load ("\"b c\", \"a b\", \"a bc\"", "");
  g_autoptr (AttnTokenizer) none = load ("", "");
  g_autoptr (AttnTokenizer) pairs = load ("[\"a\", \"b\"], [\"b\", \"c\"]", "");
  check_spans (left, "abcb", "abc:0-3 b:3-4");
  check_spans (right, "abcb", "abc:0-3 b:3-4");
  check_spans (none, "abc", "a:0-1 b:1-2 c:2-3");
  check_spans (pairs, "abcbc", "ab:0-2 c:2-3 bc:3-5");
}

static void
test_runs (void)
{
  g_autoptr (AttnTokenizer) tokenizer = load ("\"a a\", \"aa aa\"", "");
  check_spans (tokenizer, "aaaaaaa", "aaaa:0-4 aa:4-6 a:6-7");
  check_spans (tokenizer, "", "");
}

static void
test_unknown (void)
{
  g_autoptr (AttnTokenizer) dropped = load ("", "");
  g_autoptr (AttnTokenizer) each = load ("", ", \"unk_token\": \"?\"");
  g_autoptr (AttnTokenizer) fused = load ("", ", \"unk_token\": \"?\", \"fuse_unk\": true");
  check_spans (dropped, "axyb", "a:0-1 b:3-4");
  check_spans (each, "axyb\u4E2D", "a:0-1 ?:1-2 ?:2-3 b:3-4 ?:4-7");
  check_spans (fused, "axyb\u4E2D", "a:0-1 ?:1-3 b:3-4 ?:4-7");
  check_spans (fused, "xy", "?:0-2");
}

/* Bytes stand for a character only where all of them are pieces; each of them spans it. */
static void
test_byte_fallback (void)
{
  g_autoptr (AttnTokenizer) bytes = load ("", ", \"unk_token\": \"?\", \"byte_fallback\": true");
  g_autoptr (AttnTokenizer) merged =
      load ("\"<0xC3> <0xA9>\"", ", \"unk_token\": \"?\", \"byte_fallback\": true");
  check_spans (bytes, "a\u00E9b\u00E8", "a:0-1 <0xC3>:1-3 <0xA9>:1-3 b:3-4 ?:4-6");
  check_spans (merged, "a\u00E9b", "a:0-1 <0xC3><0xA9>:1-3 b:3-4");
}

static void
test_ignore_merges (void)
{
  g_autoptr (AttnTokenizer) tokenizer = load ("", ", \"ignore_merges\": true");
  check_spans (tokenizer, "abc", "abc:0-3");
  check_spans (tokenizer, "abca", "a:0-1 b:1-2 c:2-3 a:3-4");
}

/* "##" before what continues a word, "</w>" behind what ends it. */
static void
test_affixes (void)
{
  g_autoptr (AttnTokenizer) prefix = fixture_load_parts (
      NULL, "{\"type\": \"WhitespaceSplit\"}",
      "{\"type\": \"BPE\", \"vocab\": {\"a\": 0, \"##b\": 1, \"##a\": 2, \"ab\": 3, \"b\": 4}, "
      "\"merges\": [\"a ##b\"], \"continuing_subword_prefix\": \"##\"}");
  g_autoptr (AttnTokenizer) suffix = fixture_load_parts (
      NULL, "{\"type\": \"WhitespaceSplit\"}",
      "{\"type\": \"BPE\", \"vocab\": {\"a\": 0, \"b</w>\": 1, \"a</w>\": 2, \"ab</w>\": 3}, "
      "\"merges\": [\"a b</w>\"], \"end_of_word_suffix\": \"</w>\"}");
  check_spans (prefix, "aba b", "ab:0-2 ##a:2-3 b:4-5");
  check_spans (suffix, "aab a", "a:0-1 ab</w>:1-3 a</w>:4-5");
}

/* A word of a million letters: n log n, so well under what a quadratic way would take (minutes). */
static void
test_long_word (void)
{
  enum { N = 1 << 20 };
  g_autoptr (AttnTokenizer) tokenizer = load ("\"a a\", \"aa aa\"", "");
  g_autofree char *text = g_strnfill (N, 'a');
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, text, NULL, 0);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 10 * G_USEC_PER_SEC);
  g_assert_cmpuint (attn_tokens_get_n (tokens), ==, N / 4);
  g_assert_cmpuint (attn_tokens_peek (tokens, N / 4 - 1)->end, ==, N);
}

static void
assert_refused (const char *model, AttnError code, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json = g_strdup_printf ("{\"model\": {\"type\": \"BPE\", %s}}", model);
  g_assert_null (fixture_try_json (json, &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
  if (strstr (error->message, word) == NULL)
    g_error ("\"%s\" does not name \"%s\"", error->message, word);
}

static void
test_refused (void)
{
  assert_refused ("\"merges\": []", ATTN_ERROR_FORMAT, "vocab");
  assert_refused (VOCAB, ATTN_ERROR_FORMAT, "merges");
  assert_refused (VOCAB ", \"merges\": [\"ab\"]", ATTN_ERROR_FORMAT, "merges");
  assert_refused (VOCAB ", \"merges\": [\"a b c\"]", ATTN_ERROR_FORMAT, "merges");
  assert_refused (VOCAB ", \"merges\": [\"a c\"]", ATTN_ERROR_FORMAT, "\"ac\"");
  assert_refused (VOCAB ", \"merges\": [[\"a\"]]", ATTN_ERROR_FORMAT, "merges");
  assert_refused (VOCAB ", \"merges\": [7]", ATTN_ERROR_FORMAT, "merges");
  assert_refused (VOCAB ", \"merges\": {}", ATTN_ERROR_FORMAT, "merges");
  assert_refused (VOCAB ", \"merges\": [], \"unk_token\": \"x\"", ATTN_ERROR_FORMAT, "unk_token");
  assert_refused ("\"vocab\": {\"a\": 0, \"b\": 0}, \"merges\": []", ATTN_ERROR_FORMAT, "\"b\"");
  assert_refused ("\"vocab\": {\"a\": 0, \"a\": 1}, \"merges\": []", ATTN_ERROR_FORMAT, "\"a\"");
  assert_refused ("\"vocab\": {\"a\": 0.5}, \"merges\": []", ATTN_ERROR_FORMAT, "0.5");
  assert_refused ("\"vocab\": {\"a\": \"0\"}, \"merges\": []", ATTN_ERROR_FORMAT, "vocab");
  assert_refused ("\"vocab\": {\"a\": 99999999}, \"merges\": []", ATTN_ERROR_TOO_LARGE, "99999999");
  assert_refused (VOCAB ", \"merges\": [], \"end_of_word_suffix\": "
                        "\"012345678901234567890123456789012\"",
                  ATTN_ERROR_UNSUPPORTED, "end_of_word_suffix");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bpe/order", test_order);
  g_test_add_func ("/bpe/runs", test_runs);
  g_test_add_func ("/bpe/unknown", test_unknown);
  g_test_add_func ("/bpe/byte-fallback", test_byte_fallback);
  g_test_add_func ("/bpe/ignore-merges", test_ignore_merges);
  g_test_add_func ("/bpe/affixes", test_affixes);
  g_test_add_func ("/bpe/long-word", test_long_word);
  g_test_add_func ("/bpe/refused", test_refused);
  return g_test_run ();
}
