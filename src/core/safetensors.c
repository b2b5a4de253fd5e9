/* SPDX-License-Identifier: MIT */
/* The header of one safetensors file, checked in full before anything relies on it. */
#include "safetensors.h"

#include "file.h"
#include "json-scan.h"

#include "attn/error.h"

#include <stdlib.h>
#include <string.h>

enum {
  LENGTH_BYTES = 8,
  SNIFF_BYTES = 512,
  MAX_TENSORS = 1000000,
};

/* the reference reader's limit */
#define MAX_HEADER_BYTES ((guint64)100000000)

static const struct {
  const char *name;
  size_t bits;
  AttnDtype dtype;
} dtypes[] = {
    {"F32", 32, ATTN_DTYPE_F32},          {"F16", 16, ATTN_DTYPE_F16},
    {"BF16", 16, ATTN_DTYPE_BF16},        {"F64", 64, ATTN_DTYPE_F64},
    {"BOOL", 8, ATTN_DTYPE_OTHER},        {"U8", 8, ATTN_DTYPE_OTHER},
    {"I8", 8, ATTN_DTYPE_OTHER},          {"F8_E5M2", 8, ATTN_DTYPE_OTHER},
    {"F8_E4M3", 8, ATTN_DTYPE_OTHER},     {"F8_E8M0", 8, ATTN_DTYPE_OTHER},
    {"F8_E4M3FNUZ", 8, ATTN_DTYPE_OTHER}, {"F8_E5M2FNUZ", 8, ATTN_DTYPE_OTHER},
    {"F4", 4, ATTN_DTYPE_OTHER},          {"F6_E2M3", 6, ATTN_DTYPE_OTHER},
    {"F6_E3M2", 6, ATTN_DTYPE_OTHER},     {"I16", 16, ATTN_DTYPE_OTHER},
    {"U16", 16, ATTN_DTYPE_OTHER},        {"I32", 32, ATTN_DTYPE_OTHER},
    {"U32", 32, ATTN_DTYPE_OTHER},        {"I64", 64, ATTN_DTYPE_OTHER},
    {"U64", 64, ATTN_DTYPE_OTHER},        {"C64", 64, ATTN_DTYPE_OTHER},
};

typedef struct {
  AttnJsonScan scan;
  const char *path;
  guint64 data_begin; /* of the file: behind the header */
  guint64 data_bytes;
  GArray *tensors; /* of AttnSafetensor */
  bool has_metadata;
} Reader;

/* One tensor's entry while it is being read. */
typedef struct {
  const char *name;
  size_t name_bytes;
  bool has_dtype, has_shape, has_offsets;
  size_t dtype; /* index into dtypes */
  size_t n_dims;
  size_t shape[ATTN_TENSOR_MAX_DIMS];
  guint64 begin, end; /* relative to the data */
} Entry;

static bool G_GNUC_PRINTF (4, 5)
    refuse (const char *path, AttnError code, GError **error, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *rest = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  g_set_error (error, ATTN_ERROR, code, "%s: %s", shown, rest);
  return false;
}

static bool G_GNUC_PRINTF (5, 6) refuse_entry (const Reader *reader,
                                               const Entry *entry,
                                               AttnError code,
                                               GError **error,
                                               const char *format,
                                               ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *rest = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *name = attn_file_dup_shown (entry->name, entry->name_bytes);
  return refuse (reader->path, code, error, "tensor %s: %s", name, rest);
}

/* The scanner stopped: outside any tensor's entry. */
static bool
refuse_syntax (const Reader *reader, GError **error)
{
  return refuse (reader->path, ATTN_ERROR_FORMAT, error,
                 "header is not the JSON wanted: found %s at byte %zu of %zu", reader->scan.fault,
                 reader->scan.at, reader->scan.n);
}

/* The scanner stopped inside the field @field of @entry. */
static bool
refuse_field (
    const Reader *reader, const Entry *entry, const char *field, const char *wanted, GError **error)
{
  return refuse_entry (reader, entry, ATTN_ERROR_FORMAT, error,
                       "header field %s: found %s at byte %zu of the header, wanted %s", field,
                       reader->scan.fault, reader->scan.at, wanted);
}

