/* SPDX-License-Identifier: MIT */
/* Each step of cutting text into words: the words, and which place they keep. */
#include "pre-tokenizer.h"

#include "attn/error.h"

#include <string.h>

static AttnPreTokenizer *
load (const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) value = attn_json_load_bytes (json, strlen (json), "step", &error);
  g_assert_no_error (error);
  AttnPreTokenizer *pre = attn_pre_tokenizer_new ();
  attn_pre_tokenizer_read (value, pre, "step", &error);
  g_assert_no_error (error);
  return pre;
}

/* "word:start-end", apart by |. */
static char *
dup_words (const char *json, const char *text)
{
  g_autoptr (AttnPreTokenizer) pre = load (json);
  g_auto (AttnCharText) raw = {0};
  g_auto (AttnWords) words = {0};
  g_auto (AttnWords) spare = {0};
  attn_char_text_decode (&raw, text, strlen (text));
  attn_pre_tokenizer_run (pre, raw.chars, raw.n, &words, &spare);
  g_autoptr (GString) shown = g_string_new (NULL);
  for (size_t i = 0; i < words.n; i++) {
    AttnStretch word = words.stretches[i];
    for (size_t k = 0; k < word.n; k++)
      g_string_append_unichar (shown, words.chars[word.first + k].c);
    g_string_append_printf (shown, ":%u-%u%s", words.chars[word.first].start,
                            words.chars[word.first + word.n - 1].end, i + 1 < words.n ? "|" : "");
  }
  return g_string_free (g_steal_pointer (&shown), FALSE);
}

#define WORDS(json, text, expected) \
  G_STMT_START \
  { \
    g_autofree char *words = dup_words (json, text); \
    g_assert_cmpstr (words, ==, expected); \
  } \
  G_STMT_END

#define TYPE(name) "{\"type\": \"" name "\"}"

/* Expected values: tokenizers 0.23.3. */
static void
test_plain (void)
{
  WORDS (TYPE ("BertPreTokenizer"), " a,b\u3000c!!", "a:1-2|,:2-3|b:3-4|c:7-8|!:8-9|!:9-10");
  WORDS (TYPE ("WhitespaceSplit"), " a,b\u00A0\nc ", "a,b:1-4|c:7-8");
  WORDS (TYPE ("Whitespace"), "a_1\u0301--x .", "a_1\u0301:0-5|--:5-7|x:7-8|.:9-10");
  WORDS (TYPE ("WhitespaceSplit"), "", "");
  WORDS (TYPE ("WhitespaceSplit"), " \n", "");
}

static void
test_cuts (void)
{
#define SPLIT(behavior, invert) \
  "{\"type\": \"Split\", \"pattern\": {\"String\": \"-\"}, \"behavior\": \"" behavior \
  "\", \"invert\": " invert "}"
  const char *text = "the-final--countdown";
  WORDS (SPLIT ("Removed", "false"), text, "the:0-3|final:4-9|countdown:11-20");
  WORDS (SPLIT ("Isolated", "false"), text,
         "the:0-3|-:3-4|final:4-9|-:9-10|-:10-11|countdown:11-20");
  WORDS (SPLIT ("Contiguous", "false"), text, "the:0-3|-:3-4|final:4-9|--:9-11|countdown:11-20");
  WORDS (SPLIT ("MergedWithPrevious", "false"), text,
         "the-:0-4|final-:4-10|-:10-11|countdown:11-20");
  WORDS (SPLIT ("MergedWithNext", "false"), text, "the:0-3|-final:3-9|-:9-10|-countdown:10-20");
  WORDS (SPLIT ("Removed", "true"), text, "-:3-4|-:9-10|-:10-11");
  WORDS (SPLIT ("MergedWithNext", "false"), "-a-", "-a:0-2|-:2-3");
  WORDS (SPLIT ("MergedWithPrevious", "false"), "--a", "-:0-1|-:1-2|a:2-3");
#undef SPLIT
  WORDS ("{\"type\": \"CharDelimiterSplit\", \"delimiter\": \"\u00B7\"}", "a\u00B7\u00B7b",
         "a:0-1|b:5-6");
  WORDS ("{\"type\": \"Punctuation\", \"behavior\": \"Contiguous\"}", "a?!b", "a:0-1|?!:1-3|b:3-4");
  WORDS ("{\"type\": \"Punctuation\"}", "?!b", "?:0-1|!:1-2|b:2-3");
}

static void
test_digits (void)
{
  WORDS ("{\"type\": \"Digits\", \"individual_digits\": false}", "ab12\u00BDc",
         "ab:0-2|12\u00BD:2-6|c:6-7");
  WORDS ("{\"type\": \"Digits\", \"individual_digits\": true}", "ab12c",
         "ab:0-2|1:2-3|2:3-4|c:4-5");
}

