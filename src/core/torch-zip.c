/* SPDX-License-Identifier: MIT */
/* PyTorch's container since 2020: a zip archive of stored entries, a pickle and raw storages. */
#include "crc32.h"
#include "file.h"
#include "torch-parts.h"
#include "zip-input.h"

#include "attn/error.h"

#include <zip.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 200000 };

typedef struct {
  AttnZipInput input;
  const char *path;
  zip_t *archive; /* owned */
  AttnTensorTable *table;
  AttnStorage **entries; /* [n_entries], owned array; of the table's arena */
  size_t n_entries;
  char *top; /* owned: the one folder all entries are in, with its slash */
} Archive;

static void
archive_clear (Archive *archive)
{
  if (archive->archive != NULL)
    zip_discard (archive->archive);
  attn_zip_input_clear (&archive->input);
  g_free (archive->entries);
  g_free (archive->top);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Archive, archive_clear)

static bool
refuse_archive (const Archive *archive, GError **error)
{
  return attn_zip_refuse (archive->path, zip_get_error (archive->archive), error);
}

static bool G_GNUC_PRINTF (5, 6) refuse_entry (const Archive *archive,
                                               const char *name,
                                               AttnError code,
                                               GError **error,
                                               const char *format,
                                               ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *rest = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
  return attn_file_refuse (archive->path, code, error, "entry %s: %s", shown, rest);
}

/* Every entry is in one folder. Nothing is ever unpacked, but a name that leads elsewhere is not
 * PyTorch's work. */
static bool
check_name (Archive *archive, const char *name, GError **error)
{
  if (archive->top == NULL) {
    const char *slash = strchr (name, '/');
    archive->top = g_strndup (name, slash == NULL ? 0 : (size_t)(slash - name) + 1);
  }
  bool is_good = strlen (archive->top) > 1 && g_str_has_prefix (name, archive->top) &&
                 g_utf8_validate (name, -1, NULL);
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  for (size_t i = 0; is_good && parts[i] != NULL; i++)
    is_good = strcmp (parts[i], "..") != 0 && strcmp (parts[i], ".") != 0 &&
              strchr (parts[i], '\\') == NULL;
  return is_good || refuse_entry (archive, name, ATTN_ERROR_FORMAT, error,
                                  "found a name outside the archive's one folder");
}

static bool
check_kind (const Archive *archive, const zip_stat_t *facts, GError **error)
{
  const zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                              ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((facts->valid & needed) != needed)
    return attn_file_refuse (archive->path, ATTN_ERROR_FORMAT, error,
                             "found a zip entry without name, size or method");
  if (facts->encryption_method != ZIP_EM_NONE)
    return refuse_entry (archive, facts->name, ATTN_ERROR_UNSUPPORTED, error,
                         "found it encrypted, wanted it plain");
  if (facts->comp_method != ZIP_CM_STORE)
    return refuse_entry (archive, facts->name, ATTN_ERROR_UNSUPPORTED, error,
                         "found it compressed (method %u), wanted it stored as PyTorch does",
                         (guint)facts->comp_method);
  return facts->size == facts->comp_size ||
         refuse_entry (archive, facts->name, ATTN_ERROR_FORMAT, error,
                       "found %" G_GUINT64_FORMAT " bytes stored as %" G_GUINT64_FORMAT
                       ", wanted as many",
                       (guint64)facts->size, (guint64)facts->comp_size);
}

/* libzip does not say where an entry's bytes are, but reading one of them shows it. */
static bool
find_offset (Archive *archive, zip_uint64_t index, AttnStorage *entry, GError **error)
{
  if (entry->n_bytes == 0)
    return true;
  char byte = 0;
  zip_file_t *file = zip_fopen_index (archive->archive, index, ZIP_FL_COMPRESSED);
  if (file == NULL)
    return refuse_archive (archive, error);
  bool is_read = zip_fread (file, &byte, 1) == 1;
  zip_fclose (file);
  const AttnZipInput *input = &archive->input;
  if (!is_read || input->last_n != 1 || input->last_at >= input->n_bytes ||
      entry->n_bytes > input->n_bytes - input->last_at)
    return refuse_entry (archive, entry->name, ATTN_ERROR_FORMAT, error,
                         "found it to end outside the file, wanted %" G_GUINT64_FORMAT " bytes",
                         entry->n_bytes);
  entry->offset = input->last_at;
  return true;
}

static bool
read_entry (Archive *archive, zip_uint64_t index, GError **error)
{
  zip_stat_t facts;
  if (zip_stat_index (archive->archive, index, ZIP_FL_ENC_RAW, &facts) != 0)
    return refuse_archive (archive, error);
  if (!check_kind (archive, &facts, error) || !check_name (archive, facts.name, error))
    return false;
  AttnArena *arena = &archive->table->arena;
  AttnStorage *entry = attn_arena_alloc (arena, sizeof *entry);
  char *name = attn_arena_dup (arena, facts.name, strlen (facts.name));
  if (entry == NULL || name == NULL)
    return attn_file_refuse (archive->path, ATTN_ERROR_TOO_LARGE, error, "found too many entries");
  /* PyTorch can leave checksums out and then writes zeros */
  *entry = (AttnStorage){.name = name,
                         .n_bytes = facts.size,
                         .has_crc = (facts.valid & ZIP_STAT_CRC) != 0 && facts.crc != 0,
                         .crc = facts.crc};
  archive->entries[archive->n_entries++] = entry;
  return find_offset (archive, index, entry, error);
}

