/* SPDX-License-Identifier: MIT */
/* Weights as PyTorch saves them: which container it is. */
#include "torch.h"

#include "file.h"

#include "attn/error.h"

#include <stdlib.h>
#include <string.h>

enum { SNIFF_BYTES = 512 };

static bool
read_container (int fd, guint64 n_bytes, const char *path, AttnTensorTable *table, GError **error)
{
  char begin[SNIFF_BYTES];
  size_t n = (size_t)MIN (n_bytes, SNIFF_BYTES);
  if (!attn_file_read_at (fd, 0, begin, n, path, error))
    return false;
  if (n >= 4 && memcmp (begin, "PK\3\4", 4) == 0)
    return attn_torch_read_zip (fd, n_bytes, path, table, error);
  if (n >= 2 && (guint8)begin[0] == 0x80)
    return attn_torch_read_stream (fd, n_bytes, path, table, error);
  const char *content = attn_file_name_content (begin, n);
  if (content != NULL)
    return attn_file_refuse (path, ATTN_ERROR_FORMAT, error, "found %s, wanted a PyTorch file",
                             content);
  return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                           "found neither a zip archive nor a pickle, wanted a PyTorch file");
}

bool
attn_torch_read (int fd, guint64 n_bytes, const char *path, AttnTensorTable *table, GError **error)
{
  g_auto (AttnTensorTable) made = {.arena.limit = ATTN_TORCH_MAX_VALUE_BYTES};
  if (!read_container (fd, n_bytes, path, &made, error))
    return false;
  *table = made;
  made = (AttnTensorTable){0};
  return true;
}

static int
compare_storages (const void *a, const void *b)
{
  return strcmp ((*(AttnStorage *const *)a)->name, (*(AttnStorage *const *)b)->name);
}

bool
attn_torch_storages_sort (AttnTorchStorages *storages, const char *path, GError **error)
{
  if (storages->n == 0)
    return true;
  qsort (storages->sorted, storages->n, sizeof storages->sorted[0], compare_storages);
  for (size_t i = 1; i < storages->n; i++) {
    const char *name = storages->sorted[i]->name;
    if (strcmp (storages->sorted[i - 1]->name, name) != 0)
      continue;
    g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
    return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                             "found %s twice in the file, wanted it once", shown);
  }
  return true;
}

static int
compare_name_with_storage (const void *name, const void *storage)
{
  return strcmp (name, (*(AttnStorage *const *)storage)->name);
}

AttnStorage *
attn_torch_storages_find (const AttnTorchStorages *storages, const char *name)
{
  AttnStorage **found = storages->n == 0
                            ? NULL
                            : bsearch (name, storages->sorted, storages->n,
                                       sizeof storages->sorted[0], compare_name_with_storage);
  return found == NULL ? NULL : *found;
}
