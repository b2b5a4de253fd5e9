/* SPDX-License-Identifier: MIT */
/* Attention maps with their labels as NumPy's archive of arrays: a zip file of NPY files that are
 * stored as they are.
 *
 * Sources: APPNOTE 6.3 of the zip format; NumPy's documentation of npz and npy. */
#include "crc32.h"
#include "export-parts.h"

#include "attn/error.h"

#include <string.h>

#define MAX_BYTES 0xffffffffu /* of an entry and of the archive, in this form of zip */
#define LOCAL_SIGNATURE 0x04034b50u
#define DESCRIPTOR_SIGNATURE 0x08074b50u
#define CENTRAL_SIGNATURE 0x02014b50u
#define END_SIGNATURE 0x06054b50u
#define VERSION 20
#define HAS_DESCRIPTOR 8 /* sizes and checksum stand behind the entry */
#define DATE_1980 \
  0x0021u /* the earliest day there is: a file does not depend on when it was made */
#define MAX_ENTRIES 8

typedef struct {
  const char *name; /* static */
  guint32 crc;
  guint64 offset, n_bytes;
} Entry;

typedef struct {
  const AttnExportSink *sink;
  guint64 offset;
  Entry entries[MAX_ENTRIES];
  size_t n_entries;
} Zip;

static void
append_le (GString *out, guint64 value, int n_bytes)
{
  for (int i = 0; i < n_bytes; i++, value >>= 8) /* may be more bytes than the value has */
    g_string_append_c (out, (char)(value & 0xff));
}

/* What the file has before and after each entry's bytes. */
static bool
write_frame (Zip *zip, const GString *bytes, GError **error)
{
  if (zip->offset + bytes->len > MAX_BYTES) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "an NPZ file would be larger than 4 GB: choose fewer maps, or NPY or safetensors");
    return false;
  }
  zip->offset += bytes->len;
  return zip->sink->write (bytes->str, bytes->len, zip->sink->data, error);
}

static bool
begin_entry (Zip *zip, const char *name, GError **error)
{
  g_assert (zip->n_entries < MAX_ENTRIES);
  zip->entries[zip->n_entries++] = (Entry){.name = name, .offset = zip->offset};
  g_autoptr (GString) local = g_string_new (NULL);
  append_le (local, LOCAL_SIGNATURE, 4);
  append_le (local, VERSION, 2);
  append_le (local, HAS_DESCRIPTOR, 2);
  append_le (local, 0, 2); /* stored */
  append_le (local, 0, 2); /* midnight */
  append_le (local, DATE_1980, 2);
  append_le (local, 0, 12); /* checksum and sizes: see the descriptor */
  append_le (local, strlen (name), 2);
  append_le (local, 0, 2);
  g_string_append (local, name);
  return write_frame (zip, local, error);
}

/* An AttnWriteFunc for the entry's own bytes. */
static bool
write_entry (const void *bytes, size_t n_bytes, void *data, GError **error)
{
  Zip *zip = data;
  Entry *entry = &zip->entries[zip->n_entries - 1];
  entry->crc = attn_crc32_shift (entry->crc, n_bytes) ^ attn_crc32 (bytes, n_bytes);
  entry->n_bytes += n_bytes;
  GString frame = {(char *)(gsize)bytes, n_bytes, n_bytes};
  return write_frame (zip, &frame, error);
}

static bool
end_entry (Zip *zip, GError **error)
{
  const Entry *entry = &zip->entries[zip->n_entries - 1];
  g_autoptr (GString) descriptor = g_string_new (NULL);
  append_le (descriptor, DESCRIPTOR_SIGNATURE, 4);
  append_le (descriptor, entry->crc, 4);
  append_le (descriptor, entry->n_bytes, 4);
  append_le (descriptor, entry->n_bytes, 4);
  return write_frame (zip, descriptor, error);
}

static bool
write_directory (Zip *zip, GError **error)
{
  guint64 start = zip->offset;
  g_autoptr (GString) out = g_string_new (NULL);
  for (size_t i = 0; i < zip->n_entries; i++) {
    const Entry *entry = &zip->entries[i];
    append_le (out, CENTRAL_SIGNATURE, 4);
    append_le (out, VERSION, 2);
    append_le (out, VERSION, 2);
    append_le (out, HAS_DESCRIPTOR, 2);
    append_le (out, 0, 4); /* stored, midnight */
    append_le (out, DATE_1980, 2);
    append_le (out, entry->crc, 4);
    append_le (out, entry->n_bytes, 4);
    append_le (out, entry->n_bytes, 4);
    append_le (out, strlen (entry->name), 2);
    append_le (out, 0, 12); /* no extra field, no comment, first disk, no attributes */
    append_le (out, entry->offset, 4);
    g_string_append (out, entry->name);
  }
  guint64 length = out->len;
  append_le (out, END_SIGNATURE, 4);
  append_le (out, 0, 4); /* of the first disk */
  append_le (out, zip->n_entries, 2);
  append_le (out, zip->n_entries, 2);
  append_le (out, length, 4);
  append_le (out, start, 4);
  append_le (out, 0, 2);
  return write_frame (zip, out, error);
}