static int
compare_offsets (const void *a, const void *b)
{
  const AttnStorage *left = *(AttnStorage *const *)a, *right = *(AttnStorage *const *)b;
  return (left->offset > right->offset) - (left->offset < right->offset);
}

/* Two entries over the same bytes would be one file that reads as two. */
static bool
check_overlap (const Archive *archive, GError **error)
{
  guint64 end = 0;
  qsort (archive->entries, archive->n_entries, sizeof archive->entries[0], compare_offsets);
  for (size_t i = 0; i < archive->n_entries; i++) {
    const AttnStorage *entry = archive->entries[i];
    if (entry->n_bytes == 0)
      continue;
    if (entry->offset < end)
      return refuse_entry (archive, entry->name, ATTN_ERROR_FORMAT, error,
                           "found it over the bytes of another entry, wanted its own");
    end = entry->offset + entry->n_bytes;
  }
  return true;
}

static bool
read_entries (Archive *archive, GError **error)
{
  zip_int64_t n = zip_get_num_entries (archive->archive, 0);
  if (n < 1 || n > MAX_ENTRIES)
    return attn_file_refuse (archive->path, ATTN_ERROR_TOO_LARGE, error,
                             "found %" G_GINT64_FORMAT " zip entries, wanted 1 to %d", (gint64)n,
                             MAX_ENTRIES);
  archive->entries = g_new (AttnStorage *, (size_t)n);
  for (zip_int64_t i = 0; i < n; i++)
    if (!read_entry (archive, (zip_uint64_t)i, error))
      return false;
  return check_overlap (archive, error);
}

/* The bytes of a small entry, checked. */
static char *
load_entry (const Archive *archive, const AttnStorage *entry, GError **error)
{
  if (entry->n_bytes > ATTN_TORCH_MAX_PICKLE_BYTES) {
    refuse_entry (archive, entry->name, ATTN_ERROR_TOO_LARGE, error,
                  "found %" G_GUINT64_FORMAT " bytes, wanted at most %zu", entry->n_bytes,
                  ATTN_TORCH_MAX_PICKLE_BYTES);
    return NULL;
  }
  size_t n = (size_t)entry->n_bytes;
  g_autofree char *bytes = g_try_malloc (MAX (n, 1));
  if (bytes == NULL) {
    refuse_entry (archive, entry->name, ATTN_ERROR_TOO_LARGE, error, "no memory for %zu bytes", n);
    return NULL;
  }
  if (!attn_file_read_at (archive->input.fd, entry->offset, bytes, n, archive->path, error))
    return NULL;
  guint32 crc = attn_crc32 (bytes, n);
  if (entry->has_crc && crc != entry->crc) {
    refuse_entry (archive, entry->name, ATTN_ERROR_FORMAT, error,
                  "found bytes with the checksum %08x, wanted %08x; the file is damaged", crc,
                  entry->crc);
    return NULL;
  }
  return g_steal_pointer (&bytes);
}

static bool
check_byte_order (const Archive *archive, const AttnTorchStorages *entries, GError **error)
{
  g_autofree char *name = g_strconcat (archive->top, "byteorder", NULL);
  const AttnStorage *entry = attn_torch_storages_find (entries, name);
  if (entry == NULL) /* older files have none and are little-endian */
    return true;
  g_autofree char *bytes = load_entry (archive, entry, error);
  if (bytes == NULL)
    return false;
  if (entry->n_bytes == 6 && memcmp (bytes, "little", 6) == 0)
    return true;
  g_autofree char *shown = attn_file_dup_shown (bytes, (size_t)MIN (entry->n_bytes, 100));
  return refuse_entry (archive, name, ATTN_ERROR_UNSUPPORTED, error,
                       "found \"%s\", wanted \"little\"", shown);
}

static bool
list_tensors (const Archive *archive, AttnTorchStorages *entries, GError **error)
{
  g_autofree char *name = g_strconcat (archive->top, "data.pkl", NULL);
  const AttnStorage *entry = attn_torch_storages_find (entries, name);
  if (entry == NULL)
    return attn_file_refuse (archive->path, ATTN_ERROR_FORMAT, error,
                             "found a zip archive without data.pkl, wanted a PyTorch file");
  g_autofree char *bytes = load_entry (archive, entry, error);
  if (bytes == NULL)
    return false;
  AttnArena values = {.limit = ATTN_TORCH_MAX_VALUE_BYTES};
  AttnPickle pickle = {.path = archive->path,
                       .part = "data.pkl",
                       .bytes = bytes,
                       .n = (size_t)entry->n_bytes,
                       .arena = &values};
  const AttnPickleValue *root = attn_pickle_read (&pickle, error);
  g_autofree char *prefix = g_strconcat (archive->top, "data/", NULL);
  entries->prefix = prefix;
  bool is_listed =
      root != NULL && attn_torch_list_tensors (root, entries, archive->path, archive->table, error);
  attn_arena_clear (&values);
  return is_listed;
}

bool
attn_torch_read_zip (
    int fd, guint64 n_bytes, const char *path, AttnTensorTable *table, GError **error)
{
  g_auto (Archive) archive = {.path = path, .table = table};
  attn_zip_input_init (&archive.input, fd, n_bytes);
  archive.archive = attn_zip_open (&archive.input, path, error);
  if (archive.archive == NULL || !read_entries (&archive, error))
    return false;
  AttnTorchStorages entries = {.sorted = archive.entries, .n = archive.n_entries};
  return attn_torch_storages_sort (&entries, path, error) &&
         check_byte_order (&archive, &entries, error) && list_tensors (&archive, &entries, error);
}
