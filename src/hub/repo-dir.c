/* SPDX-License-Identifier: MIT */
/* Folders of the cache, opened and made one below the other. */
#include "repo-dir.h"

#include "attn-hub/name.h"
#include "attn/error.h"
#include "attn/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_FOLDER (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

/* The mark of folders whose content can be had again, as backup programs know it. */
static const char cache_tag[] = "Signature: 8a477f597d28d172789f06886806bc55\n"
                                "# This folder holds models that can be downloaded again.\n"
                                "# What the mark means: https://bford.info/cachedir/\n";

bool
attn_hub_refuse_io (
    const char *cache, const char *repo, const char *name, const char *what, GError **error)
{
  int reason = errno;
  g_autofree char *folder = attn_hub_name_dup_folder (repo);
  g_autofree char *path = g_build_filename (cache, folder, name, NULL);
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: cannot be %s: %s", shown, what,
               g_strerror (reason));
  return false;
}

int
attn_hub_subfolder_open (int dir, const char *name, AttnHubMake make)
{
  if (make == ATTN_HUB_MAKE && mkdirat (dir, name, 0777) != 0 && errno != EEXIST)
    return -1;
  return openat (dir, name, OPEN_FOLDER | O_NOFOLLOW);
}

int
attn_hub_parent_open (int dir, const char *path, AttnHubMake make, const char **last)
{
  int parent = openat (dir, ".", OPEN_FOLDER);
  for (const char *slash = strchr (path, '/'); slash != NULL && parent >= 0;
       slash = strchr (path, '/')) {
    g_autofree char *part = g_strndup (path, (gsize)(slash - path));
    int inner = attn_hub_subfolder_open (parent, part, make);
    int reason = errno;
    close (parent);
    errno = reason;
    parent = inner;
    path = slash + 1;
  }
  *last = path;
  return parent;
}

static void
mark_cache (int dir)
{
  int fd = openat (dir, "CACHEDIR.TAG", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return;
  attn_hub_write_all (fd, 0, cache_tag, strlen (cache_tag));
  close (fd);
}

static int
open_cache (const char *cache, AttnHubMake make)
{
  if (make == ATTN_HUB_MAKE && g_mkdir_with_parents (cache, 0777) != 0)
    return -1;
  int dir = open (cache, OPEN_FOLDER);
  if (dir >= 0 && make == ATTN_HUB_MAKE)
    mark_cache (dir);
  return dir;
}

int
attn_hub_repo_open (const char *cache, const char *repo, AttnHubMake make, GError **error)
{
  if (!attn_hub_name_check_repo (repo, error))
    return -1;
  int dir = open_cache (cache, make);
  int folder = -1;
  if (dir >= 0) {
    g_autofree char *name = attn_hub_name_dup_folder (repo);
    /* the model's folder itself may be a link: people move large models to another disk */
    if (make == ATTN_HUB_OPEN || mkdirat (dir, name, 0777) == 0 || errno == EEXIST)
      folder = openat (dir, name, OPEN_FOLDER);
    int reason = errno;
    close (dir);
    errno = reason;
  }
  if (folder < 0)
    attn_hub_refuse_io (cache, repo, NULL, make == ATTN_HUB_MAKE ? "made" : "opened", error);
  return folder;
}

bool
attn_hub_write_all (int fd, guint64 offset, const void *bytes, size_t n)
{
  const char *from = bytes;
  while (n > 0) {
    ssize_t written = pwrite (fd, from, n, (off_t)offset);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    from += written;
    offset += (guint64)written;
    n -= (size_t)written;
  }
  return true;
}

void
attn_hub_make_name (char name[ATTN_HUB_NAME_SIZE])
{
  g_snprintf (name, ATTN_HUB_NAME_SIZE, ".headscope-%08x-%08x", (unsigned)getpid (),
              g_random_int ());
}

bool
attn_hub_replace_file (int aside, int dir, const char *name, const char *content)
{
  char temporary[ATTN_HUB_NAME_SIZE];
  attn_hub_make_name (temporary);
  int fd = openat (aside, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return false;
  bool done = attn_hub_write_all (fd, 0, content, strlen (content)) && fsync (fd) == 0;
  done = close (fd) == 0 && done;
  done = done && renameat (aside, temporary, dir, name) == 0;
  int reason = errno;
  if (!done)
    unlinkat (aside, temporary, 0);
  errno = reason;
  return done;
}
