/* SPDX-License-Identifier: MIT */
/* Keeping lists of warnings readable, whatever a file is made to set off. */
#include "warnings.h"

void
attn_warnings_limit (GPtrArray *warnings)
{
  if (warnings->len <= ATTN_WARNINGS_KEPT + 1)
    return;
  const guint n_more = warnings->len - ATTN_WARNINGS_KEPT;
  g_ptr_array_remove_range (warnings, ATTN_WARNINGS_KEPT, n_more);
  g_ptr_array_add (warnings, g_strdup_printf ("and %u more warnings", n_more));
}
