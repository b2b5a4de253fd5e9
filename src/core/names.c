/* SPDX-License-Identifier: MIT */
/* Finding a word that somebody typed in a table of names. */
#include "attn/names.h"

size_t
attn_name_find (const char *name, const char *const *names, size_t n)
{
  size_t index = 0;
  while (index < n && g_ascii_strcasecmp (name, names[index]) != 0)
    index++;
  return index;
}