/* GPT-2's pattern, on the bytes' characters. */
static void
test_byte_level (void)
{
  const char *plain = "{\"type\": \"ByteLevel\", \"add_prefix_space\": false}";
  const char *prefix = "{\"type\": \"ByteLevel\", \"add_prefix_space\": true}";
  const char *whole = "{\"type\": \"ByteLevel\", \"add_prefix_space\": true, \"use_regex\": false}";
  WORDS (
      plain, "How's it, we'll GO'S",
      "How:0-3|'s:3-5|\u0120it:5-8|,:8-9|\u0120we:9-12|'ll:12-15|\u0120GO:15-18|':18-19|S:19-20");
  WORDS (plain, "a  b\n\nc  ",
         "a:0-1|\u0120:1-2|\u0120b:2-4|\u010A:4-5|\u010A:5-6|c:6-7|\u0120\u0120:7-9");
  WORDS (plain, "\u00E91\u00BD x", "\u00C3\u00A9:0-2|1\u00C2\u00BD:2-5|\u0120x:5-7");
  WORDS (plain, "a \n b", "a:0-1|\u0120\u010A:1-3|\u0120b:3-5");
  WORDS (plain, " 'd", "\u0120':0-2|d:2-3");
  WORDS (prefix, "ab c", "\u0120ab:0-2|\u0120c:2-4");
  WORDS (prefix, " ab", "\u0120ab:0-3");
  WORDS (prefix, "\nb", "\u0120:0-1|\u010A:0-1|b:1-2");
  WORDS (whole, "a b!", "\u0120a\u0120b!:0-4");
}

static void
test_metaspace (void)
{
  const char *always = "{\"type\": \"Metaspace\", \"replacement\": \"_\"}";
  const char *first =
      "{\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"WhitespaceSplit\"}, "
      "{\"type\": \"Metaspace\", \"replacement\": \"\u2581\", \"prepend_scheme\": "
      "\"first\", \"split\": true}]}";
  const char *never =
      "{\"type\": \"Metaspace\", \"replacement\": \"_\", \"add_prefix_space\": false}";
  const char *whole = "{\"type\": \"Metaspace\", \"replacement\": \"_\", \"split\": false}";
  WORDS (always, "ab  c", "_ab:0-2|_:2-3|_c:3-5");
  WORDS (always, " ab ", "_ab:0-3|_:3-4");
  WORDS (always, "_ab", "_ab:0-3");
  WORDS (first, "ab cd", "\u2581ab:0-2|cd:3-5");
  WORDS (never, "ab c", "ab:0-2|_c:2-4");
  WORDS (whole, "ab c", "_ab_c:0-4");
}

/* A megabyte of what a pattern might look at again and again. */
static void
test_long_texts (void)
{
  static const struct {
    const char *json;
    char fill;
    size_t n_words;
  } cases[] = {
      {"{\"type\": \"ByteLevel\", \"add_prefix_space\": false}", ' ', 2},
      {"{\"type\": \"ByteLevel\", \"add_prefix_space\": false}", 'a', 1},
      {"{\"type\": \"Metaspace\", \"replacement\": \"_\"}", ' ', 1 << 20},
      {"{\"type\": \"BertPreTokenizer\"}", '!', (1 << 20) + 1},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = g_strnfill (1 << 20, cases[i].fill);
    g_autofree char *all = g_strconcat (text, "a", NULL);
    g_autoptr (AttnPreTokenizer) pre = load (cases[i].json);
    g_auto (AttnCharText) raw = {0};
    g_auto (AttnWords) words = {0};
    g_auto (AttnWords) spare = {0};
    attn_char_text_decode (&raw, all, (1 << 20) + 1);
    gint64 begin = g_get_monotonic_time ();
    attn_pre_tokenizer_run (pre, raw.chars, raw.n, &words, &spare);
    /* takes some 20 ms; anything that is not linear would take minutes */
    g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);
    g_assert_cmpuint (words.n, ==, cases[i].n_words);
  }
}

static void
assert_refused (const char *json, AttnError code, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) value = attn_json_load_bytes (json, strlen (json), "FILE", &error);
  g_assert_no_error (error);
  g_autoptr (AttnPreTokenizer) pre = attn_pre_tokenizer_new ();
  g_assert_false (attn_pre_tokenizer_read (value, pre, "FILE", &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
  g_assert_true (g_str_has_prefix (error->message, "FILE: pre_tokenizer"));
  if (strstr (error->message, word) == NULL)
    g_error ("\"%s\" does not name \"%s\"", error->message, word);
}

static void
test_refused (void)
{
  assert_refused (TYPE ("UnicodeScripts"), ATTN_ERROR_UNSUPPORTED, "UnicodeScripts");
  assert_refused ("{\"type\": \"Split\", \"pattern\": {\"Regex\": \"(?<=x)(a+)+$\"}}",
                  ATTN_ERROR_UNSUPPORTED, "(?<=x)(a+)+$");
  assert_refused ("{\"type\": \"Split\", \"pattern\": {\"String\": \"a\"}, \"behavior\": \"Kept\"}",
                  ATTN_ERROR_UNSUPPORTED, "Kept");
  assert_refused ("{\"type\": \"Metaspace\", \"replacement\": \"ab\"}", ATTN_ERROR_FORMAT,
                  "replacement");
  assert_refused ("{\"type\": \"Metaspace\", \"prepend_scheme\": \"often\"}",
                  ATTN_ERROR_UNSUPPORTED, "often");
  assert_refused ("{\"type\": \"Digits\", \"individual_digits\": \"no\"}", ATTN_ERROR_FORMAT,
                  "individual_digits");
  assert_refused ("{\"type\": \"CharDelimiterSplit\", \"delimiter\": \"\"}", ATTN_ERROR_FORMAT,
                  "delimiter");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pre-tokenizer/plain", test_plain);
  g_test_add_func ("/pre-tokenizer/cuts", test_cuts);
  g_test_add_func ("/pre-tokenizer/digits", test_digits);
  g_test_add_func ("/pre-tokenizer/byte-level", test_byte_level);
  g_test_add_func ("/pre-tokenizer/metaspace", test_metaspace);
  g_test_add_func ("/pre-tokenizer/long-texts", test_long_texts);
  g_test_add_func ("/pre-tokenizer/refused", test_refused);
  return g_test_run ();
}
