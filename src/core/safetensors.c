/* SPDX-License-Identifier: MIT */
/* The header of one safetensors file, checked in full before anything relies on it. */
#include "safetensors.h"

#include "file.h"
#include "json-scan.h"
#include "safetensors-entry.h"

#include "attn/error.h"

#include <stdlib.h>
#include <string.h>

enum {
  LENGTH_BYTES = 8,
  SNIFF_BYTES = 512,
};

/* the reference reader's limit */
#define MAX_HEADER_BYTES ((guint64)100000000)

typedef struct {
  AttnJsonScan scan;
  const char *path;
  guint64 data_begin; /* of the file: behind the header */
  guint64 data_bytes;
  AttnTensorTable table; /* owned */
  bool has_metadata;
} Reader;

static void
reader_clear (Reader *reader)
{
  g_free (reader->scan.text);
  attn_tensor_table_clear (&reader->table);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

/* The scanner stopped outside any tensor's entry. */
static bool
refuse_syntax (const Reader *reader, const char *part, const char *wanted, GError **error)
{
  return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                           "header%s: found %s at byte %zu of the header, wanted %s", part,
                           reader->scan.fault, reader->scan.at, wanted);
}

static bool
read_tensor (Reader *reader, const char *name, size_t name_bytes, GError **error)
{
  AttnStoredTensor *next = attn_tensor_table_append (&reader->table, reader->path, error);
  return next != NULL &&
         attn_safetensors_read_entry (&reader->scan, reader->path, name, name_bytes, next, error);
}

/* Keeps the texts that another reader may ask for. */
static void
keep_metadata (AttnTensorTable *table, const char *name, const char *text)
{
  static const char *const wanted[] = {"queries", "keys", "tokens", "about"};
  const char *point = strrchr (name, '.');
  const char *last = point != NULL ? point + 1 : name;
  for (size_t i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (strcmp (last, wanted[i]) == 0) {
      if (table->texts == NULL)
        table->texts = g_hash_table_new (g_str_hash, g_str_equal);
      g_hash_table_insert (table->texts, (char *)(guintptr)name, (char *)(guintptr)text);
    }
}

static bool
read_metadata (Reader *reader, GError **error)
{
  AttnJsonScan *scan = &reader->scan;
  const char *name = NULL;
  const char *text = NULL;
  size_t n = 0;
  bool first = true;
  bool done = false;
  if (reader->has_metadata)
    return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                             "header: found __metadata__ twice, wanted it once");
  reader->has_metadata = true;
  if (attn_json_scan_take (scan, '{', "no object")) {
    while (attn_json_scan_next_item (scan, '}', &first, &done) && !done) {
      if (!attn_json_scan_string (scan, &name, &n) ||
          !attn_json_scan_take (scan, ':', "no colon") || !attn_json_scan_string (scan, &text, &n))
        break;
      keep_metadata (&reader->table, name, text);
    }
  }
  return done || refuse_syntax (reader, " field __metadata__", "an object of strings", error);
}

static bool
read_table (Reader *reader, GError **error)
{
  AttnJsonScan *scan = &reader->scan;
  const char *wanted = "a JSON object of tensors";
  bool first = true;
  bool done = false;
  if (!attn_json_scan_take (scan, '{', "no object"))
    return refuse_syntax (reader, "", wanted, error);
  while (attn_json_scan_next_item (scan, '}', &first, &done) && !done) {
    const char *name = NULL;
    size_t n = 0;
    if (!attn_json_scan_string (scan, &name, &n) || !attn_json_scan_take (scan, ':', "no colon"))
      break;
    bool is_metadata = n == strlen (name) && strcmp (name, "__metadata__") == 0;
    if (!(is_metadata ? read_metadata (reader, error) : read_tensor (reader, name, n, error)))
      return false;
  }
  return (done && attn_json_scan_end (scan)) || refuse_syntax (reader, "", wanted, error);
}

static int
compare_places (const void *a, const void *b)
{
  const AttnStoredTensor *left = *(const AttnStoredTensor *const *)a;
  const AttnStoredTensor *right = *(const AttnStoredTensor *const *)b;
  if (left->offset != right->offset)
    return left->offset < right->offset ? -1 : 1;
  return (left->info.n_bytes > right->info.n_bytes) - (left->info.n_bytes < right->info.n_bytes);
}

/* The tensors must follow each other without hole or overlap; @end is where the last one ends. */
static bool
check_places (const Reader *reader, AttnStoredTensor **order, guint64 *end, GError **error)
{
  qsort (order, reader->table.n_tensors, sizeof order[0], compare_places);
  *end = 0;
  for (size_t i = 0; i < reader->table.n_tensors; i++) {
    const char *name = order[i]->info.name;
    if (order[i]->offset != *end) {
      g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
      return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                               "tensor %s: header field data_offsets: found a begin at "
                               "%" G_GUINT64_FORMAT ", wanted %" G_GUINT64_FORMAT
                               ", where the tensor before it ends",
                               shown, order[i]->offset, *end);
    }
    *end += order[i]->info.n_bytes;
  }
  return true;
}

