/* SPDX-License-Identifier: MIT */
/* Each step of normalising: what it makes of a text, and which place each character keeps. */
#include "charsmap.h"
#include "grapheme.h"
#include "normalizer.h"

#include "attn/error.h"

#include <string.h>

/* "character:start-end", apart by blanks; the steps are the list of a Sequence. */
static char *
dup_normalized (const char *steps, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json =
      g_strdup_printf ("{\"type\": \"Sequence\", \"normalizers\": [%s]}", steps);
  g_autoptr (json_t) value = attn_json_load_bytes (json, strlen (json), "steps", &error);
  g_assert_no_error (error);
  g_autoptr (AttnNormalizer) normalizer = attn_normalizer_new ();
  attn_normalizer_read (value, normalizer, "steps", &error);
  g_assert_no_error (error);
  g_auto (AttnCharText) raw = {0};
  g_auto (AttnCharText) out = {0};
  g_auto (AttnCharText) spare = {0};
  attn_char_text_decode (&raw, text, strlen (text));
  attn_normalizer_run (normalizer, raw.chars, raw.n, &out, &spare);
  g_autoptr (GString) shown = g_string_new (NULL);
  for (size_t i = 0; i < out.n; i++) {
    g_string_append_unichar (shown, out.chars[i].c);
    g_string_append_printf (shown, ":%u-%u%s", out.chars[i].start, out.chars[i].end,
                            i + 1 < out.n ? " " : "");
  }
  return g_string_free (g_steal_pointer (&shown), FALSE);
}

#define NORMALIZED(steps, text, expected) \
  G_STMT_START \
  { \
    g_autofree char *normalized = dup_normalized (steps, text); \
    g_assert_cmpstr (normalized, ==, expected); \
  } \
  G_STMT_END

#define TYPE(name) "{\"type\": \"" name "\"}"

/* Expected values: tokenizers 0.23.3. */
static void
test_forms (void)
{
  NORMALIZED (TYPE ("NFD"), "\u1EA5b", "a:0-3 \u0302:0-3 \u0301:0-3 b:3-4");
  NORMALIZED (TYPE ("NFD"), "a\u0301\u0323", "a:0-1 \u0323:1-3 \u0301:3-5");
  NORMALIZED (TYPE ("NFC"), "ae\u0301b", "a:0-1 \u00E9:1-2 b:4-5");
  NORMALIZED (TYPE ("NFC"), "a\u0301\u0323b", "\u1EA1:0-1 \u0301:3-5 b:5-6");
  NORMALIZED (TYPE ("NFC"), "\u1100\u1161\u11A8", "\uAC01:0-3");
  NORMALIZED (TYPE ("NFC"), "\u0301a", "\u0301:0-2 a:2-3");
  NORMALIZED (TYPE ("NFKC"), "\uFB01x\u0301 ", "f:0-3 i:0-3 x:3-4 \u0301:4-6  :6-7");
  NORMALIZED (TYPE ("NFKC"), "\u1E9B\u0323", "\u1E69:0-3");
  NORMALIZED (TYPE ("NFKD"), "\u00BD", "1:0-2 \u2044:0-2 2:0-2");
  /* a ligature of Unicode 12.1 and a composition of 13.0, both later than the reference's tables */
  NORMALIZED (TYPE ("NFKC"), "\u32FF", "\u32FF:0-3");
  NORMALIZED (TYPE ("NFC"), "\U00011935\U00011930", "\U00011935:0-4 \U00011930:4-8");
}

static void
test_accents_and_case (void)
{
  NORMALIZED (TYPE ("NFD") "," TYPE ("StripAccents"), "\u0301\u00E1b", "a:2-4 b:4-5");
  NORMALIZED (TYPE ("StripAccents"), "\u00E1a\u0903\u20DDb", "\u00E1:0-2 a:2-3 b:9-10");
  NORMALIZED (TYPE ("Lowercase"), "\u0130A\u03A3", "i:0-2 \u0307:0-2 a:2-3 \u03C3:3-5");
  NORMALIZED (
      "{\"type\": \"BertNormalizer\", \"clean_text\": false, \"handle_chinese_chars\": true, "
      "\"strip_accents\": null, \"lowercase\": true}",
      "\u00C1\t\u4E2D", "a:0-2 \t:2-3  :3-6 \u4E2D:3-6  :3-6");
}