static bool
read_dtype (Reader *reader, Entry *entry, GError **error)
{
  const char *name = NULL;
  size_t n = 0;
  if (!attn_json_scan_string (&reader->scan, &name, &n))
    return refuse_field (reader, entry, "dtype", "a dtype's name", error);
  for (size_t i = 0; i < G_N_ELEMENTS (dtypes); i++) {
    if (strlen (dtypes[i].name) == n && memcmp (dtypes[i].name, name, n) == 0) {
      entry->dtype = i;
      return true;
    }
  }
  g_autofree char *shown = attn_file_dup_shown (name, n);
  return refuse_entry (reader, entry, ATTN_ERROR_UNSUPPORTED, error,
                       "dtype: found %s, wanted a safetensors dtype such as F32, F16 or BF16",
                       shown);
}

static bool
read_shape (Reader *reader, Entry *entry, GError **error)
{
  const char *wanted = "a list of whole numbers";
  AttnJsonScan *scan = &reader->scan;
  bool first = true, done = false;
  if (!attn_json_scan_take (scan, '[', "no list"))
    return refuse_field (reader, entry, "shape", wanted, error);
  while (attn_json_scan_next_item (scan, ']', &first, &done) && !done) {
    guint64 size = 0;
    if (!attn_json_scan_u64 (scan, &size))
      break;
    if (entry->n_dims == ATTN_TENSOR_MAX_DIMS)
      return refuse_entry (reader, entry, ATTN_ERROR_UNSUPPORTED, error,
                           "shape: found more than %d sizes, wanted at most that many",
                           ATTN_TENSOR_MAX_DIMS);
    if (size > G_MAXSIZE)
      return refuse_entry (reader, entry, ATTN_ERROR_SHAPE, error, "shape: a size is too large");
    entry->shape[entry->n_dims++] = (size_t)size;
  }
  return done || refuse_field (reader, entry, "shape", wanted, error);
}

static bool
read_offsets (Reader *reader, Entry *entry, GError **error)
{
  AttnJsonScan *scan = &reader->scan;
  bool good = attn_json_scan_take (scan, '[', "no list") &&
              attn_json_scan_u64 (scan, &entry->begin) &&
              attn_json_scan_take (scan, ',', "fewer than two numbers") &&
              attn_json_scan_u64 (scan, &entry->end) &&
              attn_json_scan_take (scan, ']', "more than two numbers");
  return good || refuse_field (reader, entry, "data_offsets", "two whole numbers", error);
}

/* Reads the value of the field just named; fields this format does not know are passed over. */
static bool
read_field (Reader *reader, Entry *entry, const char *key, size_t n, GError **error)
{
  const struct {
    const char *name;
    bool *seen;
    bool (*read) (Reader *, Entry *, GError **);
  } fields[] = {
      {"dtype", &entry->has_dtype, read_dtype},
      {"shape", &entry->has_shape, read_shape},
      {"data_offsets", &entry->has_offsets, read_offsets},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (fields); i++) {
    if (strlen (fields[i].name) != n || memcmp (fields[i].name, key, n) != 0)
      continue;
    if (*fields[i].seen)
      return refuse_entry (reader, entry, ATTN_ERROR_FORMAT, error,
                           "header field %s: found twice, wanted once", fields[i].name);
    *fields[i].seen = true;
    return fields[i].read (reader, entry, error);
  }
  if (attn_json_scan_skip (&reader->scan))
    return true;
  g_autofree char *shown = attn_file_dup_shown (key, n);
  return refuse_field (reader, entry, shown, "JSON", error);
}

static bool
read_entry_fields (Reader *reader, Entry *entry, GError **error)
{
  AttnJsonScan *scan = &reader->scan;
  bool first = true, done = false;
  if (!attn_json_scan_take (scan, '{', "no object"))
    return refuse_field (reader, entry, "entry", "an object", error);
  while (attn_json_scan_next_item (scan, '}', &first, &done) && !done) {
    const char *key = NULL;
    size_t n = 0;
    if (!attn_json_scan_string (scan, &key, &n) ||
        !attn_json_scan_take (scan, ':', "a colon is missing"))
      break;
    if (!read_field (reader, entry, key, n, error))
      return false;
  }
  if (!done)
    return refuse_field (reader, entry, "entry", "JSON", error);

  const char *missing = !entry->has_dtype     ? "dtype"
                        : !entry->has_shape   ? "shape"
                        : !entry->has_offsets ? "data_offsets"
                                              : NULL;
  return missing == NULL || refuse_entry (reader, entry, ATTN_ERROR_FORMAT, error,
                                          "header field %s is missing", missing);
}