/* Texts as an array of unicode strings of one length, padded with U+0000 as NumPy does; @shape as
 * in the array's header. */
static bool
write_shaped (Zip *zip, const GPtrArray *texts, const char *shape, GError **error)
{
  AttnExportSink sink = {write_entry, zip};
  size_t longest = 1;
  for (guint i = 0; i < texts->len; i++)
    longest = MAX (longest, (size_t)g_utf8_strlen (g_ptr_array_index (texts, i), -1));
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *dtype = g_strdup_printf ("<U%zu", longest);
  attn_export_append_npy_header (out, dtype, shape);
  for (guint i = 0; i < texts->len; i++) {
    const char *p = g_ptr_array_index (texts, i);
    for (size_t c = 0; c < longest; c++) {
      append_le (out, *p != '\0' ? g_utf8_get_char (p) : 0, 4);
      p += *p != '\0' ? g_utf8_skip[(guchar)*p] : 0;
    }
    if (!attn_export_flush (&sink, out, false, error))
      return false;
  }
  return attn_export_flush (&sink, out, true, error);
}

static bool
write_texts (Zip *zip, const GPtrArray *texts, GError **error)
{
  g_autofree char *shape = g_strdup_printf ("%u,", texts->len);
  return write_shaped (zip, texts, shape, error);
}

static bool
write_labels (Zip *zip, AttnMaps *maps, AttnSide side, GError **error)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  for (size_t i = 0; i < attn_maps_get_n (maps, side); i++)
    g_ptr_array_add (labels, g_utf8_make_valid (attn_maps_peek_piece (maps, side, i), -1));
  return write_texts (zip, labels, error);
}

static bool
write_numbers (Zip *zip, size_t first, size_t end, GError **error)
{
  AttnExportSink sink = {write_entry, zip};
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *shape = g_strdup_printf ("%zu,", end - first);
  attn_export_append_npy_header (out, "<i8", shape);
  for (size_t i = first; i < end; i++)
    append_le (out, i + 1, 8);
  return attn_export_flush (&sink, out, true, error);
}

/* Combined layers and heads have a name instead of a number. */
static bool
write_name (Zip *zip, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (names, g_strdup (name));
  return write_texts (zip, names, error);
}

static bool
write_layers (Zip *zip, const AttnExportRange *range, GError **error)
{
  AttnExportNames names = attn_export_name (range, range->first_layer, range->first_head);
  if (!g_ascii_isdigit (names.layer[0]))
    return write_name (zip, names.layer, error);
  return write_numbers (zip, range->first_layer, range->end_layer, error);
}

static bool
write_heads (Zip *zip, const AttnExportRange *range, GError **error)
{
  AttnExportNames names = attn_export_name (range, range->first_layer, range->first_head);
  if (!g_ascii_isdigit (names.head[0]))
    return write_name (zip, names.head, error);
  return write_numbers (zip, range->first_head, range->end_head, error);
}

/* One string without dimensions. */
static bool
write_about (Zip *zip, AttnMaps *maps, const AttnExportRange *range, GError **error)
{
  char *about = attn_export_dup_about (maps, range);
  if (about == NULL)
    return true;
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (texts, about);
  return begin_entry (zip, "about.npy", error) && write_shaped (zip, texts, "", error) &&
         end_entry (zip, error);
}

bool
attn_export_npz (AttnMaps *maps,
                 const AttnExportRange *range,
                 const AttnExportSink *sink,
                 GError **error)
{
  Zip zip = {.sink = sink};
  AttnExportSink entry = {write_entry, &zip};
  return begin_entry (&zip, "attentions.npy", error) &&
         attn_export_npy (maps, range, &entry, error) && end_entry (&zip, error) &&
         begin_entry (&zip, "queries.npy", error) &&
         write_labels (&zip, maps, ATTN_SIDE_QUERY, error) && end_entry (&zip, error) &&
         begin_entry (&zip, "keys.npy", error) && write_labels (&zip, maps, ATTN_SIDE_KEY, error) &&
         end_entry (&zip, error) && begin_entry (&zip, "layers.npy", error) &&
         write_layers (&zip, range, error) && end_entry (&zip, error) &&
         begin_entry (&zip, "heads.npy", error) && write_heads (&zip, range, error) &&
         end_entry (&zip, error) && write_about (&zip, maps, range, error) &&
         write_directory (&zip, error);
}