static bool
check_size (const Reader *reader, guint64 end, GError **error)
{
  guint64 n_bytes = reader->data_begin + reader->data_bytes;
  if (end > reader->data_bytes)
    return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                             "the file is cut short: found %" G_GUINT64_FORMAT
                             " bytes behind the header, wanted %" G_GUINT64_FORMAT,
                             reader->data_bytes, end);
  if (end < reader->data_bytes)
    return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                             "file size: found %" G_GUINT64_FORMAT
                             " bytes, wanted %" G_GUINT64_FORMAT
                             ", for nothing may follow the last tensor",
                             n_bytes, reader->data_begin + end);
  return true;
}

static bool
check_table (Reader *reader, GError **error)
{
  guint64 end = 0;
  g_autofree AttnStoredTensor **order =
      attn_tensor_table_sort (&reader->table, reader->path, error);
  if (order == NULL || !check_places (reader, order, &end, error) ||
      !check_size (reader, end, error))
    return false;
  for (size_t i = 0; i < reader->table.n_tensors; i++)
    reader->table.tensors[i].offset += reader->data_begin;
  return true;
}

static bool
check_encoding (const Reader *reader, GError **error)
{
  const char *end = NULL;
  if (g_utf8_validate_len (reader->scan.text, reader->scan.n, &end))
    return true;
  return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                           "header: found 0x%02X at byte %zu of the header, wanted UTF-8 text",
                           (unsigned)(unsigned char)*end, (size_t)(end - reader->scan.text));
}

static bool
refuse_length (int fd, guint64 n_bytes, guint64 length, const char *path, GError **error)
{
  char begin[SNIFF_BYTES];
  size_t n = (size_t)MIN (n_bytes, SNIFF_BYTES);
  if (!attn_file_read_at (fd, 0, begin, n, path, error))
    return false;
  const char *content = attn_file_name_content (begin, n);
  if (content != NULL)
    return attn_file_refuse (path, ATTN_ERROR_FORMAT, error, "found %s, wanted a safetensors file",
                             content);
  if (length > MAX_HEADER_BYTES)
    return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                             "header: found a length of %" G_GUINT64_FORMAT
                             " bytes, wanted at most %" G_GUINT64_FORMAT
                             "; this is no safetensors file",
                             length, MAX_HEADER_BYTES);
  return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                           "header: found a length of %" G_GUINT64_FORMAT
                           " bytes, wanted at most the %" G_GUINT64_FORMAT
                           " that follow; the file is cut short, or no safetensors file",
                           length, n_bytes - LENGTH_BYTES);
}

static bool
read_length (int fd, guint64 n_bytes, const char *path, size_t *length, GError **error)
{
  if (n_bytes < LENGTH_BYTES)
    return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                             "the file is too short: found %" G_GUINT64_FORMAT
                             " bytes, wanted at least %d for the header's length",
                             n_bytes, LENGTH_BYTES);
  guint64 raw = 0;
  if (!attn_file_read_at (fd, 0, &raw, sizeof raw, path, error))
    return false;
  guint64 value = GUINT64_FROM_LE (raw);
  if (value > MAX_HEADER_BYTES || value > n_bytes - LENGTH_BYTES)
    return refuse_length (fd, n_bytes, value, path, error);
  *length = (size_t)value;
  return true;
}

bool
attn_safetensors_read (
    int fd, guint64 n_bytes, const char *path, AttnTensorTable *table, GError **error)
{
  size_t length = 0;
  if (!read_length (fd, n_bytes, path, &length, error))
    return false;
  g_auto (Reader) reader = {.path = path};
  reader.scan.text = g_try_malloc (length + 1);
  reader.scan.n = length;
  reader.data_begin = LENGTH_BYTES + length;
  reader.data_bytes = n_bytes - reader.data_begin;
  if (reader.scan.text == NULL)
    return attn_file_refuse (path, ATTN_ERROR_TOO_LARGE, error,
                             "header: no memory for its %zu bytes", length);
  if (!attn_file_read_at (fd, LENGTH_BYTES, reader.scan.text, length, path, error) ||
      !check_encoding (&reader, error) || !read_table (&reader, error) ||
      !check_table (&reader, error))
    return false;
  *table = reader.table;
  reader.table = (AttnTensorTable){0};
  table->text = g_steal_pointer (&reader.scan.text);
  return true;
}
