/* SPDX-License-Identifier: MIT */
/* NumPy's archive of arrays: the NPY files of a zip archive, stored or deflated. */
#include "array-npz.h"

#include "byte-stream.h"
#include "file.h"
#include "npy.h"

#include "attn/error.h"

#include <string.h>

enum { MAX_ENTRIES = 20000 };

#define SUFFIX ".npy"

/* The archive that is listed, and where its arrays go. */
typedef struct {
  zip_t *archive;
  const char *path;
  GPtrArray *entries;
} Listing;

static bool
check_kind (const char *path, const zip_stat_t *facts, const char *what, GError **error)
{
  const zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((facts->valid & needed) != needed)
    return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                             "found a zip entry without size or method");
  if (facts->encryption_method != ZIP_EM_NONE)
    return attn_file_refuse (what, ATTN_ERROR_UNSUPPORTED, error,
                             "found it encrypted, wanted it plain");
  return facts->comp_method == ZIP_CM_STORE || facts->comp_method == ZIP_CM_DEFLATE ||
         attn_file_refuse (what, ATTN_ERROR_UNSUPPORTED, error,
                           "found it compressed by method %u, wanted it stored or deflated as "
                           "NumPy does",
                           (guint)facts->comp_method);
}

static bool
read_entry (const Listing *listing, zip_uint64_t index, const zip_stat_t *facts, GError **error)
{
  g_autoptr (AttnArrayEntry) entry = g_new0 (AttnArrayEntry, 1);
  g_autofree char *name = g_strndup (facts->name, strlen (facts->name) - strlen (SUFFIX));
  entry->name = g_utf8_make_valid (name, -1);
  entry->index = index;
  g_autofree char *what = attn_array_entry_dup_what (entry, listing->path);
  if (!check_kind (listing->path, facts, what, error))
    return false;
  g_auto (AttnByteStream) stream = {.what = what, .fd = -1, .n_left = facts->size};
  stream.zip = zip_fopen_index (listing->archive, index, 0);
  if (stream.zip == NULL)
    return attn_zip_refuse (what, zip_get_error (listing->archive), error);
  if (!attn_npy_read_header (&stream, entry, error))
    return false;
  entry->offset = stream.at;
  g_ptr_array_add (listing->entries, g_steal_pointer (&entry));
  return true;
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp ((*(AttnArrayEntry *const *)a)->name, (*(AttnArrayEntry *const *)b)->name);
}

/* Of two arrays of one name nobody knows which is meant. */
static bool
check_names (const GPtrArray *entries, const char *path, GError **error)
{
  guint n = entries->len;
  g_autofree AttnArrayEntry **sorted = g_memdup2 (entries->pdata, n * sizeof *sorted);
  if (n > 1)
    qsort (sorted, n, sizeof *sorted, compare_names);
  for (guint i = 1; i < n; i++)
    if (strcmp (sorted[i - 1]->name, sorted[i]->name) == 0) {
      g_autofree char *what = attn_array_entry_dup_what (sorted[i], path);
      return attn_file_refuse (what, ATTN_ERROR_FORMAT, error, "found it twice, wanted it once");
    }
  return true;
}

bool
attn_array_npz_list (zip_t *archive, const char *path, GPtrArray *entries, GError **error)
{
  const Listing listing = {archive, path, entries};
  zip_int64_t n = zip_get_num_entries (archive, 0);
  if (n < 0 || n > MAX_ENTRIES)
    return attn_file_refuse (path, ATTN_ERROR_TOO_LARGE, error,
                             "found %" G_GINT64_FORMAT " zip entries, wanted at most %d", (gint64)n,
                             MAX_ENTRIES);
  bool has_pickle = false;
  for (zip_int64_t i = 0; i < n; i++) {
    zip_stat_t facts;
    if (zip_stat_index (archive, (zip_uint64_t)i, ZIP_FL_ENC_RAW, &facts) != 0)
      return attn_zip_refuse (path, zip_get_error (archive), error);
    if ((facts.valid & ZIP_STAT_NAME) == 0)
      continue;
    has_pickle = has_pickle || g_str_has_suffix (facts.name, ".pkl");
    if (g_str_has_suffix (facts.name, SUFFIX) &&
        !read_entry (&listing, (zip_uint64_t)i, &facts, error))
      return false;
  }
  if (entries->len == 0)
    return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                             "found %s, wanted a .npy, .npz or .safetensors file",
                             has_pickle ? "a PyTorch file" : "a zip archive without arrays");
  return check_names (entries, path, error);
}
