/* SPDX-License-Identifier: MIT */
/* Tokens from files, typed and numbered: what is read, and what is refused in words. */
#include "model-folder.h"

#include "attn/labels.h"

#include <string.h>

static AttnLabels *
load (const char *name, const char *content, gssize n_bytes, GError **error)
{
  char *folder = test_folder_new ();
  size_t n = n_bytes < 0 ? strlen (content) : (size_t)n_bytes;
  g_autofree char *path = test_folder_write (folder, name, content, n);
  AttnLabels *labels = attn_labels_load (path, error);
  test_folder_remove (folder);
  return labels;
}

static void
check_side (const AttnLabels *labels, AttnSide side, const char *const *wanted)
{
  size_t n = 0;
  for (; wanted[n] != NULL; n++)
    g_assert_cmpstr (attn_labels_peek (labels, side, n), ==, wanted[n]);
  g_assert_cmpuint (attn_labels_get_n (labels, side), ==, n);
}

static void
check_both (const char *name, const char *content, gssize n_bytes, const char *const *wanted)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnLabels) labels = load (name, content, n_bytes, &error);
  g_assert_no_error (error);
  g_assert_true (attn_labels_is_one_list (labels));
  g_assert_false (attn_labels_is_numbers (labels));
  check_side (labels, ATTN_SIDE_QUERY, wanted);
  check_side (labels, ATTN_SIDE_KEY, wanted);
}

static void
test_json (void)
{
  const char *const words[] = {"我", "", "a\nb", "🙂", "␀x", NULL};
  const char *const one[] = {"a", NULL};
  const char *const two[] = {"b", "c", NULL};
  check_both ("t.json", "[\"我\", \"\", \"a\\nb\", \"🙂\", \"\\u0000x\"]", -1, words);
  check_both ("t.json", "\xef\xbb\xbf {\"tokens\": [\"a\"]}", -1, one);
  check_both ("t.txt", "[\"a\"]", -1, one); /* JSON shows itself */
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnLabels) labels =
      load ("t.json", "{\"queries\": [\"a\"], \"keys\": [\"b\", \"c\"]}", -1, &error);
  g_assert_no_error (error);
  g_assert_false (attn_labels_is_one_list (labels));
  check_side (labels, ATTN_SIDE_QUERY, one);
  check_side (labels, ATTN_SIDE_KEY, two);
  g_assert_true (g_str_has_suffix (attn_labels_peek_path (labels), "t.json"));
}

static void
test_lines (void)
{
  const char *const words[] = {"[CLS]", "a b", "", "שלום", NULL};
  const char *const nul[] = {"a␀b", NULL};
  check_both ("t.txt", "[CLS]\na b\n\nשלום\n", -1, words);
  check_both ("t", "\xef\xbb\xbf[CLS]\r\na b\r\n\r\nשלום", -1, words);
  check_both ("t.txt", "a\0b\n", 4, nul);
}

static void
test_others (void)
{
  const char *const typed[] = {"a", "b", "愛", NULL};
  const char *const keys[] = {"x", NULL};
  const char *const numbers[] = {"0", "1", NULL};
  g_autoptr (AttnLabels) one = attn_labels_new_typed (" a\tb \u3000愛\n", NULL, NULL);
  g_autoptr (AttnLabels) two = attn_labels_new_typed ("a b 愛", "x", NULL);
  g_autoptr (AttnLabels) counted = attn_labels_new_numbers (2, 2);
  g_assert_true (attn_labels_is_one_list (one));
  check_side (one, ATTN_SIDE_KEY, typed);
  check_side (two, ATTN_SIDE_QUERY, typed);
  check_side (two, ATTN_SIDE_KEY, keys);
  check_side (counted, ATTN_SIDE_KEY, numbers);
  g_assert_true (attn_labels_is_numbers (counted));
  g_assert_null (attn_labels_peek_path (one));
  g_autofree char *line = attn_labels_dup_line (one, ATTN_SIDE_QUERY, 6); /* cuts into 愛 */
  g_assert_cmpstr (line, ==, "a b ");
}

/* What was typed comes back the same, whatever the tokens are made of. */
static void
test_typed_again (void)
{
  static const char *const cases[][5] = {
      {"New York", "is", "big", NULL}, {"a", "", NULL},
      {"[CLS]", "cat", NULL},          {"[\"a\"]", NULL},
      {"[\"a\",", "b", NULL},          {"a\nb", "\"q\"", "\\", NULL},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GPtrArray) list = g_ptr_array_new ();
    for (size_t at = 0; cases[i][at] != NULL; at++)
      g_ptr_array_add (list, (char *)(guintptr)cases[i][at]);
    g_autoptr (AttnLabels) labels = attn_labels_new (list, NULL);
    g_autofree char *typed = attn_labels_dup_typed (labels, ATTN_SIDE_KEY);
    g_autoptr (AttnLabels) again = attn_labels_new_typed (typed, NULL, NULL);
    g_assert_nonnull (again);
    check_side (again, ATTN_SIDE_QUERY, cases[i]);
  }
  const char *const two[] = {"New York", "is", NULL};
  g_autoptr (AttnLabels) read = attn_labels_new_typed (" [\"New York\", \"is\"]\n", "a b", NULL);
  check_side (read, ATTN_SIDE_QUERY, two);
}

static void
test_refused (void)
{
  static const struct {
    const char *name, *content;
    gssize n;
    AttnError code;
    const char *has;
  } cases[] = {
      {"t.json", "", 0, ATTN_ERROR_FORMAT, "empty"},
      {"t.txt", "", 0, ATTN_ERROR_FORMAT, "one on each line"},
      {"t.json", "[]", -1, ATTN_ERROR_FORMAT, "at least one token"},
      {"t.json", "[1]", -1, ATTN_ERROR_FORMAT, "tokens[0]"},
      {"t.json", "[\"a\", null]", -1, ATTN_ERROR_FORMAT, "tokens[1]"},
      {"t.json", "[\"a\"", -1, ATTN_ERROR_FORMAT, "not valid JSON"},
      {"t.json", "{\"queries\": [\"a\"]}", -1, ATTN_ERROR_FORMAT, "keys"},
      {"t.json", "{\"keys\": [\"a\"]}", -1, ATTN_ERROR_FORMAT, "queries"},
      {"t.json", "{\"queries\": \"a\", \"keys\": [\"a\"]}", -1, ATTN_ERROR_FORMAT, "queries"},
      {"t.json", "{}", -1, ATTN_ERROR_FORMAT, "queries"},
      {"t.json", "hello", -1, ATTN_ERROR_FORMAT, "JSON"},
      {"t.txt", "a\nb\xff\n", -1, ATTN_ERROR_INVALID_TEXT, "line 2"},
      {"t.txt",
       "\xff\xfe"
       "a\0",
       4, ATTN_ERROR_INVALID_TEXT, "UTF-16"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (load (cases[i].name, cases[i].content, cases[i].n, &error));
    g_assert_error (error, ATTN_ERROR, (gint)cases[i].code);
    const char *const names[] = {cases[i].name, cases[i].has, NULL};
    test_sentence_check (error->message, names);
  }
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_labels_new_typed (" ", NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  g_clear_error (&error);
  g_assert_null (attn_labels_new_typed ("a", "\xff", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_INVALID_TEXT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/labels/json", test_json);
  g_test_add_func ("/labels/lines", test_lines);
  g_test_add_func ("/labels/others", test_others);
  g_test_add_func ("/labels/typed-again", test_typed_again);
  g_test_add_func ("/labels/refused", test_refused);
  return g_test_run ();
}
