/* SPDX-License-Identifier: MIT */
/* A file of arrays of any of the known formats: telling which, listing, and one array's bytes. */
#include "array-file.h"

#include "array-npz.h"
#include "byte-stream.h"
#include "convert.h"
#include "npy.h"
#include "safetensors.h"

#include "attn/error.h"

#include <string.h>
#include <unistd.h>

enum {
  SNIFF_BYTES = 512,
  PIECE_BYTES = 1 << 20, /* between two questions whether to go on; whole elements of any width */
  MAX_TEXT_BYTES = 64 << 20,
};

void
attn_array_file_free (AttnArrayFile *file)
{
  if (file == NULL)
    return;
  if (file->archive != NULL)
    zip_discard (file->archive);
  attn_zip_input_clear (&file->input);
  if (file->fd >= 0)
    close (file->fd);
  g_ptr_array_unref (file->entries);
  g_clear_pointer (&file->texts, g_hash_table_unref);
  g_free (file->path);
  g_free (file);
}

/* ---- listing ---- */

static bool
list_npy (AttnArrayFile *file, GError **error)
{
  AttnByteStream stream = {.what = file->path, .fd = file->fd, .n_left = file->n_bytes};
  g_autoptr (AttnArrayEntry) entry = g_new0 (AttnArrayEntry, 1);
  if (!attn_npy_read_header (&stream, entry, error))
    return false;
  entry->offset = stream.at;
  g_ptr_array_add (file->entries, g_steal_pointer (&entry));
  return true;
}

static void
keep_texts (AttnArrayFile *file, const AttnTensorTable *table)
{
  GHashTableIter iter;
  void *name, *text;
  if (table->texts == NULL)
    return;
  file->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_iter_init (&iter, table->texts);
  while (g_hash_table_iter_next (&iter, &name, &text))
    g_hash_table_insert (file->texts, g_strdup (name), g_strdup (text));
}

static bool
list_safetensors (AttnArrayFile *file, GError **error)
{
  g_auto (AttnTensorTable) table = {0};
  if (!attn_safetensors_read (file->fd, file->n_bytes, file->path, &table, error))
    return false;
  keep_texts (file, &table);
  for (size_t i = 0; i < table.n_tensors; i++) {
    const AttnTensorInfo *info = &table.tensors[i].info;
    AttnArrayEntry *entry = g_new0 (AttnArrayEntry, 1);
    *entry = (AttnArrayEntry){
        .name = g_strdup (info->name),
        .dtype_name = attn_file_dup_shown (info->dtype_name, strlen (info->dtype_name)),
        .dtype = info->dtype,
        .n_dims = info->n_dims,
        .n_elements = info->n_elements,
        .offset = table.tensors[i].offset,
    };
    memcpy (entry->shape, info->shape, sizeof entry->shape);
    g_ptr_array_add (file->entries, entry);
  }
  return true;
}

/* Neither NumPy's nor a zip archive: safetensors has no mark of its own, so its reader says what is
 * wrong, unless the first bytes show another thing that people might have. */
static bool
list_other (AttnArrayFile *file, const char *begin, size_t n, GError **error)
{
  const char *content = attn_file_name_content (begin, n);
  bool has_header = n > 8 && begin[8] == '{';
  if (has_header || (content == NULL && g_str_has_suffix (file->path, ".safetensors")))
    return list_safetensors (file, error);
  return attn_file_refuse (file->path, ATTN_ERROR_FORMAT, error,
                           "found %s, wanted a .npy, .npz or .safetensors file",
                           content != NULL ? content
                           : n == 0        ? "an empty file"
                                           : "another kind of file");
}

