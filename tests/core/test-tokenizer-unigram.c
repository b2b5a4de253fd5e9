/* SPDX-License-Identifier: MIT */
/* The likeliest pieces, on vocabularies small enough to try all ways. */
#include "tokenizer-fixture.h"

#include "attn/error.h"
#include "attn/tokenizer.h"

#include <math.h>
#include <string.h>

static AttnTokenizer *
load (const char *vocab, const char *options)
{
  g_autofree char *model = g_strdup_printf (
      "{\"type\": \"Unigram\", \"unk_id\": 0, \"vocab\": [[\"<unk>\", 0], %s]%s}", vocab, options);
  return fixture_load_parts (NULL, NULL, model);
}

static void
check_spans (AttnTokenizer *tokenizer, const char *text, const char *expected)
{
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, text, NULL, 0);
  g_autofree char *spans = fixture_dup_spans (tokens);
  g_assert_cmpstr (spans, ==, expected);
}

static void
test_best_way (void)
{
  g_autoptr (AttnTokenizer) tokenizer =
      load ("[\"a\", -1], [\"b\", -1.5], [\"ab\", -2], [\"ba\", -3], [\"aba\", -3.5]", "");
  check_spans (tokenizer, "ab", "ab:0-2");
  check_spans (tokenizer, "aba", "ab:0-2 a:2-3"); /* -3 against -3.5, -3.5 and -4 */
  check_spans (tokenizer, "bb", "b:0-1 b:1-2");
  check_spans (tokenizer, "", "");
}

/* Of equal ways the one that was found first stays: the piece that begins earlier. */
static void
test_equal_ways (void)
{
  g_autoptr (AttnTokenizer) tokenizer =
      load ("[\"a\", -1], [\"ab\", -2], [\"bc\", -2], [\"c\", -1], [\"b\", -9]", "");
  check_spans (tokenizer, "abc", "a:0-1 bc:1-3");
}

/* The score of a way is a sum of doubles. All ways of cutting short words are tried. */
static void
try_ways (const char *text,
          size_t at,
          double score,
          const char *const *pieces,
          const double *scores,
          double *best)
{
  if (text[at] == '\0') {
    *best = fmax (*best, score);
    return;
  }
  for (size_t i = 0; pieces[i] != NULL; i++)
    if (g_str_has_prefix (text + at, pieces[i]))
      try_ways (text, at + strlen (pieces[i]), score + scores[i], pieces, scores, best);
}

static void
test_against_all_ways (void)
{
  static const char *const pieces[] = {"a",  "b",   "aa",  "ab",   "ba",
                                       "bb", "aab", "bab", "abba", NULL};
  static const double scores[] = {-2.25, -2.5, -4.125, -3.75, -4.5, -5.5, -6, -5.875, -8.0625};
  g_autoptr (GString) vocab = g_string_new (NULL);
  for (size_t i = 0; pieces[i] != NULL; i++)
    g_string_append_printf (vocab, "%s[\"%s\", %f]", i > 0 ? ", " : "", pieces[i], scores[i]);
  g_autoptr (AttnTokenizer) tokenizer = load (vocab->str, "");
  for (unsigned bits = 0; bits < 1 << 10; bits++) {
    char text[11] = {0};
    for (size_t i = 0; i < 10; i++)
      text[i] = (bits >> i & 1) != 0 ? 'b' : 'a';
    double best = -INFINITY, score = 0;
    try_ways (text, 0, 0, pieces, scores, &best);
    g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, text, NULL, 0);
    for (size_t i = 0; i < attn_tokens_get_n (tokens); i++)
      score += scores[attn_tokens_peek (tokens, i)->id - 1];
    g_assert_true (score == best); /* all are multiples of 1/16 */
  }
}

