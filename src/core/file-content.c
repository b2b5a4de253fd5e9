/* SPDX-License-Identifier: MIT */
/* What people really have when a file is not what its name says. */
#include "file.h"

#include <string.h>

const char *
attn_file_name_content (const char *begin, size_t n)
{
  g_autofree char *text = g_ascii_strdown (begin, (gssize)n);
  const char *first = text + strspn (text, " \t\r\n");
  if (g_str_has_prefix (text, "version https://git-lfs"))
    return "a Git LFS pointer (\"git lfs pull\" fetches the file itself)";
  if (g_str_has_prefix (first, "<!doctype") || g_str_has_prefix (first, "<html") ||
      g_str_has_prefix (first, "<?xml"))
    return "a web page, probably of a download that failed";
  if (g_str_has_prefix (text, "gguf"))
    return "a GGUF file";
  if (g_str_has_prefix (text, "pk\3\4") || g_str_has_prefix (text, "\x80\2"))
    return "a PyTorch file";
  if (*first == '{')
    return "JSON text, probably an error message saved as a file";
  return NULL;
}