static bool
list_entries (AttnArrayFile *file, GError **error)
{
  char begin[SNIFF_BYTES + 1] = {0};
  size_t n = (size_t)MIN (file->n_bytes, SNIFF_BYTES);
  if (!attn_file_read_at (file->fd, 0, begin, n, file->path, error))
    return false;
  if (n >= ATTN_NPY_MAGIC_BYTES && memcmp (begin, ATTN_NPY_MAGIC, ATTN_NPY_MAGIC_BYTES) == 0) {
    file->format = ATTN_ARRAYS_NPY;
    return list_npy (file, error);
  }
  if (n >= 4 && (memcmp (begin, "PK\3\4", 4) == 0 || memcmp (begin, "PK\5\6", 4) == 0)) {
    file->format = ATTN_ARRAYS_NPZ;
    file->archive = attn_zip_open (&file->input, file->path, error);
    return file->archive != NULL &&
           attn_array_npz_list (file->archive, file->path, file->entries, error);
  }
  file->format = ATTN_ARRAYS_SAFETENSORS;
  return list_other (file, begin, n, error);
}

static void
free_entry (void *entry)
{
  attn_array_entry_free (entry);
}

AttnArrayFile *
attn_array_file_open (const char *path, GError **error)
{
  g_autoptr (AttnArrayFile) file = g_new0 (AttnArrayFile, 1);
  file->path = g_strdup (path);
  file->entries = g_ptr_array_new_with_free_func (free_entry);
  file->fd = attn_file_open (path, &file->n_bytes, error);
  attn_zip_input_init (&file->input, file->fd, file->n_bytes);
  if (file->fd < 0 || !attn_file_get_state (file->fd, path, &file->state, error) ||
      !list_entries (file, error))
    return NULL;
  return g_steal_pointer (&file);
}

/* ---- reading ---- */

/* The stream stands at the first element. */
static bool
open_stream (AttnArrayFile *file,
             const AttnArrayEntry *entry,
             guint64 n_bytes,
             const char *what,
             AttnByteStream *stream,
             GError **error)
{
  *stream = (AttnByteStream){.what = what, .fd = file->fd, .at = entry->offset, .n_left = n_bytes};
  if (file->archive == NULL)
    return true;
  stream->zip = zip_fopen_index (file->archive, entry->index, 0);
  if (stream->zip == NULL)
    return attn_zip_refuse (what, zip_get_error (file->archive), error);
  char skipped[SNIFF_BYTES];
  stream->n_left += entry->offset;
  for (guint64 at = 0; at < entry->offset;) {
    size_t n = (size_t)MIN (sizeof skipped, entry->offset - at);
    if (!attn_byte_stream_read (stream, skipped, n, error))
      return false;
    at += n;
  }
  return true;
}

static void
swap_bytes (guint8 *bytes, size_t n_bytes, size_t width)
{
  for (guint8 *element = bytes; element < bytes + n_bytes; element += width)
    for (size_t i = 0; i < width / 2; i++) {
      guint8 byte = element[i];
      element[i] = element[width - 1 - i];
      element[width - 1 - i] = byte;
    }
}

/* [n] doubles in @piece become f32 in the file's own byte order.
 *
 * Returns: how many are finite, but too large for that. */
static guint64
narrow (const guint8 *piece, size_t n, guint8 *out)
{
  g_autofree float *values = g_new (float, n);
  AttnInfinities noted = {0};
  attn_convert_to_f32 (ATTN_DTYPE_F64, piece, values, n);
  for (size_t i = 0; i < n; i++) {
    guint32 bits;
    memcpy (&bits, &values[i], sizeof bits);
    bits = GUINT32_TO_LE (bits);
    memcpy (out + i * sizeof bits, &bits, sizeof bits);
  }
  attn_convert_note_infinities (ATTN_DTYPE_F64, piece, values, n, &noted);
  return noted.n_too_large;
}