static void
test_strip (void)
{
  const char *both = "{\"type\": \"Strip\", \"strip_left\": true, \"strip_right\": true}";
  const char *right = "{\"type\": \"Strip\", \"strip_left\": false, \"strip_right\": true}";
  NORMALIZED (both, "  a b\u3000", "a:2-3  :3-4 b:4-5");
  NORMALIZED (both, " \n ", "");
  NORMALIZED (right, " a ", " :0-1 a:1-2");
  NORMALIZED (right, "   ", "");
}

static void
test_nmt (void)
{
  NORMALIZED (TYPE ("Nmt"), "a\x01\tb\u200B\x0B\uFEFF\x7F.",
              "a:0-1  :2-3 b:3-4  :4-7  :8-11 .:12-13");
}

static void
test_replace (void)
{
  const char *quotes = "{\"type\": \"Replace\", \"pattern\": {\"String\": \"''\"}, "
                       "\"content\": \"\\\"\"}";
  const char *spaces = "{\"type\": \"Replace\", \"pattern\": {\"Regex\": "
                       "\"\\\\s{2,}|[\\\\n\\\\r\\\\t]\"}, \"content\": \" \"}";
  const char *longer = "{\"type\": \"Replace\", \"pattern\": {\"String\": \"x\"}, "
                       "\"content\": \"yz\"}";
  const char *gone = "{\"type\": \"Replace\", \"pattern\": {\"String\": \"x\"}, \"content\": \"\"}";
  NORMALIZED (quotes, "a''b'", "a:0-1 \":2-3 b:3-4 ':4-5");
  NORMALIZED (quotes, "'''", "\":1-2 ':2-3");
  NORMALIZED (spaces, "  a \n b\nc d", " :1-2 a:2-3  :5-6 b:6-7  :7-8 c:8-9  :9-10 d:10-11");
  NORMALIZED (longer, "axb", "a:0-1 y:1-2 z:1-2 b:2-3");
  NORMALIZED (gone, "xaxxbx", "a:1-2 b:4-5");
}

static void
test_prepend (void)
{
  const char *step = "{\"type\": \"Prepend\", \"prepend\": \"\u2581\u2581\"}";
  NORMALIZED (step, "\u00E9b", "\u2581:0-2 \u2581:0-2 \u00E9:0-2 b:2-3");
  NORMALIZED (step, "", "");
}

static void
test_byte_level (void)
{
  NORMALIZED (TYPE ("ByteLevel"), "a\u00E9 \n",
              "a:0-1 \u00C3:1-3 \u00A9:1-3 \u0120:3-4 \u010A:4-5");
}

/* A map that makes of "a" what @text is: a root, the unit of "a", and its leaf. */
static AttnCharsmap *
make_map (const char *text)
{
  enum { N_UNITS = 512, BASE = 256, LEAF = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) blob = g_byte_array_new ();
  guint32 units[1 + N_UNITS] = {N_UNITS * sizeof (guint32)};
  size_t unit_of_a = BASE ^ 'a';
  units[1] = BASE << 10;
  units[1 + unit_of_a] = 'a' | 1 << 8 | (guint32)(unit_of_a ^ LEAF) << 10;
  units[1 + LEAF] = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (units); i++)
    units[i] = GUINT32_TO_LE (units[i]);
  g_byte_array_append (blob, (const guint8 *)units, sizeof units);
  g_byte_array_append (blob, (const guint8 *)text, (guint)strlen (text) + 1);
  AttnCharsmap *map = attn_charsmap_new (blob->data, blob->len, "a map", &error);
  g_assert_no_error (error);
  return map;
}

