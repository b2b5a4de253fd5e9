/* SPDX-License-Identifier: MIT */
/* Reading the small files below refs/. */
#include "cache-refs.h"

#include "walk.h"

#include "attn-hub/cache.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAX_REFS 10000
#define MAX_COMMIT_BYTES 255 /* a file's name is not longer */

bool
attn_hub_is_snapshot_name (const char *name)
{
  size_t length = strlen (name);
  if (length == 0 || length > MAX_COMMIT_BYTES || name[0] == '.')
    return false;
  for (const char *p = name; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr ("-_.", *p) == NULL)
      return false;
  return true;
}

/* The commit in a file, or NULL. Neither links nor pipes are opened. */
static char *
read_commit (int dir, const char *name)
{
  char content[MAX_COMMIT_BYTES + 2]; /* one more than a commit may have, and a NUL */
  struct stat state;
  int fd = openat (dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  ssize_t n = fstat (fd, &state) == 0 && S_ISREG (state.st_mode)
                  ? read (fd, content, sizeof content - 1)
                  : -1;
  close (fd);
  if (n <= 0)
    return NULL;
  content[n] = '\0';
  g_strstrip (content);
  return attn_hub_is_snapshot_name (content) ? g_strdup (content) : NULL;
}

static bool
add_ref (const AttnHubFile *file, void *data)
{
  GHashTable *refs = data;
  if (!attn_hub_name_check_revision (file->path, NULL))
    return true;
  char *commit = read_commit (file->dir, file->name);
  if (commit == NULL)
    return true;
  GPtrArray *names = g_hash_table_lookup (refs, commit);
  if (names == NULL) {
    names = g_ptr_array_new_with_free_func (g_free);
    g_hash_table_insert (refs, commit, names);
  } else {
    g_free (commit);
  }
  g_ptr_array_add (names, g_strdup (file->path));
  return true;
}

static int
compare_refs (const void *a, const void *b)
{
  const char *left = *(const char *const *)a, *right = *(const char *const *)b;
  int by_main = (strcmp (right, ATTN_HUB_DEFAULT_REVISION) == 0) -
                (strcmp (left, ATTN_HUB_DEFAULT_REVISION) == 0);
  return by_main != 0 ? by_main : strcmp (left, right);
}

GHashTable *
attn_hub_refs_read (int repo_dir)
{
  GHashTable *refs =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
  int dir = attn_hub_open_folder (repo_dir, "refs");
  if (dir < 0)
    return refs;
  attn_hub_walk (dir, MAX_REFS, add_ref, refs);
  close (dir);
  GHashTableIter iter;
  void *names = NULL;
  g_hash_table_iter_init (&iter, refs);
  while (g_hash_table_iter_next (&iter, NULL, &names))
    g_ptr_array_sort (names, compare_refs);
  return refs;
}

char *
attn_hub_cache_read_ref (const char *repo_folder, const char *revision)
{
  g_return_val_if_fail (repo_folder != NULL && revision != NULL, NULL);
  if (!attn_hub_name_check_revision (revision, NULL))
    return NULL;
  g_autofree char *path = g_build_filename (repo_folder, "refs", revision, NULL);
  return read_commit (AT_FDCWD, path);
}
