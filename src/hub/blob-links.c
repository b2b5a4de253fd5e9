/* SPDX-License-Identifier: MIT */
/* Reading the links of a snapshot, without following them. */
#include "blob-links.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

char *
attn_hub_link_dup_blob (const AttnHubFile *file)
{
  char target[PATH_MAX];
  if (!S_ISLNK (file->state->st_mode))
    return NULL;
  ssize_t n = readlinkat (file->dir, file->name, target, sizeof target - 1);
  if (n <= 0)
    return NULL;
  target[n] = '\0';
  char *slash = strrchr (target, '/');
  if (slash == NULL)
    return NULL;
  *slash = '\0';
  const char *folder = strrchr (target, '/');
  bool is_blob = strcmp (folder != NULL ? folder + 1 : target, "blobs") == 0 && slash[1] != '\0';
  return is_blob ? g_strdup (slash + 1) : NULL;
}
