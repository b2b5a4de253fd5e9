/* SPDX-License-Identifier: MIT */
/* The character tables: their shape, and the places where Unicode versions part. */
#include "unicode-tables.h"
#include "unicode.h"

static void
test_tables_are_sorted (void)
{
  for (size_t i = 0; i < attn_n_char_ranges; i++) {
    g_assert_cmpuint (attn_char_ranges[i].first, <=, attn_char_ranges[i].last);
    g_assert_cmpuint (attn_char_ranges[i].first, >, i == 0 ? 0x7F : attn_char_ranges[i - 1].last);
    g_assert_cmpuint (attn_char_ranges[i].value, !=, 0);
  }
  for (size_t i = 0; i < attn_n_lower_ranges; i++) {
    g_assert_cmpuint (attn_lower_ranges[i].first, <=, attn_lower_ranges[i].last);
    g_assert_cmpuint (attn_lower_ranges[i].first, >, i == 0 ? 0x7F : attn_lower_ranges[i - 1].last);
  }
}

static void
test_flags (void)
{
  static const struct {
    gunichar c;
    unsigned flags;
  } cases[] = {
      {'a', 0},
      {'0', 0},
      {'$', ATTN_CHAR_PUNCTUATION},
      {'~', ATTN_CHAR_PUNCTUATION},
      {' ', ATTN_CHAR_WHITE},
      {'\n', ATTN_CHAR_WHITE},
      {'\v', ATTN_CHAR_CONTROL | ATTN_CHAR_WHITE},
      {0, ATTN_CHAR_CONTROL},
      {0x7F, ATTN_CHAR_CONTROL},
      {0x85, ATTN_CHAR_CONTROL | ATTN_CHAR_WHITE},
      {0xAD, ATTN_CHAR_CONTROL},
      {0xE9, ATTN_CHAR_DECOMPOSES},
      {0x301, ATTN_CHAR_ACCENT | ATTN_CHAR_REORDERS},
      {0x20AC, 0}, /* the euro sign is no punctuation */
      {0x3000, ATTN_CHAR_WHITE},
      {0x4E2D, ATTN_CHAR_IDEOGRAPH},
      {0xAC00, ATTN_CHAR_DECOMPOSES},
      {0xF900, ATTN_CHAR_IDEOGRAPH | ATTN_CHAR_DECOMPOSES},
      {0xFFFD, ATTN_CHAR_CONTROL},
      {0x10FFFD, ATTN_CHAR_CONTROL},                   /* private use */
      {0x166D, ATTN_CHAR_PUNCTUATION},                 /* in 8.0; a symbol since 12.0 */
      {0x1734, ATTN_CHAR_ACCENT | ATTN_CHAR_REORDERS}, /* in 8.0; Mc since 14.0 */
      {0x111C9, ATTN_CHAR_PUNCTUATION},                /* in 8.0; Mn since 11.0 */
      {0x1885, 0},                                     /* Lo in 8.0; Mn since 9.0 */
      {0x8D4, ATTN_CHAR_REORDERS},                     /* came with 9.0: no accent there */
      {0x2E43, 0},                                     /* punctuation that came with 9.0 */
      {0x110CD, 0},                                    /* a format character that came with 11.0 */
      {0x11938, 0},                                    /* decomposes since 13.0 */
      {0xD3C, 0},                                      /* a mark that came with 10.0 */
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_test_message ("U+%04X", cases[i].c);
    g_assert_cmpuint (attn_char_get_flags (cases[i].c), ==, cases[i].flags);
  }
}

static void
test_lower (void)
{
  static const gunichar pairs[][2] = {
      {'A', 'a'},         {'Z', 'z'},      {'@', '@'},         {'[', '['},     {0xC9, 0xE9},
      {0xD7, 0xD7},       {0x130, 'i'},    {0x178, 0xFF},      {0x1C5, 0x1C6}, {0x3A3, 0x3C3},
      {0x410, 0x430},     {0x1E9E, 0xDF},  {0x2160, 0x2170},   {0x212A, 'k'},  {0x10400, 0x10428},
      {0x1E921, 0x1E943}, {0xA7DC, 0x19B}, {0x16EB8, 0x16ED3}, {0x101, 0x101}, {0x4E2D, 0x4E2D},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (pairs); i++)
    g_assert_cmpuint (attn_char_lower (pairs[i][0]), ==, pairs[i][1]);
}

/* What both know is the same in GLib, whichever Unicode version it has. */
static void
test_lower_against_glib (void)
{
  for (gunichar c = 0; c < 0x110000; c++) {
    gunichar lower = attn_char_lower (c), glib = g_unichar_tolower (c);
    if (glib != c)
      g_assert_cmpuint (lower, ==, glib);
    g_assert_cmpuint (attn_char_lower (lower), ==, lower);
  }
}

/* GLib's decompositions never change for a character it has; ours are a part of them. */
static void
test_decompositions (void)
{
  for (gunichar c = 0x80; c < 0x30000; c++) {
    gunichar parts[ATTN_CHAR_MAX_DECOMPOSED], more[2 * ATTN_CHAR_MAX_DECOMPOSED];
    unsigned flags = attn_char_get_flags (c);
    size_t n = attn_char_decompose (c, flags, parts);
    g_assert_cmpuint (n, <=, ATTN_CHAR_MAX_DECOMPOSED);
    g_assert_cmpint (n > 1 || parts[0] != c, ==, (flags & ATTN_CHAR_DECOMPOSES) != 0);
    if ((flags & ATTN_CHAR_DECOMPOSES) != 0)
      g_assert_cmpuint (g_unichar_fully_decompose (c, FALSE, more, G_N_ELEMENTS (more)), ==, n);
    for (size_t i = 0; i < n; i++)
      g_assert_cmpuint (attn_char_get_flags (parts[i]) & ATTN_CHAR_DECOMPOSES, ==, 0);
    if ((flags & ATTN_CHAR_REORDERS) != 0)
      g_assert_cmpint (g_unichar_combining_class (c), !=, 0);
  }
}

static void
test_utf8 (void)
{
  static const struct {
    const char *text;
    size_t n_bytes, at;
  } wrong[] = {
      {"\xFF", 1, 0},        {"a\xC3(", 3, 1},       {"ab\xE2\x82", 4, 2},
      {"a\0\xC0\xAF", 4, 2}, {"\xED\xA0\x80", 3, 0}, {"\xF4\x90\x80\x80", 4, 0},
  };
  size_t at = 99;
  g_assert_true (attn_utf8_check ("", 0, &at));
  g_assert_true (attn_utf8_check ("\0a\0\0", 4, &at));
  g_assert_true (attn_utf8_check ("\xEF\xBF\xBF\xF4\x8F\xBF\xBF", 7, &at));
  g_assert_cmpuint (at, ==, 99);
  for (size_t i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_assert_false (attn_utf8_check (wrong[i].text, wrong[i].n_bytes, &at));
    g_assert_cmpuint (at, ==, wrong[i].at);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/unicode/tables-are-sorted", test_tables_are_sorted);
  g_test_add_func ("/unicode/flags", test_flags);
  g_test_add_func ("/unicode/lower", test_lower);
  g_test_add_func ("/unicode/lower-against-glib", test_lower_against_glib);
  g_test_add_func ("/unicode/decompositions", test_decompositions);
  g_test_add_func ("/unicode/utf8", test_utf8);
  return g_test_run ();
}
