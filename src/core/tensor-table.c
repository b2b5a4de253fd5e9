/* SPDX-License-Identifier: MIT */
/* Every tensor of one weight file: a table that grows, and its order by name. */
#include "tensor-table.h"

#include "file.h"

#include "attn/error.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIRST_CAPACITY = 256,
  MAX_TENSORS = 1000000,
};

void
attn_tensor_table_clear (AttnTensorTable *table)
{
  g_clear_pointer (&table->tensors, g_free);
  g_clear_pointer (&table->text, g_free);
  attn_arena_clear (&table->arena);
  g_clear_pointer (&table->texts, g_hash_table_unref);
  table->n_tensors = 0;
  table->capacity = 0;
}

AttnStoredTensor *
attn_tensor_table_append (AttnTensorTable *table, const char *path, GError **error)
{
  if (table->n_tensors == MAX_TENSORS) {
    attn_file_refuse (path, ATTN_ERROR_TOO_LARGE, error,
                      "found more than %d tensors, wanted at most that many", MAX_TENSORS);
    return NULL;
  }
  if (table->n_tensors == table->capacity) {
    size_t capacity = MAX (FIRST_CAPACITY, 2 * table->capacity);
    AttnStoredTensor *grown = g_try_renew (AttnStoredTensor, table->tensors, capacity);
    if (grown == NULL) {
      attn_file_refuse (path, ATTN_ERROR_TOO_LARGE, error, "no memory for a table of %zu tensors",
                        capacity);
      return NULL;
    }
    table->tensors = grown;
    table->capacity = capacity;
  }
  AttnStoredTensor *next = &table->tensors[table->n_tensors++];
  *next = (AttnStoredTensor){0};
  return next;
}

int
attn_stored_tensor_compare_names (const void *a, const void *b)
{
  const AttnStoredTensor *left = *(const AttnStoredTensor *const *)a;
  const AttnStoredTensor *right = *(const AttnStoredTensor *const *)b;
  return strcmp (left->info.name, right->info.name);
}

/* Sorted neighbours, not a hash table: names chosen to collide would make that one quadratic. */
AttnStoredTensor **
attn_tensor_table_sort (const AttnTensorTable *table, const char *path, GError **error)
{
  size_t n = table->n_tensors;
  g_autofree AttnStoredTensor **sorted = g_try_new (AttnStoredTensor *, MAX (n, 1));
  if (sorted == NULL) {
    attn_file_refuse (path, ATTN_ERROR_TOO_LARGE, error, "no memory for the names of %zu tensors",
                      n);
    return NULL;
  }
  for (size_t i = 0; i < n; i++)
    sorted[i] = &table->tensors[i];
  qsort (sorted, n, sizeof sorted[0], attn_stored_tensor_compare_names);
  for (size_t i = 1; i < n; i++) {
    const char *name = sorted[i]->info.name;
    if (strcmp (sorted[i - 1]->info.name, name) != 0)
      continue;
    g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
    attn_file_refuse (path, ATTN_ERROR_FORMAT, error, "found tensor %s twice, wanted it once",
                      shown);
    return NULL;
  }
  return g_steal_pointer (&sorted);
}

static int
compare_name_with_tensor (const void *name, const void *tensor)
{
  return strcmp (name, (*(const AttnStoredTensor *const *)tensor)->info.name);
}

AttnStoredTensor *
attn_stored_tensor_find (AttnStoredTensor **sorted, size_t n, const char *name)
{
  AttnStoredTensor **found =
      n == 0 ? NULL : bsearch (name, sorted, n, sizeof sorted[0], compare_name_with_tensor);
  return found == NULL ? NULL : *found;
}
