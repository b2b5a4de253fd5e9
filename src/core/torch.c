/* SPDX-License-Identifier: MIT */
/* Weights as PyTorch saves them: which container it is. */
#include "torch.h"

#include "file.h"
#include "torch-parts.h"

#include "attn/error.h"

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
