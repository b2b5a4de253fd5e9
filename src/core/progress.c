/* SPDX-License-Identifier: MIT */
/* Asking the progress callback whether to go on. */
#include "attn/progress.h"

#include "attn/error.h"

bool
attn_progress_tell (AttnProgressFunc func, void *data, double fraction, GError **error)
{
  if (func == NULL || func (fraction, data))
    return true;
  g_set_error_literal (error, ATTN_ERROR, ATTN_ERROR_CANCELLED, "stopped");
  return false;
}
