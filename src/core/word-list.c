/* SPDX-License-Identifier: MIT */
/* A set of words, found by their longest match. */
#include "attn/word-list.h"

#include "file.h"

#include <string.h>

#define MAX_FILE_BYTES (64u << 20)

struct _AttnWordList {
  gatomicrefcount ref_count;
  char *path;
  GHashTable *words; /* set of char * */
  size_t max_bytes;  /* of the longest word */
};

static AttnWordList *
word_list_new (const char *path)
{
  AttnWordList *list = g_new0 (AttnWordList, 1);
  list->path = g_strdup (path);
  g_atomic_ref_count_init (&list->ref_count);
  list->words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return list;
}

AttnWordList *
attn_word_list_ref (AttnWordList *list)
{
  g_atomic_ref_count_inc (&list->ref_count);
  return list;
}

void
attn_word_list_unref (AttnWordList *list)
{
  if (list == NULL || !g_atomic_ref_count_dec (&list->ref_count))
    return;
  g_hash_table_unref (list->words);
  g_free (list->path);
  g_free (list);
}

const char *
attn_word_list_peek_path (const AttnWordList *list)
{
  return list->path;
}

static void
add_line (AttnWordList *list, char *line)
{
  while (*line != '\0' && g_unichar_isspace (g_utf8_get_char (line)))
    line = g_utf8_next_char (line);
  char *end = line;
  while (*end != '\0' && !g_unichar_isspace (g_utf8_get_char (end)))
    end = g_utf8_next_char (end);
  size_t n_bytes = (size_t)(end - line);
  if (n_bytes == 0)
    return;
  g_hash_table_add (list->words, g_strndup (line, n_bytes));
  list->max_bytes = MAX (list->max_bytes, n_bytes);
}

AttnWordList *
attn_word_list_load (const char *path, GError **error)
{
  size_t n_bytes = 0;
  g_autofree char *content = attn_file_load (path, MAX_FILE_BYTES, &n_bytes, error);
  if (content == NULL)
    return NULL;
  const char *text = content;
  if (!g_utf8_validate (text, (gssize)n_bytes, NULL)) {
    attn_file_refuse (path, ATTN_ERROR_FORMAT, error, "a word list is UTF-8 text, this is not");
    return NULL;
  }
  if (g_str_has_prefix (text, "\xef\xbb\xbf"))
    text += 3;
  g_autoptr (AttnWordList) list = word_list_new (path);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (size_t i = 0; lines[i] != NULL; i++)
    add_line (list, lines[i]);
  if (g_hash_table_size (list->words) == 0) {
    attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                      "a word list has a word on each line, "
                      "this has none");
    return NULL;
  }
  return g_steal_pointer (&list);
}

size_t
attn_word_list_match (const AttnWordList *list, const char *text, size_t length)
{
  g_autofree char *prefix = g_strndup (text, MIN (length, list->max_bytes));
  size_t n_bytes = strlen (prefix);
  while (n_bytes > 0) {
    prefix[n_bytes] = '\0';
    if (g_hash_table_contains (list->words, prefix))
      return n_bytes;
    n_bytes--;
  }
  return 0;
}