static void
check_map (const char *replacement, const char *text, const char *expected)
{
  AttnCharsmap *map = make_map (replacement);
  g_auto (AttnCharText) raw = {0};
  g_auto (AttnCharText) out = {0};
  g_autoptr (GString) shown = g_string_new (NULL);
  attn_char_text_decode (&raw, text, strlen (text));
  attn_charsmap_write (map, raw.chars, raw.n, &out);
  for (size_t i = 0; i < out.n; i++) {
    g_string_append_unichar (shown, out.chars[i].c);
    g_string_append_printf (shown, ":%u-%u%s", out.chars[i].start, out.chars[i].end,
                            i + 1 < out.n ? " " : "");
  }
  g_assert_cmpstr (shown->str, ==, expected);
  attn_charsmap_free (map);
}

static void
test_charsmap (void)
{
  check_map ("X", "bab", "b:0-1 X:1-2 b:2-3");
  check_map ("XYZ", "ab", "X:0-1 Y:0-1 Z:0-1 b:1-2");
  /* a cluster of up to 5 bytes is replaced as a whole, a longer one by its characters */
  check_map ("X", "a\u0301b", "X:0-1 b:3-4");
  check_map ("XY", "a\u0301b", "X:0-1 Y:1-3 b:3-4");
  check_map ("X", "a\u0301\u0301\u0301b", "X:0-1 \u0301:1-3 \u0301:3-5 \u0301:5-7 b:7-8");
  /* what is removed takes no other character's place along */
  check_map ("", "aab", "b:2-3");
  check_map ("", "bac", "b:0-1 c:2-3");
}

static void
assert_no_map (const guint8 *blob, size_t n)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_charsmap_new (blob, n, "FILE: precompiled_charsmap", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "precompiled_charsmap"));
}

static void
test_broken_charsmaps (void)
{
  static const guint8 wild[] = {8, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F, 0x61, 0xFF, 0xFF, 0xFF, 'X', 0};
  static const guint8 not_utf8[] = {4, 0, 0, 0, 0, 0, 0, 0, 0xC3, '('};
  static const guint8 longer[] = {12, 0, 0, 0, 0, 0, 0, 0};
  static const guint8 odd[] = {3, 0, 0, 0, 0, 0, 0, 0};
  assert_no_map (NULL, 0);
  assert_no_map (longer, 3);
  assert_no_map (longer, sizeof longer);
  assert_no_map (odd, sizeof odd);
  assert_no_map (not_utf8, sizeof not_utf8);
  g_autoptr (GError) error = NULL;
  AttnCharsmap *map = attn_charsmap_new (wild, sizeof wild, "a map", &error);
  g_assert_no_error (error);
  g_auto (AttnCharText) out = {0};
  AttnChar chars[] = {{'a', 0, 1}, {0xE9, 1, 3}, {0, 3, 4}};
  attn_charsmap_write (map, chars, G_N_ELEMENTS (chars), &out);
  g_assert_cmpuint (out.n, ==, 3);
  attn_charsmap_free (map);
}

/* Unicode's own cases: clusters apart by U+00F7, characters in hexadecimal. */
static void
check_grapheme_line (const char *line)
{
  g_auto (GStrv) clusters = g_strsplit (line, "\u00F7", -1);
  g_auto (AttnCharText) text = {0};
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (size_t));
  for (size_t i = 0; clusters[i] != NULL; i++) {
    g_auto (GStrv) parts = g_strsplit_set (clusters[i], " \u00D7", -1);
    size_t before = text.n;
    for (size_t k = 0; parts[k] != NULL; k++)
      if (g_ascii_isxdigit (parts[k][0]))
        attn_char_text_append (&text, (gunichar)g_ascii_strtoull (parts[k], NULL, 16), 0, 0);
    if (text.n > before)
      g_array_append_val (ends, text.n);
  }
  size_t at = 0;
  for (guint i = 0; i < ends->len; i++) {
    at = attn_grapheme_find_end (text.chars, text.n, at);
    if (at != g_array_index (ends, size_t, i))
      g_error ("%s: cluster %u ends at %zu", line, i, at);
  }
}

