/* SPDX-License-Identifier: MIT */
/* Merges by the ids of their pieces, and the file that has them as lines. */
#include "bpe-merges.h"

#include "file.h"
#include "piece-kinds.h"

#include "attn/error.h"

#include <string.h>

enum { MAX_FILE_BYTES = 64 << 20 };

static bool
find_piece (
    const AttnMergeList *list, const char *piece, size_t n_bytes, int32_t *id, GError **error)
{
  *id = attn_vocab_find_plain (list->vocab, piece, n_bytes);
  if (*id >= 0)
    return true;
  g_autofree char *shown = attn_file_dup_shown (piece, n_bytes);
  return attn_file_refuse (list->path, ATTN_ERROR_FORMAT, error,
                           "merges: number %u makes or needs \"%s\", which is not in the "
                           "vocabulary",
                           list->merges->len + 1, shown);
}

bool
attn_merge_list_take (const char *left, const char *right, void *data, GError **error)
{
  AttnMergeList *list = data;
  AttnMerge merge;
  size_t n_left = strlen (left), n_right = strlen (right);
  size_t n_prefix = g_str_has_prefix (right, list->prefix) ? strlen (list->prefix) : 0;
  g_autofree char *merged = g_strconcat (left, right + n_prefix, NULL);
  if (!find_piece (list, left, n_left, &merge.left, error) ||
      !find_piece (list, right, n_right, &merge.right, error) ||
      !find_piece (list, merged, n_left + n_right - n_prefix, &merge.merged, error))
    return false;
  g_array_append_val (list->merges, merge);
  return true;
}

static bool
take_line (AttnMergeList *list, char *line, size_t number, GError **error)
{
  size_t n = strlen (line);
  if (n > 0 && line[n - 1] == '\r')
    line[n - 1] = '\0';
  if (line[0] == '\0' || g_str_has_prefix (line, "#version"))
    return true;
  char *blank = strchr (line, ' ');
  if (blank == NULL || strchr (blank + 1, ' ') != NULL) {
    g_autofree char *shown = attn_file_dup_shown (line, strlen (line));
    return attn_file_refuse (list->path, ATTN_ERROR_FORMAT, error,
                             "merges: line %zu is \"%s\", wanted two pieces apart by one blank",
                             number, shown);
  }
  *blank = '\0';
  return attn_merge_list_take (line, blank + 1, list, error);
}

bool
attn_merge_list_load (AttnMergeList *list, const char *path, GError **error)
{
  size_t n_bytes = 0, number = 1;
  g_autofree char *bytes = attn_file_load (path, MAX_FILE_BYTES, &n_bytes, error);
  if (bytes == NULL)
    return false;
  for (char *line = bytes, *end; line < bytes + n_bytes; line = end + 1, number++) {
    end = memchr (line, '\n', (size_t)(bytes + n_bytes - line));
    if (end == NULL)
      end = bytes + n_bytes; /* where a NUL stands */
    *end = '\0';
    if (!take_line (list, line, number, error))
      return false;
  }
  return true;
}