static char *
dup_shown_shape (const Entry *entry)
{
  GString *shown = g_string_new ("[");
  for (size_t i = 0; i < entry->n_dims; i++)
    g_string_append_printf (shown, "%s%zu", i > 0 ? ", " : "", entry->shape[i]);
  g_string_append_c (shown, ']');
  return g_string_free (shown, FALSE);
}

/* The bytes a shape needs, in checked arithmetic. */
static bool
measure_entry (
    const Reader *reader, const Entry *entry, size_t *n_elements, size_t *n_bytes, GError **error)
{
  size_t bits = dtypes[entry->dtype].bits;
  size_t n_bits = 0;
  bool fits = true;
  *n_elements = 1;
  for (size_t i = 0; fits && i < entry->n_dims; i++)
    fits = g_size_checked_mul (n_elements, *n_elements, entry->shape[i]);
  fits = fits && g_size_checked_mul (&n_bits, *n_elements, bits);
  g_autofree char *shape = dup_shown_shape (entry);
  if (!fits)
    return refuse_entry (reader, entry, ATTN_ERROR_SHAPE, error,
                         "shape: found %s of %s, which is more than 2^64 bits", shape,
                         dtypes[entry->dtype].name);
  if (n_bits % 8 != 0)
    return refuse_entry (reader, entry, ATTN_ERROR_SHAPE, error,
                         "shape: found %s of %s, wanted one that fills whole bytes", shape,
                         dtypes[entry->dtype].name);
  *n_bytes = n_bits / 8;
  return true;
}

static bool
check_offsets (const Reader *reader, const Entry *entry, size_t n_bytes, GError **error)
{
  if (entry->begin > entry->end)
    return refuse_entry (reader, entry, ATTN_ERROR_FORMAT, error,
                         "header field data_offsets: found [%" G_GUINT64_FORMAT
                         ", %" G_GUINT64_FORMAT "], wanted the smaller number first",
                         entry->begin, entry->end);
  if (entry->end - entry->begin != n_bytes) {
    g_autofree char *shape = dup_shown_shape (entry);
    return refuse_entry (reader, entry, ATTN_ERROR_SHAPE, error,
                         "header field data_offsets: found [%" G_GUINT64_FORMAT
                         ", %" G_GUINT64_FORMAT "], wanted %zu bytes for shape %s of %s",
                         entry->begin, entry->end, n_bytes, shape, dtypes[entry->dtype].name);
  }
  return true;
}

static bool
read_entry (Reader *reader, const char *name, size_t name_bytes, GError **error)
{
  Entry entry = {.name = name, .name_bytes = name_bytes};
  size_t n_elements = 0;
  size_t n_bytes = 0;
  if (strlen (name) != name_bytes)
    return refuse_entry (reader, &entry, ATTN_ERROR_FORMAT, error, "header: the name holds U+0000");
  if (reader->tensors->len == MAX_TENSORS)
    return refuse (reader->path, ATTN_ERROR_TOO_LARGE, error,
                   "header: found more than %d tensors, wanted at most that many", MAX_TENSORS);
  if (!read_entry_fields (reader, &entry, error) ||
      !measure_entry (reader, &entry, &n_elements, &n_bytes, error) ||
      !check_offsets (reader, &entry, n_bytes, error))
    return false;

  AttnSafetensor tensor = {
      .info =
          {
              .name = name,
              .dtype_name = dtypes[entry.dtype].name,
              .dtype = dtypes[entry.dtype].dtype,
              .n_dims = entry.n_dims,
              .n_elements = n_elements,
              .n_bytes = n_bytes,
          },
      .offset = entry.begin,
  };
  memcpy (tensor.info.shape, entry.shape, sizeof entry.shape);
  g_array_append_val (reader->tensors, tensor);
  return true;
}

