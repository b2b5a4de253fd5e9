/* SPDX-License-Identifier: MIT */
/* One tensor's entry in a safetensors header: its three fields, and that they agree. */
#include "safetensors-entry.h"

#include "file.h"

#include "attn/error.h"

#include <string.h>

typedef struct {
  const char *name;
  size_t bits;
  AttnDtype dtype;
} DtypeRow;

static const DtypeRow dtypes[] = {
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

/* What has been read of the entry so far. */
typedef struct {
  AttnJsonScan *scan;
  const char *path;
  const char *name;
  size_t name_bytes;
  const DtypeRow *dtype; /* NULL until read */
  bool has_shape;
  bool has_offsets;
  size_t n_dims;
  size_t shape[ATTN_TENSOR_MAX_DIMS];
  guint64 begin; /* both relative to the data */
  guint64 end;
} Entry;

static bool G_GNUC_PRINTF (4, 5)
    refuse (const Entry *entry, AttnError code, GError **error, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *rest = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *name = attn_file_dup_shown (entry->name, entry->name_bytes);
  return attn_file_refuse (entry->path, code, error, "tensor %s: %s", name, rest);
}

/* The scanner stopped inside @part. */
static bool
refuse_scan (const Entry *entry, const char *part, const char *wanted, GError **error)
{
  return refuse (entry, ATTN_ERROR_FORMAT, error,
                 "header %s: found %s at byte %zu of the header, wanted %s", part,
                 entry->scan->fault, entry->scan->at, wanted);
}

static bool
read_dtype (Entry *entry, GError **error)
{
  const char *name = NULL;
  size_t n = 0;
  if (!attn_json_scan_string (entry->scan, &name, &n))
    return refuse_scan (entry, "field dtype", "a dtype's name", error);
  for (size_t i = 0; i < G_N_ELEMENTS (dtypes); i++) {
    if (strlen (dtypes[i].name) == n && memcmp (dtypes[i].name, name, n) == 0) {
      entry->dtype = &dtypes[i];
      return true;
    }
  }
  g_autofree char *shown = attn_file_dup_shown (name, n);
  return refuse (entry, ATTN_ERROR_UNSUPPORTED, error,
                 "header field dtype: found \"%s\", wanted a known one such as F32, F16 or BF16",
                 shown);
}

static bool
read_shape (Entry *entry, GError **error)
{
  const char *wanted = "a list of whole numbers";
  bool first = true;
  bool done = false;
  if (!attn_json_scan_take (entry->scan, '[', "no list"))
    return refuse_scan (entry, "field shape", wanted, error);
  while (attn_json_scan_next_item (entry->scan, ']', &first, &done) && !done) {
    guint64 size = 0;
    if (!attn_json_scan_u64 (entry->scan, &size))
      break;
    if (entry->n_dims == ATTN_TENSOR_MAX_DIMS)
      return refuse (entry, ATTN_ERROR_UNSUPPORTED, error,
                     "header field shape: found more than %d sizes, wanted at most that many",
                     ATTN_TENSOR_MAX_DIMS);
    if (size > G_MAXSIZE)
      return refuse (entry, ATTN_ERROR_TOO_LARGE, error,
                     "header field shape: found %" G_GUINT64_FORMAT ", wanted at most %zu", size,
                     (size_t)G_MAXSIZE);
    entry->shape[entry->n_dims++] = (size_t)size;
  }
  entry->has_shape = true;
  return done || refuse_scan (entry, "field shape", wanted, error);
}

static bool
read_offsets (Entry *entry, GError **error)
{
  AttnJsonScan *scan = entry->scan;
  entry->has_offsets = attn_json_scan_take (scan, '[', "no list") &&
                       attn_json_scan_u64 (scan, &entry->begin) &&
                       attn_json_scan_take (scan, ',', "fewer than two numbers") &&
                       attn_json_scan_u64 (scan, &entry->end) &&
                       attn_json_scan_take (scan, ']', "more than two numbers");
  return entry->has_offsets ||
         refuse_scan (entry, "field data_offsets", "two whole numbers", error);
}

/* Reads the value of the field just named; fields this format does not know are passed over. */
static bool
read_field (Entry *entry, const char *key, size_t n, GError **error)
{
  const struct {
    const char *name;
    bool seen;
    bool (*read) (Entry *, GError **);
  } fields[] = {
      {"dtype", entry->dtype != NULL, read_dtype},
      {"shape", entry->has_shape, read_shape},
      {"data_offsets", entry->has_offsets, read_offsets},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (fields); i++) {
    if (strlen (fields[i].name) != n || memcmp (fields[i].name, key, n) != 0)
      continue;
    if (fields[i].seen)
      return refuse (entry, ATTN_ERROR_FORMAT, error, "header field %s: found twice, wanted once",
                     fields[i].name);
    return fields[i].read (entry, error);
  }
  if (attn_json_scan_skip (entry->scan))
    return true;
  g_autofree char *shown = attn_file_dup_shown (key, n);
  g_autofree char *part = g_strdup_printf ("field %s", shown);
  return refuse_scan (entry, part, "plain JSON", error);
}

static bool
read_fields (Entry *entry, GError **error)
{
  bool first = true;
  bool done = false;
  if (!attn_json_scan_take (entry->scan, '{', "no object"))
    return refuse_scan (entry, "entry", "an object", error);
  while (attn_json_scan_next_item (entry->scan, '}', &first, &done) && !done) {
    const char *key = NULL;
    size_t n = 0;
    if (!attn_json_scan_string (entry->scan, &key, &n) ||
        !attn_json_scan_take (entry->scan, ':', "no colon"))
      break;
    if (!read_field (entry, key, n, error))
      return false;
  }
  if (!done)
    return refuse_scan (entry, "entry", "a JSON object", error);

  const char *missing = entry->dtype == NULL  ? "dtype"
                        : !entry->has_shape   ? "shape"
                        : !entry->has_offsets ? "data_offsets"
                                              : NULL;
  return missing == NULL || refuse (entry, ATTN_ERROR_FORMAT, error,
                                    "header field %s: found none, wanted one", missing);
}

/* "[4, 5] of F32" */
static char *
dup_shown_shape (const Entry *entry)
{
  GString *shown = g_string_new ("[");
  for (size_t i = 0; i < entry->n_dims; i++)
    g_string_append_printf (shown, "%s%zu", i > 0 ? ", " : "", entry->shape[i]);
  g_string_append_printf (shown, "] of %s", entry->dtype->name);
  return g_string_free (shown, FALSE);
}

/* The bytes the shape needs, in checked arithmetic. */
static bool
measure (const Entry *entry, size_t *n_elements, size_t *n_bytes, GError **error)
{
  size_t n_bits = 0;
  bool fits = true;
  *n_elements = 1;
  for (size_t i = 0; fits && i < entry->n_dims; i++)
    fits = g_size_checked_mul (n_elements, *n_elements, entry->shape[i]);
  fits = fits && g_size_checked_mul (&n_bits, *n_elements, entry->dtype->bits);
  g_autofree char *shown = fits && n_bits % 8 == 0 ? NULL : dup_shown_shape (entry);
  if (!fits)
    return refuse (entry, ATTN_ERROR_SHAPE, error,
                   "header field shape: found %s, wanted one of less than 2^64 bits", shown);
  if (n_bits % 8 != 0)
    return refuse (entry, ATTN_ERROR_SHAPE, error,
                   "header field shape: found %s, wanted one that fills whole bytes", shown);
  *n_bytes = n_bits / 8;
  return true;
}

static bool
check_offsets (const Entry *entry, size_t n_bytes, GError **error)
{
  if (entry->begin <= entry->end && entry->end - entry->begin == n_bytes)
    return true;
  g_autofree char *shape = dup_shown_shape (entry);
  return refuse (entry, ATTN_ERROR_SHAPE, error,
                 "header field data_offsets: found [%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT
                 "], wanted a begin and an end %zu bytes behind it, for shape %s",
                 entry->begin, entry->end, n_bytes, shape);
}

bool
attn_safetensors_read_entry (AttnJsonScan *scan,
                             const char *path,
                             const char *name,
                             size_t name_bytes,
                             AttnStoredTensor *tensor,
                             GError **error)
{
  Entry entry = {.scan = scan, .path = path, .name = name, .name_bytes = name_bytes};
  size_t n_elements = 0;
  size_t n_bytes = 0;
  if (strlen (name) != name_bytes)
    return refuse (&entry, ATTN_ERROR_FORMAT, error,
                   "header: found U+0000 in the name, wanted none");
  if (!read_fields (&entry, error) || !measure (&entry, &n_elements, &n_bytes, error) ||
      !check_offsets (&entry, n_bytes, error))
    return false;

  *tensor = (AttnStoredTensor){.offset = entry.begin};
  tensor->info.name = name;
  tensor->info.dtype_name = entry.dtype->name;
  tensor->info.dtype = entry.dtype->dtype;
  tensor->info.n_dims = entry.n_dims;
  memcpy (tensor->info.shape, entry.shape, sizeof entry.shape);
  tensor->info.n_elements = n_elements;
  tensor->info.n_bytes = n_bytes;
  return true;
}