static bool
read_pieces (AttnArrayFile *file,
             AttnByteStream *stream,
             const AttnArrayEntry *entry,
             guint8 *out,
             AttnArrayProgress *progress,
             GError **error)
{
  size_t width = attn_convert_get_width (entry->dtype);
  size_t kept = attn_array_entry_get_width (entry);
  g_autofree guint8 *buffer = width != kept ? g_malloc (PIECE_BYTES) : NULL;
  for (size_t n_left = entry->n_elements; n_left > 0;) {
    size_t n = MIN (n_left, PIECE_BYTES / width);
    guint8 *piece = buffer != NULL ? buffer : out;
    if (!attn_progress_tell (progress->func, progress->data, progress->at, error) ||
        !attn_byte_stream_read (stream, piece, n * width, error))
      return false;
    if (entry->big_endian)
      swap_bytes (piece, n * width, width);
    if (buffer != NULL)
      file->n_too_large += narrow (piece, n, out);
    progress->at += (double)(n * kept) * progress->per_byte;
    out += n * kept;
    n_left -= n;
  }
  return true;
}

bool
attn_array_file_read (AttnArrayFile *file,
                      const AttnArrayEntry *entry,
                      guint8 *out,
                      AttnArrayProgress *progress,
                      GError **error)
{
  g_autofree char *what = attn_array_entry_dup_what (entry, file->path);
  guint64 n_bytes = (guint64)entry->n_elements * attn_convert_get_width (entry->dtype);
  g_auto (AttnByteStream) stream = {0};
  return open_stream (file, entry, n_bytes, what, &stream, error) &&
         read_pieces (file, &stream, entry, out, progress, error) &&
         attn_byte_stream_finish (&stream, error);
}

/* One text of NumPy: code points, with zeros behind it up to the longest one's length. */
static char *
dup_text (const guint8 *bytes, size_t n_points, bool big_endian)
{
  GString *text = g_string_new (NULL);
  size_t n = 0;
  for (size_t i = 0; i < n_points; i++) {
    guint32 c;
    memcpy (&c, bytes + 4 * i, sizeof c);
    c = big_endian ? GUINT32_FROM_BE (c) : GUINT32_FROM_LE (c);
    g_string_append_unichar (text, c == 0 ? 0x2400 : g_unichar_validate (c) ? c : 0xFFFD);
    n = c != 0 ? text->len : n;
  }
  g_string_truncate (text, n);
  return g_string_free (text, FALSE);
}

/* Whether it is a list of "<U12"; @n_points is what follows the U. */
static bool
is_text_list (const AttnArrayEntry *entry, size_t *n_points)
{
  guint64 n = 0;
  const char *dtype = entry->dtype_name;
  if (entry->n_dims > 1 || entry->n_elements == 0 || entry->n_elements > ATTN_ARRAYS_MAX_TOKENS ||
      strlen (dtype) < 3 || strchr ("<>=", dtype[0]) == NULL || dtype[1] != 'U' ||
      !g_ascii_string_to_unsigned (dtype + 2, 10, 1, MAX_TEXT_BYTES, &n, NULL) ||
      n * 4 > MAX_TEXT_BYTES / entry->n_elements)
    return false;
  *n_points = (size_t)n;
  return true;
}

GPtrArray *
attn_array_file_read_texts (AttnArrayFile *file, const AttnArrayEntry *entry, GError **error)
{
  size_t n_points = 0;
  if (!is_text_list (entry, &n_points))
    return NULL;
  size_t n_bytes = n_points * 4 * entry->n_elements;
  g_autofree char *what = attn_array_entry_dup_what (entry, file->path);
  g_autofree guint8 *bytes = g_malloc (n_bytes);
  g_auto (AttnByteStream) stream = {0};
  if (!open_stream (file, entry, n_bytes, what, &stream, error) ||
      !attn_byte_stream_read (&stream, bytes, n_bytes, error) ||
      !attn_byte_stream_finish (&stream, error))
    return NULL;
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  for (size_t i = 0; i < entry->n_elements; i++)
    g_ptr_array_add (texts, dup_text (bytes + i * n_points * 4, n_points, entry->big_endian));
  return texts;
}
