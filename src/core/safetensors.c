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
  FIRST_CAPACITY = 256,
  MAX_TENSORS = 1000000,
};

/* the reference reader's limit */
#define MAX_HEADER_BYTES ((guint64)100000000)

typedef struct {
  AttnJsonScan scan;
  const char *path;
  guint64 data_begin; /* of the file: behind the header */
  guint64 data_bytes;
  AttnSafetensor *tensors; /* [n_tensors of capacity], owned */
  size_t n_tensors;
  size_t capacity;
  bool has_metadata;
} Reader;

static void
reader_clear (Reader *reader)
{
  g_free (reader->scan.text);
  g_free (reader->tensors);
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

/* The table grows with what was found, never by a number the file declares. */
static bool
reserve_tensor (Reader *reader, GError **error)
{
  if (reader->n_tensors == MAX_TENSORS)
    return attn_file_refuse (reader->path, ATTN_ERROR_TOO_LARGE, error,
                             "header: found more than %d tensors, wanted at most that many",
                             MAX_TENSORS);
  if (reader->n_tensors < reader->capacity)
    return true;
  size_t capacity = MAX (FIRST_CAPACITY, 2 * reader->capacity);
  AttnSafetensor *grown = g_try_renew (AttnSafetensor, reader->tensors, capacity);
  if (grown == NULL)
    return attn_file_refuse (reader->path, ATTN_ERROR_TOO_LARGE, error,
                             "header: no memory for a table of %zu tensors", capacity);
  reader->tensors = grown;
  reader->capacity = capacity;
  return true;
}

static bool
read_tensor (Reader *reader, const char *name, size_t name_bytes, GError **error)
{
  if (!reserve_tensor (reader, error))
    return false;
  AttnSafetensor *next = &reader->tensors[reader->n_tensors];
  if (!attn_safetensors_read_entry (&reader->scan, reader->path, name, name_bytes, next, error))
    return false;
  reader->n_tensors++;
  return true;
}

static bool
read_metadata (Reader *reader, GError **error)
{
  AttnJsonScan *scan = &reader->scan;
  const char *text = NULL;
  size_t n = 0;
  bool first = true;
  bool done = false;
  if (reader->has_metadata)
    return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                             "header: found __metadata__ twice, wanted it once");
  reader->has_metadata = true;
  if (attn_json_scan_take (scan, '{', "no object")) {
    while (attn_json_scan_next_item (scan, '}', &first, &done) && !done)
      if (!attn_json_scan_string (scan, &text, &n) ||
          !attn_json_scan_take (scan, ':', "no colon") || !attn_json_scan_string (scan, &text, &n))
        break;
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
  if (!done)
    return refuse_syntax (reader, "", wanted, error);
  attn_json_scan_peek (scan);
  if (scan->at == scan->n)
    return true;
  scan->fault = "text behind the object";
  return refuse_syntax (reader, "", wanted, error);
}

static int
compare_places (const void *a, const void *b)
{
  const AttnSafetensor *left = *(const AttnSafetensor *const *)a;
  const AttnSafetensor *right = *(const AttnSafetensor *const *)b;
  if (left->offset != right->offset)
    return left->offset < right->offset ? -1 : 1;
  return (left->info.n_bytes > right->info.n_bytes) - (left->info.n_bytes < right->info.n_bytes);
}

int
attn_safetensors_compare_names (const void *a, const void *b)
{
  const AttnSafetensor *left = *(const AttnSafetensor *const *)a;
  const AttnSafetensor *right = *(const AttnSafetensor *const *)b;
  return strcmp (left->info.name, right->info.name);
}

/* Sorted neighbours, not a hash table: names chosen to collide would make that one quadratic. */
static bool
check_names (const Reader *reader, AttnSafetensor **order, GError **error)
{
  qsort (order, reader->n_tensors, sizeof order[0], attn_safetensors_compare_names);
  for (size_t i = 1; i < reader->n_tensors; i++) {
    const char *name = order[i]->info.name;
    if (strcmp (order[i - 1]->info.name, name) != 0)
      continue;
    g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
    return attn_file_refuse (reader->path, ATTN_ERROR_FORMAT, error,
                             "header: found tensor %s twice, wanted it once", shown);
  }
  return true;
}

/* The tensors must follow each other without hole or overlap; @end is where the last one ends. */
static bool
check_places (const Reader *reader, AttnSafetensor **order, guint64 *end, GError **error)
{
  qsort (order, reader->n_tensors, sizeof order[0], compare_places);
  *end = 0;
  for (size_t i = 0; i < reader->n_tensors; i++) {
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
  size_t n = reader->n_tensors;
  guint64 end = 0;
  g_autofree AttnSafetensor **order = g_try_new (AttnSafetensor *, MAX (n, 1));
  if (order == NULL)
    return attn_file_refuse (reader->path, ATTN_ERROR_TOO_LARGE, error,
                             "header: no memory for a table of %zu tensors", n);
  for (size_t i = 0; i < n; i++)
    order[i] = &reader->tensors[i];
  if (!check_names (reader, order, error) || !check_places (reader, order, &end, error) ||
      !check_size (reader, end, error))
    return false;
  for (size_t i = 0; i < n; i++)
    reader->tensors[i].offset += reader->data_begin;
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

/* What people really have when the length is absurd; NULL when that cannot be told. */
static const char *
name_other_content (const char *begin, size_t n)
{
  g_autofree char *text = g_ascii_strdown (begin, (gssize)n);
  const char *first = text + strspn (text, " \t\r\n");
  if (g_str_has_prefix (text, "version https://git-lfs"))
    return "a Git LFS pointer, wanted the weights themselves; \"git lfs pull\" fetches them";
  if (g_str_has_prefix (first, "<!doctype") || g_str_has_prefix (first, "<html") ||
      g_str_has_prefix (first, "<?xml"))
    return "a web page, probably of a download that failed, wanted a safetensors file";
  if (g_str_has_prefix (text, "gguf"))
    return "a GGUF file, wanted a safetensors file";
  if (g_str_has_prefix (text, "pk\3\4") || g_str_has_prefix (text, "\x80\2"))
    return "a PyTorch file, wanted a safetensors file";
  if (*first == '{')
    return "JSON text, probably an error message saved as a file, wanted a safetensors file";
  return NULL;
}

static bool
refuse_length (int fd, guint64 n_bytes, guint64 length, const char *path, GError **error)
{
  char begin[SNIFF_BYTES];
  size_t n = (size_t)MIN (n_bytes, SNIFF_BYTES);
  if (!attn_file_read_at (fd, 0, begin, n, path, error))
    return false;
  const char *content = name_other_content (begin, n);
  if (content != NULL)
    return attn_file_refuse (path, ATTN_ERROR_FORMAT, error, "found %s", content);
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

void
attn_safetensors_clear (AttnSafetensors *header)
{
  g_clear_pointer (&header->text, g_free);
  g_clear_pointer (&header->tensors, g_free);
  header->n_tensors = 0;
}

bool
attn_safetensors_read (
    int fd, guint64 n_bytes, const char *path, AttnSafetensors *header, GError **error)
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
  header->text = g_steal_pointer (&reader.scan.text);
  header->tensors = g_steal_pointer (&reader.tensors);
  header->n_tensors = reader.n_tensors;
  return true;
}