static void
test_unknown (void)
{
  g_autoptr (AttnTokenizer) tokenizer = load ("[\"a\", -1], [\"xy\", -3]", "");
  check_spans (tokenizer, "ab\u4E2Da", "a:0-1 <unk>:1-5 a:5-6");
  check_spans (tokenizer, "bb", "<unk>:0-2");
  check_spans (tokenizer, "axya", "a:0-1 xy:1-3 a:3-4");
  check_spans (tokenizer, "<unk>a", "<unk>:0-5 a:5-6");
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, "b", NULL, 0);
  g_assert_cmpint (attn_tokens_peek (tokens, 0)->id, ==, 0);
}

static void
test_byte_fallback (void)
{
  g_autoptr (AttnTokenizer) tokenizer =
      load ("[\"a\", -1], [\"<0xC3>\", -5], [\"<0xA9>\", -5]", ", \"byte_fallback\": true");
  check_spans (tokenizer, "a\u00E9a", "a:0-1 <0xC3>:1-3 <0xA9>:1-3 a:3-4");
  check_spans (tokenizer, "\u00E8", "<unk>:0-2");
}

/* Of equal pieces the later one counts. */
static void
test_repeated_piece (void)
{
  g_autoptr (AttnTokenizer) tokenizer = load ("[\"a\", -1], [\"a\", -2]", "");
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, "a", NULL, 0);
  g_assert_cmpint (attn_tokens_peek (tokens, 0)->id, ==, 2);
}

static void
test_long_word (void)
{
  enum { N = 1 << 20 };
  g_autoptr (AttnTokenizer) tokenizer = load ("[\"a\", -1], [\"aaaa\", -2]", "");
  g_autofree char *text = g_strnfill (N, 'a');
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (AttnTokens) tokens = fixture_encode (tokenizer, text, NULL, 0);
  /* takes half a second; a quadratic way would take hours */
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 10 * G_USEC_PER_SEC);
  g_assert_cmpuint (attn_tokens_get_n (tokens), ==, N / 4);
}

static void
assert_refused (const char *model, AttnError code, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json = g_strdup_printf ("{\"model\": {\"type\": \"Unigram\", %s}}", model);
  g_assert_null (fixture_try_json (json, &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
  if (strstr (error->message, word) == NULL)
    g_error ("\"%s\" does not name \"%s\"", error->message, word);
}

static void
test_refused (void)
{
  assert_refused ("\"unk_id\": 0, \"vocab\": []", ATTN_ERROR_FORMAT, "vocab");
  assert_refused ("\"unk_id\": 0", ATTN_ERROR_FORMAT, "vocab");
  assert_refused ("\"vocab\": [[\"a\", 0]]", ATTN_ERROR_FORMAT, "unk_id");
  assert_refused ("\"unk_id\": 1, \"vocab\": [[\"a\", 0]]", ATTN_ERROR_SHAPE, "unk_id");
  assert_refused ("\"unk_id\": 0, \"vocab\": [[\"a\"]]", ATTN_ERROR_FORMAT, "vocab");
  assert_refused ("\"unk_id\": 0, \"vocab\": [[\"a\", 1e999]]", ATTN_ERROR_FORMAT, "vocab");
  assert_refused ("\"unk_id\": 0, \"vocab\": [\"a\"]", ATTN_ERROR_FORMAT, "vocab");
  assert_refused ("\"unk_id\": 0, \"vocab\": {\"a\": 0}", ATTN_ERROR_FORMAT, "vocab");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/unigram/best-way", test_best_way);
  g_test_add_func ("/unigram/equal-ways", test_equal_ways);
  g_test_add_func ("/unigram/against-all-ways", test_against_all_ways);
  g_test_add_func ("/unigram/unknown", test_unknown);
  g_test_add_func ("/unigram/byte-fallback", test_byte_fallback);
  g_test_add_func ("/unigram/repeated-piece", test_repeated_piece);
  g_test_add_func ("/unigram/long-word", test_long_word);
  g_test_add_func ("/unigram/refused", test_refused);
  return g_test_run ();
}
