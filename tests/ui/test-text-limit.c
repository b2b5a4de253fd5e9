/* SPDX-License-Identifier: MIT */
/* Where a text is cut: at whole characters, before the line that would be too long. */
#include "hs-side.h"
#include "hs-text-limit.h"

#include <glib.h>

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text-limit/counts", test_counts);
  g_test_add_func ("/text-limit/marks", test_marks);
  g_test_add_func ("/text-limit/side", test_side);
  return g_test_run ();
}
