/* SPDX-License-Identifier: MIT */
/* The locks of a model: .locks/MODEL/ETAG.lock, and unfinished blobs. */
#include "model-locks.h"

#include "repo-dir.h"
#include "walk.h"

#include "attn-hub/name.h"
#include "attn/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define MAX_LOCKS 400 /* held at once: a process may open a thousand files */

static bool
is_lock (const char *name)
{
  return g_str_has_suffix (name, ".lock");
}

static bool
is_part (const char *name)
{
  return g_str_has_suffix (name, ".headscope.part");
}

static int
open_locks (const char *cache, const char *repo)
{
  g_autofree char *folder = attn_hub_name_dup_folder (repo);
  g_autofree char *path = g_build_filename (cache, ".locks", folder, NULL);
  return open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Locks what is in @dir, which it closes, and @wanted lets through. Returns: false where a program
 * holds one. */
static bool
lock_all (GArray *locks, int dir, bool (*wanted) (const char *name))
{
  bool is_cut = false, is_free = true;
  if (dir < 0)
    return true;
  g_autoptr (GPtrArray) names = attn_hub_list_names (dir, wanted, MAX_LOCKS, &is_cut);
  for (guint i = 0; i < names->len && is_free; i++) {
    int fd =
        openat (dir, g_ptr_array_index (names, i), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
      continue;
    is_free = flock (fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    g_array_append_val (locks, fd);
  }
  close (dir);
  return is_free;
}

void
attn_hub_locks_release (GArray *locks)
{
  if (locks == NULL)
    return;
  for (guint i = 0; i < locks->len; i++)
    close (g_array_index (locks, int, i));
  g_array_unref (locks);
}

GArray *
attn_hub_locks_take (const char *cache, const char *repo, int repo_dir, GError **error)
{
  GArray *locks = g_array_new (FALSE, FALSE, sizeof (int));
  if (lock_all (locks, open_locks (cache, repo), is_lock) &&
      lock_all (locks, attn_hub_open_folder (repo_dir, "blobs"), is_part))
    return locks;
  attn_hub_locks_release (locks);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
               "%s: a program is just downloading it; stop that, or wait until it is done", repo);
  return NULL;
}

void
attn_hub_locks_remove (const char *cache, const char *repo)
{
  bool is_cut = false;
  int dir = open_locks (cache, repo);
  if (dir < 0)
    return;
  g_autoptr (GPtrArray) names = attn_hub_list_names (dir, is_lock, G_MAXUINT, &is_cut);
  for (guint i = 0; i < names->len; i++)
    unlinkat (dir, g_ptr_array_index (names, i), 0);
  close (dir);
  g_autofree char *folder = attn_hub_name_dup_folder (repo);
  g_autofree char *path = g_build_filename (cache, ".locks", folder, NULL);
  rmdir (path);
}
