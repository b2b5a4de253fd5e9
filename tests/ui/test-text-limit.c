/* SPDX-License-Identifier: MIT */
/* Where a text is cut: at whole characters, before the line that would be too long; and its long
 * words. */
#include "hs-side.h"
#include "hs-text-limit.h"

#include <glib.h>
#include <pango/pango.h>

#include <string.h>

#define LINE HS_MAX_LINE_BYTES
#define ACUTE "\xcc\x81" /* combining */

static char *
repeat (const char *piece, size_t n)
{
  GString *text = g_string_new (NULL);
  for (size_t i = 0; i < n; i++)
    g_string_append (text, piece);
  return g_string_free (text, FALSE);
}

static void
assert_fits (const char *text, size_t n_in_line, size_t wanted)
{
  const HsTextPlace place = {n_in_line, 0};
  g_assert_cmpuint (hs_text_count_fitting (text, strlen (text), place), ==, wanted);
}

static void
test_counts (void)
{
  g_autofree char *line = repeat ("x", LINE), *over = repeat ("x", LINE + 1);
  g_autofree char *two = g_strconcat (line, "\n", over, "\nend", NULL);
  g_autofree char *han = repeat ("\xe5\xad\x97", LINE); /* three bytes each */
  g_autofree char *lines = repeat ("a line\n", HS_MAX_TEXT_BYTES / 7 + 1);

  assert_fits ("", 0, 0);
  assert_fits ("", 2 * LINE, 0);
  assert_fits (line, 0, LINE);
  assert_fits (over, 0, LINE);
  assert_fits (line, 10, LINE - 10);
  assert_fits ("x", LINE, 0);
  assert_fits ("\nx", LINE, 2); /* a new line begins */
  assert_fits (two, 0, 2 * LINE + 1);
  assert_fits (han, 0, LINE - LINE % 3);
  assert_fits (lines, 0, HS_MAX_TEXT_BYTES);
}

/* As many marks as a letter can have, and what follows them; not one more. */
static void
test_marks (void)
{
  g_autofree char *most = repeat (ACUTE, HS_MAX_MARKS);
  g_autofree char *letter = g_strconcat ("a", most, "b", most, "c", NULL);
  g_autofree char *over = g_strconcat ("a", most, ACUTE, "b", NULL);
  const HsTextPlace among = {0, HS_MAX_MARKS - 2}, full = {0, HS_MAX_MARKS};

  assert_fits (letter, 0, strlen (letter));
  assert_fits (most, 0, strlen (most));
  assert_fits (over, 0, strlen (over) - strlen (ACUTE "b"));
  g_assert_cmpuint (hs_text_count_fitting (most, strlen (most), among), ==, 2 * strlen (ACUTE));
  g_assert_cmpuint (hs_text_count_fitting (ACUTE, strlen (ACUTE), full), ==, 0);
  g_assert_cmpuint (hs_text_count_fitting ("x" ACUTE, 3, full), ==, 3); /* another letter */

  g_autoptr (HsSide) side = hs_side_new ();
  hs_side_set_text (side, letter);
  g_assert_false (hs_side_get_is_cut (side));
  hs_side_set_text (side, over);
  g_assert_true (hs_side_get_is_cut (side));
  g_assert_cmpuint (strlen (hs_side_peek_text (side)), ==, strlen (over) - strlen (ACUTE "b"));
}

static void
test_side (void)
{
  g_autoptr (HsSide) side = hs_side_new ();
  g_autofree char *over = repeat ("x", LINE + 1);

  hs_side_set_text (side, over);
  g_assert_cmpuint (strlen (hs_side_peek_text (side)), ==, LINE);
  g_assert_true (hs_side_get_is_cut (side));
  hs_side_set_text (side, "short");
  g_assert_false (hs_side_get_is_cut (side));
  hs_side_set_pair (side, over);
  g_assert_cmpuint (strlen (hs_side_peek_pair (side)), ==, LINE);
  g_assert_true (hs_side_get_is_cut (side));
  hs_side_set_text (side, "another");
  g_assert_true (hs_side_get_is_cut (side)); /* the second text still is */
  hs_side_set_pair (side, NULL);
  g_assert_false (hs_side_get_is_cut (side));
  hs_side_set_text (side, over);
  hs_side_set_pair (side, "short");
  g_assert_true (hs_side_get_is_cut (side));
  hs_side_set_text (side, "short");
  g_assert_false (hs_side_get_is_cut (side));
}

static void
test_words (void)
{
  g_autofree char *most = repeat ("x", HS_LONG_WORD);
  g_autofree char *two = g_strconcat (most + 1, " ", most, NULL);
  g_autofree char *over = g_strconcat ("a word ", most, "x", NULL);
  g_autofree char *lines = g_strconcat (most, "\n", most, NULL);
  g_autofree char *joined = g_strconcat (most, "\xc2\xa0", most, NULL); /* no-break space */
  g_autofree char *han = repeat ("\xe5\xad\x97", 2 * HS_LONG_WORD);
  g_autofree char *glued = repeat ("\xe5\xad\x97\xe2\x81\xa0", HS_LONG_WORD); /* word joiners */

  g_assert_false (hs_text_has_long_word (""));
  g_assert_false (hs_text_has_long_word (two));
  g_assert_false (hs_text_has_long_word (lines));
  g_assert_false (hs_text_has_long_word (han));
  g_assert_true (hs_text_has_long_word (over));
  g_assert_true (hs_text_has_long_word (joined));
  g_assert_true (hs_text_has_long_word (glued));
}

