/* SPDX-License-Identifier: MIT */
/* One array of a file: what it is and where it stands. */
#include "array-entry.h"

#include "convert.h"
#include "file.h"

#include <string.h>

void
attn_array_entry_free (AttnArrayEntry *entry)
{
  g_free (entry->name);
  g_free (entry->dtype_name);
  g_free (entry);
}

char *
attn_array_entry_dup_shape (const AttnArrayEntry *entry)
{
  GString *text = g_string_new ("[");
  for (size_t d = 0; d < MIN (entry->n_dims, ATTN_TENSOR_MAX_DIMS); d++)
    g_string_append_printf (text, d > 0 ? ", %zu" : "%zu", entry->shape[d]);
  g_string_append (text, entry->n_dims > ATTN_TENSOR_MAX_DIMS ? ", …]" : "]");
  return g_string_free (text, FALSE);
}

size_t
attn_array_entry_get_width (const AttnArrayEntry *entry)
{
  return MIN (attn_convert_get_width (entry->dtype), sizeof (float));
}

char *
attn_array_entry_dup_what (const AttnArrayEntry *entry, const char *path)
{
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  if (entry->name == NULL)
    return g_steal_pointer (&shown);
  g_autofree char *name = attn_file_dup_shown (entry->name, strlen (entry->name));
  return g_strdup_printf ("%s: array %s", shown, name);
}
