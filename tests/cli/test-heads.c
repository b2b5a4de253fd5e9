/* SPDX-License-Identifier: MIT */
/* headscope-cli heads: a row for each head, in both forms, of models and of arrays. */
#include "cli-run.h"

#include <string.h>

#define TEXT "The cat sat on the mat."

/* CSV has the same numbers as JSON, digit for digit. */
static void
test_forms (void)
{
  json_t *answer = ASK ("heads --text @", TEXT);
  json_t *heads = json_object_get (answer, "heads");
  g_assert_cmpuint (json_array_size (heads), ==, 32); /* the shipped model's 4 × 8 */
  g_auto (Run) run = RUN ("heads --text @ --format csv", TEXT);
  g_assert_cmpint (run.status, ==, 0);
  g_auto (GStrv) lines = g_strsplit (run.out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 34);
  g_auto (GStrv) names = g_strsplit (lines[0], ",", -1);
  for (size_t i = 0; i < 32; i++) {
    g_auto (GStrv) words = g_strsplit (lines[i + 1], ",", -1);
    json_t *row = json_array_get (heads, i);
    g_assert_cmpuint (json_object_size (row), ==, g_strv_length (names) + 1);
    g_assert_cmpuint (json_array_size (json_object_get (row, "top3_columns")), ==, 3);
    for (size_t k = 0; names[k] != NULL; k++) {
      json_t *value = json_object_get (row, names[k]);
      if (json_is_number (value))
        g_assert_cmpfloat (json_number_value (value), ==, g_ascii_strtod (words[k], NULL));
      else if (json_is_string (value))
        g_assert_cmpstr (json_string_value (value), ==, words[k]);
      else /* there is no other sentence, and not every pattern is a diagonal */
        g_assert_cmpstr (words[k], ==, g_str_equal (names[k], "diagonal") ? "" : "nan");
    }
  }
  json_decref (answer);
}

/* A masked token is looked at as the mask, and others stay. */
static void
test_masked (void)
{
  json_t *plain = ASK ("heads --text @", TEXT);
  json_t *masked = ASK ("heads --text @ --mask-positions 2,3", TEXT);
  json_t *typed = ASK ("heads --text @", "The [MASK] [MASK] on the mat.");
  g_assert_false (json_equal (plain, masked));
  g_assert_true (json_equal (typed, masked));
  json_decref (plain);
  json_decref (masked);
  json_decref (typed);
}

static void
test_refused (void)
{
  g_auto (Run) beyond = RUN ("heads --text @ --mask-positions 99", TEXT);
  g_assert_cmpint (beyond.status, ==, 1);
  g_assert_nonnull (strstr (beyond.err, "token 99 cannot be masked: the text has tokens 0 to"));
  g_auto (Run) odd = RUN ("heads --text @ --mask-positions two", TEXT);
  g_assert_cmpint (odd.status, ==, 2);
  g_auto (Run) format = RUN ("heads --text @ --format npy", TEXT);
  g_assert_cmpint (format.status, ==, 2);
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/heads/forms", test_forms);
  g_test_add_func ("/heads/masked", test_masked);
  g_test_add_func ("/heads/refused", test_refused);
  return cli_test_run ();
}