/* Returns: how many characters there are between two places where Pango breaks lines, at most. */
static size_t
measure_word (const char *text)
{
  const size_t n_attrs = (size_t)g_utf8_strlen (text, -1) + 1;
  g_autofree PangoLogAttr *attrs = g_new (PangoLogAttr, n_attrs);
  size_t most = 0;

  pango_get_log_attrs (text, (int)strlen (text), -1, pango_language_from_string ("en"), attrs,
                       (int)n_attrs);
  for (size_t i = 0, n = 0; i < n_attrs; i++, n++) {
    most = MAX (most, n);
    if (attrs[i].is_line_break)
      n = 0;
  }
  return most;
}

/* Returns: one to four of the characters whose rules for breaking lines differ, many times over, in
 * turn or in any order. */
static char *
make_text (GRand *rand)
{
  static const char from[] =
      "x 1-()\",!/$%\t\xc2\xa0\xcc\x81\xe2\x80\x8b\xe2\x80\x8d\xe2\x81\xa0\xe2\x80\x94\xe2\x80\xae"
      "\xe5\xad\x97\xe3\x80\x8c\xe3\x80\x8d\xe3\x80\x82\xe3\x81\x81\xed\x95\x9c\xe1\x84\x80"
      "\xd7\xa9\xd9\x85\xe0\xb8\x81\xe0\xa4\xb9\xf0\x9f\x98\x80\xf0\x9f\x91\x8b\xf0\x9f\x8f\xbd"
      "\xf0\x9f\x87\xb9";
  const int n_from = (int)g_utf8_strlen (from, -1), n_kinds = g_rand_int_range (rand, 1, 5);
  const gboolean in_turn = g_rand_boolean (rand);
  GString *text = g_string_new (NULL);
  gunichar kinds[4];

  for (int k = 0; k < n_kinds; k++)
    kinds[k] =
        g_utf8_get_char (g_utf8_offset_to_pointer (from, g_rand_int_range (rand, 0, n_from)));
  for (int i = 0; i < 3 * HS_LONG_WORD / 2; i++)
    g_string_append_unichar (text,
                             kinds[in_turn ? i % n_kinds : g_rand_int_range (rand, 0, n_kinds)]);
  return g_string_free (text, FALSE);
}

/* Whatever characters come after one another, no word that Pango sees is overlooked. */
static void
test_words_of_pango (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  size_t n_long = 0;

  for (int i = 0; i < 4000; i++) {
    g_autofree char *text = make_text (rand);

    if (measure_word (text) <= HS_LONG_WORD)
      continue;
    n_long++;
    if (!hs_text_has_long_word (text)) {
      g_autofree char *shown = g_strescape (text, NULL);

      g_error ("A long word is overlooked in %.60s", shown);
    }
  }
  g_test_message ("%zu texts had a long word", n_long);
  g_assert_cmpuint (n_long, >, 400);
}

/* A list may have long lines, but neither too many, nor too much in all, nor towers of marks. */
static void
test_list (void)
{
  g_autofree char *letters = g_strnfill (HS_MAX_LIST_BYTES + 9, 'x');
  g_autofree char *lines = g_strnfill (HS_MAX_LIST_LINES + 9, '\n');
  g_autoptr (GString) tower = g_string_new ("a");

  g_assert_cmpuint (hs_text_count_in_list ("a\nb", 3, 0, 1), ==, 3);
  g_assert_cmpuint (hs_text_count_in_list (letters, strlen (letters), 0, 1), ==, HS_MAX_LIST_BYTES);
  g_assert_cmpuint (hs_text_count_in_list (letters, 100, HS_MAX_LIST_BYTES - 40, 1), ==, 40);
  g_assert_cmpuint (hs_text_count_in_list ("é", 2, HS_MAX_LIST_BYTES - 1, 1), ==, 0);
  g_assert_cmpuint (hs_text_count_in_list (lines, strlen (lines), 0, 1), ==, HS_MAX_LIST_LINES - 1);
  g_assert_cmpuint (hs_text_count_in_list ("a\nb", 3, 0, HS_MAX_LIST_LINES), ==, 1);
  for (int i = 0; i < 5000; i++)
    g_string_append (tower, "\u0301");
  g_assert_cmpuint (hs_text_count_in_list (tower->str, tower->len, 0, 1), ==, 1 + 2 * HS_MAX_MARKS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text-limit/counts", test_counts);
  g_test_add_func ("/text-limit/list", test_list);
  g_test_add_func ("/text-limit/marks", test_marks);
  g_test_add_func ("/text-limit/side", test_side);
  g_test_add_func ("/text-limit/words", test_words);
  g_test_add_func ("/text-limit/words-of-pango", test_words_of_pango);
  return g_test_run ();
}
