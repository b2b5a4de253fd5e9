/* SPDX-License-Identifier: MIT */
/* Lists of words: what is read of a file, and the longest match. */
#include "model-folder.h"

#include "attn/error.h"
#include "attn/word-list.h"

#include <string.h>

static AttnWordList *
load (const char *content, gssize n_bytes, GError **error)
{
  char *folder = test_folder_new ();
  size_t n = n_bytes < 0 ? strlen (content) : (size_t)n_bytes;
  g_autofree char *path = test_folder_write (folder, "words.txt", content, n);
  AttnWordList *list = attn_word_list_load (path, error);
  if (list == NULL && error != NULL)
    g_assert_nonnull (strstr ((*error)->message, path));
  test_folder_remove (folder);
  return list;
}

static void
check_match (const AttnWordList *list, const char *text, const char *word)
{
  g_assert_cmpuint (attn_word_list_match (list, text, strlen (text)), ==, strlen (word));
}

static void
test_longest (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnWordList) list =
      load ("今天\n今天天氣 120 n\n  天氣\tn\r\n\n北京\r\n", -1, &error);
  g_assert_no_error (error);
  check_match (list, "今天天氣好", "今天天氣");
  check_match (list, "今天天", "今天");
  check_match (list, "天氣", "天氣");
  check_match (list, "北京", "北京");
  check_match (list, "天", "");
  check_match (list, "120", "");
  check_match (list, "", "");
}

/* What stands behind the length is not looked at. */
static void
test_length (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnWordList) list = load ("\xef\xbb\xbf今天\n今天天氣", -1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_word_list_match (list, "今天天氣", 9), ==, 6);
  g_assert_cmpuint (attn_word_list_match (list, "今天天氣", 12), ==, 12);
  g_assert_cmpuint (attn_word_list_match (list, "今天天氣", 5), ==, 0);
  AttnWordList *same = attn_word_list_ref (list);
  attn_word_list_unref (same);
  check_match (list, "今天", "今天");
  attn_word_list_unref (NULL);
}

static void
test_refused (void)
{
  static const struct {
    const char *content;
    gssize n_bytes;
    AttnError code;
    const char *says;
  } cases[] = {
      {"", 0, ATTN_ERROR_FORMAT, "this has none"},
      {" \n\t\n\r\n", -1, ATTN_ERROR_FORMAT, "this has none"},
      {"\xa4\xb5\xa4\xd1\n", -1, ATTN_ERROR_FORMAT, "UTF-8"},
      {"a\0b\n", 4, ATTN_ERROR_FORMAT, "UTF-8"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (load (cases[i].content, cases[i].n_bytes, &error));
    g_assert_error (error, ATTN_ERROR, (int)cases[i].code);
    g_assert_nonnull (strstr (error->message, cases[i].says));
  }
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_word_list_load ("/nonexistent/words.txt", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/word-list/longest", test_longest);
  g_test_add_func ("/word-list/length", test_length);
  g_test_add_func ("/word-list/refused", test_refused);
  return g_test_run ();
}
