/* SPDX-License-Identifier: MIT */
/* Removing what is left over in the store of blobs that models share. */
#include "shared-blobs.h"

#include "walk.h"

#include "attn/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define N_HASH 64
#define MARK ".huggingface-shared-blobs"
#define MAX_LIST_BYTES ((size_t)16 << 20)
#define LINK_BEGIN "../../blobs/"

static bool
is_hash (const char *text)
{
  return strlen (text) == N_HASH && strspn (text, "0123456789abcdef") == N_HASH;
}

char *
attn_hub_shared_dup_hash (int blobs, const char *name)
{
  char target[PATH_MAX];
  ssize_t n = readlinkat (blobs, name, target, sizeof target - 1);
  if (n <= 0)
    return NULL;
  target[n] = '\0';
  const char *rest = target + strlen (LINK_BEGIN);
  if (!g_str_has_prefix (target, LINK_BEGIN) || strlen (rest) != N_HASH + 3 || rest[2] != '/' ||
      !is_hash (rest + 3) || strncmp (rest, rest + 3, 2) != 0)
    return NULL;
  return g_strdup (rest + 3);
}

/* The store's folder for @hash, or -1 where there is no store of the kind that is known. */
static int
open_store (const char *cache, const char *hash)
{
  char version[4] = "", prefix[3] = {hash[0], hash[1], '\0'};
  g_autofree char *path = g_build_filename (cache, "blobs", NULL);
  int store = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (store < 0)
    return -1;
  int mark = openat (store, MARK, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  ssize_t n = mark < 0 ? -1 : read (mark, version, sizeof version - 1);
  if (mark >= 0)
    close (mark);
  int folder = n == 2 && strcmp (version, "1\n") == 0 ? attn_hub_open_folder (store, prefix) : -1;
  close (store);
  return folder;
}

/* Whether a line of the list, "models--a--b/blobs/ETAG", is a link to @hash that stays. */
static bool
is_kept (const AttnHubLoser *loser, const char *line, const char *hash)
{
  g_auto (GStrv) parts = g_strsplit (line, "/", -1);
  if (g_strv_length (parts) != 3 || strcmp (parts[1], "blobs") != 0 || *parts[2] == '\0' ||
      strstr (parts[0], "--") == NULL || strcmp (parts[2], "..") == 0)
    return false;
  if (strcmp (parts[0], loser->folder) == 0 &&
      (loser->names == NULL || g_hash_table_contains (loser->names, parts[2])))
    return false;
  g_autofree char *path = g_build_filename (loser->cache, parts[0], "blobs", NULL);
  int blobs = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (blobs < 0)
    return errno != ENOENT; /* who cannot look must not judge */
  g_autofree char *target = attn_hub_shared_dup_hash (blobs, parts[2]);
  close (blobs);
  return target != NULL && strcmp (target, hash) == 0;
}

/* Whether nobody else has a link; false where that is not known. */
static bool
is_left_over (const AttnHubLoser *loser, int folder, const char *hash)
{
  size_t n_bytes = 0;
  g_autofree char *name = g_strconcat (hash, ".refs", NULL);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d/%s", folder, name);
  struct stat state;
  if (fstatat (folder, name, &state, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG (state.st_mode))
    return false;
  g_autofree char *list = attn_file_load (path, MAX_LIST_BYTES, &n_bytes, NULL);
  if (list == NULL || strlen (list) != n_bytes)
    return false;
  g_auto (GStrv) lines = g_strsplit (list, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    if (is_kept (loser, *line, hash))
      return false;
  return true;
}

/* Takes the lock of @hash; -1 where that cannot be. */
static int
lock_blob (int folder, const char *hash)
{
  g_autofree char *name = g_strconcat (hash, ".lock", NULL);
  int lock = openat (folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (lock >= 0 && flock (lock, LOCK_EX | LOCK_NB) == 0)
    return lock;
  if (lock >= 0)
    close (lock);
  return -1;
}

guint64
attn_hub_shared_sweep (const AttnHubLoser *loser, const char *hash, bool plans)
{
  struct stat state;
  guint64 n_bytes = 0;
  int folder = open_store (loser->cache, hash);
  if (folder < 0)
    return 0;
  int lock = plans ? -1 : lock_blob (folder, hash);
  if ((plans || lock >= 0) && fstatat (folder, hash, &state, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISREG (state.st_mode) && is_left_over (loser, folder, hash)) {
    n_bytes = (guint64)state.st_size;
    g_autofree char *list = g_strconcat (hash, ".refs", NULL);
    if (!plans && unlinkat (folder, hash, 0) == 0)
      unlinkat (folder, list, 0);
    else if (!plans)
      n_bytes = 0;
  }
  if (lock >= 0)
    close (lock);
  close (folder);
  return n_bytes;
}