static void
test_graphemes (void)
{
  static const char *const cases[] = {
      "\u00F7 000D \u00D7 000A \u00F7 0061 \u00F7",
      "\u00F7 0061 \u00D7 0301 \u00F7 0062 \u00F7",
      "\u00F7 000A \u00F7 0301 \u00F7",
      "\u00F7 1100 \u00D7 1161 \u00D7 11A8 \u00F7 1100 \u00F7",
      "\u00F7 AC00 \u00D7 11A8 \u00F7 AC01 \u00D7 11A8 \u00F7 1161 \u00F7",
      "\u00F7 1F1E6 \u00D7 1F1E7 \u00F7 1F1E8 \u00F7 0061 \u00F7",
      "\u00F7 0600 \u00D7 0061 \u00F7",
      "\u00F7 0061 \u00D7 0903 \u00F7",
      "\u00F7 1F476 \u00D7 1F3FF \u00D7 200D \u00D7 1F6D1 \u00F7 1F6D1 \u00F7",
      "\u00F7 0061 \u00D7 200D \u00F7 1F6D1 \u00F7",
      "\u00F7 0915 \u00D7 094D \u00D7 0924 \u00F7 0915 \u00D7 200D \u00F7 0924 \u00F7",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    check_grapheme_line (cases[i]);
}

static void
assert_refused (const char *json, AttnError code, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) value = attn_json_load_bytes (json, strlen (json), "FILE", &error);
  g_assert_no_error (error);
  g_autoptr (AttnNormalizer) normalizer = attn_normalizer_new ();
  g_assert_false (attn_normalizer_read (value, normalizer, "FILE", &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
  g_assert_true (g_str_has_prefix (error->message, "FILE: normalizer"));
  if (strstr (error->message, word) == NULL)
    g_error ("\"%s\" does not name \"%s\"", error->message, word);
}

static void
test_refused (void)
{
  assert_refused ("{\"type\": \"Romanise\"}", ATTN_ERROR_UNSUPPORTED, "Romanise");
  assert_refused ("{\"kind\": \"NFC\"}", ATTN_ERROR_FORMAT, "type");
  assert_refused ("{\"type\": \"Sequence\"}", ATTN_ERROR_FORMAT, "normalizers");
  assert_refused ("{\"type\": \"Strip\", \"strip_left\": 1}", ATTN_ERROR_FORMAT, "strip_left");
  assert_refused ("{\"type\": \"Replace\", \"pattern\": {\"Regex\": \"a+\"}, \"content\": \"\"}",
                  ATTN_ERROR_UNSUPPORTED, "a+");
  assert_refused ("{\"type\": \"Replace\", \"pattern\": \"a\", \"content\": \"\"}",
                  ATTN_ERROR_FORMAT, "pattern");
  assert_refused ("{\"type\": \"Precompiled\", \"precompiled_charsmap\": \"!!!!\"}",
                  ATTN_ERROR_FORMAT, "precompiled_charsmap");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/normalizer/forms", test_forms);
  g_test_add_func ("/normalizer/accents-and-case", test_accents_and_case);
  g_test_add_func ("/normalizer/strip", test_strip);
  g_test_add_func ("/normalizer/nmt", test_nmt);
  g_test_add_func ("/normalizer/replace", test_replace);
  g_test_add_func ("/normalizer/prepend", test_prepend);
  g_test_add_func ("/normalizer/byte-level", test_byte_level);
  g_test_add_func ("/normalizer/charsmap", test_charsmap);
  g_test_add_func ("/normalizer/broken-charsmaps", test_broken_charsmaps);
  g_test_add_func ("/normalizer/graphemes", test_graphemes);
  g_test_add_func ("/normalizer/refused", test_refused);
  return g_test_run ();
}
