/* SPDX-License-Identifier: MIT */
/* The list of a model in several weight files, read without a tree: it may be long. */
#include "shard-index.h"

#include "file.h"
#include "json-scan.h"

#include "attn/error.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_INDEX_BYTES = 64 << 20,
  MAX_SHARDS = 1000, /* each keeps a file open */
};

typedef struct {
  AttnJsonScan scan;
  const char *path;
  GArray *entries; /* of AttnShardEntry, owned; NULL until weight_map is found */
} Reader;

static void
reader_clear (Reader *reader)
{
  g_free (reader->scan.text);
  g_clear_pointer (&reader->entries, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

void
attn_shard_index_clear (AttnShardIndex *index)
{
  g_clear_pointer (&index->text, g_free);
  g_clear_pointer (&index->entries, g_free);
  index->n_entries = 0;
}

static bool
refuse_syntax (const Reader *reader, const char *part, const char *wanted, GError **error)
{
  return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                           "%sfound %s at byte %zu, wanted %s", part, reader->scan.fault,
                           reader->scan.at, wanted);
}

/* A shard stands in the folder itself: no way out of it, and no hidden name. */
static bool
check_shard_name (const Reader *reader, const char *name, size_t n, GError **error)
{
  if (n > 0 && name[0] != '.' && strlen (name) == n && strpbrk (name, "/\\") == NULL)
    return true;
  g_autofree char *shown = attn_file_dup_shown (name, n);
  return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                           "weight_map: found the file name \"%s\", wanted a plain name of a file "
                           "in the same folder",
                           shown);
}

static bool
read_entry (Reader *reader, GError **error)
{
  AttnShardEntry entry = {0};
  size_t n_tensor = 0, n_shard = 0;
  if (!attn_json_scan_string (&reader->scan, &entry.tensor, &n_tensor) ||
      !attn_json_scan_take (&reader->scan, ':', "no colon") ||
      !attn_json_scan_string (&reader->scan, &entry.shard, &n_shard))
    return refuse_syntax (reader, "weight_map: ", "an object of file names by tensor", error);
  if (strlen (entry.tensor) != n_tensor)
    return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                             "weight_map: found U+0000 in a tensor's name, wanted none");
  if (!check_shard_name (reader, entry.shard, n_shard, error))
    return false;
  g_array_append_val (reader->entries, entry);
  return true;
}

static bool
read_weight_map (Reader *reader, GError **error)
{
  AttnJsonScan *scan = &reader->scan;
  bool first = true, done = false;
  if (reader->entries != NULL)
    return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                             "weight_map: found twice, wanted once");
  reader->entries = g_array_new (FALSE, FALSE, sizeof (AttnShardEntry));
  if (attn_json_scan_take (scan, '{', "no object"))
    while (attn_json_scan_next_item (scan, '}', &first, &done) && !done)
      if (!read_entry (reader, error))
        return false;
  return done || refuse_syntax (reader, "weight_map: ", "an object of file names by tensor", error);
}

static bool
read_fields (Reader *reader, GError **error)
{
  AttnJsonScan *scan = &reader->scan;
  bool first = true, done = false;
  const char *wanted = "a JSON object with a weight_map";
  if (!attn_json_scan_take (scan, '{', "no object"))
    return refuse_syntax (reader, "", wanted, error);
  while (attn_json_scan_next_item (scan, '}', &first, &done) && !done) {
    const char *key = NULL;
    size_t n = 0;
    if (!attn_json_scan_string (scan, &key, &n) || !attn_json_scan_take (scan, ':', "no colon"))
      break;
    if (n == strlen ("weight_map") && strcmp (key, "weight_map") == 0) {
      if (!read_weight_map (reader, error))
        return false;
    } else if (!attn_json_scan_skip (scan)) {
      break;
    }
  }
  return (done && attn_json_scan_end (scan)) || refuse_syntax (reader, "", wanted, error);
}

static int
compare_entries (const void *a, const void *b)
{
  const AttnShardEntry *left = a, *right = b;
  int by_shard = strcmp (left->shard, right->shard);
  return by_shard != 0 ? by_shard : strcmp (left->tensor, right->tensor);
}

static int
compare_tensors (const void *a, const void *b)
{
  return strcmp (((const AttnShardEntry *)a)->tensor, ((const AttnShardEntry *)b)->tensor);
}

/* Sorts the entries; a tensor may be listed once, and shards are few. */
static bool
check_entries (Reader *reader, GError **error)
{
  GArray *entries = reader->entries;
  if (entries == NULL || entries->len == 0)
    return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                             "weight_map: found no tensor, wanted all of the model's");
  AttnShardEntry *list = (AttnShardEntry *)(void *)entries->data;
  qsort (list, entries->len, sizeof *list, compare_tensors);
  for (guint i = 1; i < entries->len; i++) {
    if (compare_tensors (&list[i - 1], &list[i]) != 0)
      continue;
    g_autofree char *shown = attn_file_dup_shown (list[i].tensor, strlen (list[i].tensor));
    return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                             "weight_map: found tensor %s twice, wanted it once", shown);
  }
  qsort (list, entries->len, sizeof *list, compare_entries);
  size_t n_shards = 1;
  for (guint i = 1; i < entries->len; i++)
    n_shards += strcmp (list[i - 1].shard, list[i].shard) != 0;
  if (n_shards > MAX_SHARDS)
    return attn_file_refuse (reader->path, ATTN_ERROR_TOO_LARGE, error,
                             "weight_map: found %zu files, wanted at most %d", n_shards,
                             MAX_SHARDS);
  return true;
}

bool
attn_shard_index_read (const char *path, AttnShardIndex *index, GError **error)
{
  g_auto (Reader) reader = {.path = path};
  reader.scan.text = attn_file_load (path, MAX_INDEX_BYTES, &reader.scan.n, error);
  if (reader.scan.text == NULL)
    return false;
  const char *end = NULL;
  if (!g_utf8_validate_len (reader.scan.text, reader.scan.n, &end))
    return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                             "found 0x%02X at byte %zu, wanted UTF-8 text",
                             (unsigned)(unsigned char)*end, (size_t)(end - reader.scan.text));
  if (!read_fields (&reader, error) || !check_entries (&reader, error))
    return false;
  index->n_entries = reader.entries->len;
  index->entries =
      (AttnShardEntry *)(void *)g_array_free (g_steal_pointer (&reader.entries), FALSE);
  index->text = g_steal_pointer (&reader.scan.text);
  return true;
}