static bool
read_metadata (Reader *reader, GError **error)
{
  AttnJsonScan *scan = &reader->scan;
  if (reader->has_metadata)
    return refuse (reader->path, ATTN_ERROR_FORMAT, error,
                   "header: found __metadata__ twice, wanted it once");
  reader->has_metadata = true;
  const char *text = NULL;
  size_t n = 0;
  bool first = true, done = false;
  if (attn_json_scan_take (scan, '{', "no object")) {
    while (attn_json_scan_next_item (scan, '}', &first, &done) && !done)
      if (!attn_json_scan_string (scan, &text, &n) ||
          !attn_json_scan_take (scan, ':', "a colon is missing") ||
          !attn_json_scan_string (scan, &text, &n))
        break;
  }
  return done || refuse (reader->path, ATTN_ERROR_FORMAT, error,
                         "header: __metadata__: found %s at byte %zu, wanted strings only",
                         scan->fault, scan->at);
}

static bool
read_entries (Reader *reader, GError **error)
{
  AttnJsonScan *scan = &reader->scan;
  bool first = true, done = false;
  if (!attn_json_scan_take (scan, '{', "no object"))
    return refuse_syntax (reader, error);
  while (attn_json_scan_next_item (scan, '}', &first, &done) && !done) {
    const char *name = NULL;
    size_t n = 0;
    if (!attn_json_scan_string (scan, &name, &n) ||
        !attn_json_scan_take (scan, ':', "a colon is missing"))
      break;
    bool is_metadata = n == strlen (name) && strcmp (name, "__metadata__") == 0;
    if (!(is_metadata ? read_metadata (reader, error) : read_entry (reader, name, n, error)))
      return false;
  }
  if (!done)
    return refuse_syntax (reader, error);
  attn_json_scan_peek (scan);
  if (scan->at == scan->n)
    return true;
  scan->fault = "text behind the object";
  return refuse_syntax (reader, error);
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

static int
compare_names (const void *a, const void *b)
{
  const AttnSafetensor *left = *(const AttnSafetensor *const *)a;
  const AttnSafetensor *right = *(const AttnSafetensor *const *)b;
  return strcmp (left->info.name, right->info.name);
}

static bool
refuse_tensor (const Reader *reader, const AttnSafetensor *tensor, GError **error, const char *rest)
{
  Entry entry = {.name = tensor->info.name, .name_bytes = strlen (tensor->info.name)};
  return refuse_entry (reader, &entry, ATTN_ERROR_FORMAT, error, "%s", rest);
}

/* @order is sorted by name. */
static bool
check_names (const Reader *reader, AttnSafetensor **order, size_t n, GError **error)
{
  for (size_t i = 1; i < n; i++)
    if (strcmp (order[i - 1]->info.name, order[i]->info.name) == 0)
      return refuse_tensor (reader, order[i], error, "header: found twice, wanted once");
  return true;
}

/* @order is sorted by place; the tensors must follow each other without hole or overlap. */
static bool
check_places (const Reader *reader, AttnSafetensor **order, size_t n, GError **error)
{
  guint64 end = 0;
  for (size_t i = 0; i < n; i++) {
    if (order[i]->offset != end) {
      g_autofree char *rest =
          g_strdup_printf ("header field data_offsets: found a begin at %" G_GUINT64_FORMAT
                           ", wanted %" G_GUINT64_FORMAT ", where the tensor before it ends",
                           order[i]->offset, end);
      return refuse_tensor (reader, order[i], error, rest);
    }
    end += order[i]->info.n_bytes;
  }
  if (end > reader->data_bytes)
    return refuse (reader->path, ATTN_ERROR_FORMAT, error,
                   "the file is cut short: found a size of %" G_GUINT64_FORMAT
                   " bytes, wanted %" G_GUINT64_FORMAT,
                   reader->data_begin + reader->data_bytes, reader->data_begin + end);
  if (end < reader->data_bytes)
    return refuse (reader->path, ATTN_ERROR_FORMAT, error,
                   "found a file size of %" G_GUINT64_FORMAT " bytes, wanted %" G_GUINT64_FORMAT
                   ": nothing may follow the last tensor",
                   reader->data_begin + reader->data_bytes, reader->data_begin + end);
  return true;
}

static bool
check_table (Reader *reader, GError **error)
{
  size_t n = reader->tensors->len;
  g_autofree AttnSafetensor **order = g_try_new (AttnSafetensor *, MAX (n, 1));
  if (order == NULL)
    return refuse (reader->path, ATTN_ERROR_TOO_LARGE, error, "header: no memory for %zu tensors",
                   n);
  for (size_t i = 0; i < n; i++)
    order[i] = &g_array_index (reader->tensors, AttnSafetensor, i);
  qsort (order, n, sizeof order[0], compare_names);
  if (!check_names (reader, order, n, error))
    return false;
  qsort (order, n, sizeof order[0], compare_places);
  if (!check_places (reader, order, n, error))
    return false;
  for (size_t i = 0; i < n; i++)
    order[i]->offset += reader->data_begin;
  return true;
}

static bool
check_encoding (const Reader *reader, GError **error)
{
  const char *end = NULL;
  if (g_utf8_validate_len (reader->scan.text, reader->scan.n, &end))
    return true;
  size_t at = (size_t)(end - reader->scan.text);
  return refuse (reader->path, ATTN_ERROR_FORMAT, error,
                 "header: byte %zu (0x%02X) is not valid UTF-8 text", at,
                 (unsigned)(unsigned char)*end);
}

/* What people really have when the length is absurd. */
static const char *
name_other_content (const char *begin, size_t n)
{
  g_autofree char *text = g_ascii_strdown (begin, (gssize)n);
  const char *first = text + strspn (text, " \t\r\n");
  if (g_str_has_prefix (text, "version https://git-lfs"))
    return "a Git LFS pointer, not the weights themselves; \"git lfs pull\" fetches them";
  if (g_str_has_prefix (first, "<!doctype") || g_str_has_prefix (first, "<html") ||
      g_str_has_prefix (first, "<?xml"))
    return "a web page, probably from a download that failed; fetch the file again";
  if (g_str_has_prefix (text, "gguf"))
    return "a GGUF file, wanted a safetensors file";
  if (g_str_has_prefix (text, "pk\3\4") || g_str_has_prefix (text, "\x80\2"))
    return "a PyTorch file, wanted a safetensors file";
  if (*first == '{' && n > 0)
    return "JSON text, probably an error message saved as a file; fetch the file again";
  return NULL;
}

static bool
refuse_length (int fd, guint64 n_bytes, guint64 length, const char *path, GError **error)
{
  char begin[SNIFF_BYTES + 1] = {0};
  size_t n = (size_t)MIN (n_bytes, SNIFF_BYTES);
  if (!attn_file_read_at (fd, 0, begin, n, path, error))
    return false;
  const char *content = name_other_content (begin, n);
  if (content != NULL)
    return refuse (path, ATTN_ERROR_FORMAT, error, "found %s", content);
  if (length > MAX_HEADER_BYTES)
    return refuse (path, ATTN_ERROR_FORMAT, error,
                   "header: found a length of %" G_GUINT64_FORMAT
                   " bytes, wanted at most %" G_GUINT64_FORMAT "; this is no safetensors file",
                   length, MAX_HEADER_BYTES);
  return refuse (path, ATTN_ERROR_FORMAT, error,
                 "header: found a length of %" G_GUINT64_FORMAT
                 " bytes, but only %" G_GUINT64_FORMAT
                 " follow: the file is cut short, or no safetensors file",
                 length, n_bytes - LENGTH_BYTES);
}

static bool
read_length (int fd, guint64 n_bytes, const char *path, size_t *length, GError **error)
{
  if (n_bytes < LENGTH_BYTES)
    return refuse (path, ATTN_ERROR_FORMAT, error,
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
  g_autofree char *text = g_try_malloc (length + 1);
  if (text == NULL)
    return refuse (path, ATTN_ERROR_TOO_LARGE, error, "header: no memory for its %zu bytes",
                   length);
  if (!attn_file_read_at (fd, LENGTH_BYTES, text, length, path, error))
    return false;

  g_autoptr (GArray) tensors = g_array_new (FALSE, FALSE, sizeof (AttnSafetensor));
  Reader reader = {
      .scan = {.text = text, .n = length},
      .path = path,
      .data_begin = LENGTH_BYTES + length,
      .data_bytes = n_bytes - LENGTH_BYTES - length,
      .tensors = tensors,
  };
  if (!check_encoding (&reader, error) || !read_entries (&reader, error) ||
      !check_table (&reader, error))
    return false;
  header->text = g_steal_pointer (&text);
  header->n_tensors = tensors->len;
  header->tensors = (AttnSafetensor *)(void *)g_array_steal (tensors, NULL);
  return true;
}
