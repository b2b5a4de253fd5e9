/* SPDX-License-Identifier: MIT */
/* The storages of a PyTorch file by their name. */
#include "torch-storages.h"

#include "file.h"

#include "attn/error.h"

#include <stdlib.h>
#include <string.h>

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
