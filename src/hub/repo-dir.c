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

char *
attn_hub_dup_reason (int number, bool writes)
{
  static const struct {
    int number;
    const char *advice;
    const char *place; /* (nullable): that HF_HUB_CACHE may name */
  } known[] = {
      {ENOSPC, "make room and try again: what has arrived is kept", "a folder on another disk"},
      {EDQUOT, "make room within what you may use and try again: what has arrived is kept",
       "a folder on another disk"},
      {EROFS, "the disk can only be read", "a folder on another disk"},
      {EFBIG, "the disk takes no files as large as this", "a folder on another disk"},
      {EACCES, "check owner and permissions there", "a folder of your own"},
      {EPERM, "check owner and permissions there", "a folder of your own"},
      {ENOTDIR, "move what is there away", "another folder"},
      {EEXIST, "move what is there away", NULL},
      {EISDIR, "move the folder that is there away", NULL},
      {ELOOP, "remove the link that is there", NULL},
      {ENOENT, "check whether it, or the folder above it, was moved meanwhile", NULL},
      {ENAMETOOLONG, "the path is too long", "a folder with a shorter path"},
      {EMFILE, "close some windows and try again", NULL},
      {ENFILE, "close some programs and try again", NULL},
      {EIO, "the disk does not answer as it should: check it, then try again", NULL},
      {ESTALE, "the network folder was replaced meanwhile: try again", NULL},
  };
  const char *means = strerrordesc_np (number);
  means = means != NULL ? means : "unknown system error";
  for (size_t i = 0; i < G_N_ELEMENTS (known); i++)
    if (known[i].number == number && writes && known[i].place != NULL)
      return g_strdup_printf ("%s; %s, or name %s in HF_HUB_CACHE", means, known[i].advice,
                              known[i].place);
    else if (known[i].number == number)
      return g_strdup_printf ("%s; %s", means, known[i].advice);
  return g_strdup (means);
}

/* The first part of @path, from its root, that is no folder: what stands in the way. From
 * @n_followed bytes on links are not followed, so that they do, too. */
static char *
find_obstacle (const char *path, size_t n_followed)
{
  struct stat state;
  for (const char *end = path; *end != '\0';) {
    end += strcspn (end + 1, "/") + 1;
    g_autofree char *part = g_strndup (path, (gsize)(end - path));
    bool is_followed = (size_t)(end - path) <= n_followed;
    if (lstat (part, &state) != 0)
      return NULL;
    if (is_followed && S_ISLNK (state.st_mode) && stat (part, &state) != 0)
      return g_steal_pointer (&part);
    if (!S_ISDIR (state.st_mode))
      return g_steal_pointer (&part);
  }
  return NULL;
}

static bool
refuse_obstacle (const char *place, bool writes, GError **error)
{
  g_autofree char *shown = attn_file_dup_shown (place, strlen (place));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
               "%s: wanted is a folder here, found is %s; move it away%s", shown,
               g_file_test (place, G_FILE_TEST_IS_SYMLINK) ? "a link" : "a file",
               writes ? ", or name another folder in HF_HUB_CACHE" : "");
  return false;
}

bool
attn_hub_refuse_io (
    const char *cache, const char *repo, const char *name, const char *what, GError **error)
{
  int reason = errno;
  bool writes = strcmp (what, "written") == 0 || strcmp (what, "made") == 0;
  g_autofree char *folder = attn_hub_name_dup_folder (repo);
  g_autofree char *top = g_build_filename (cache, folder, NULL);
  g_autofree char *path = g_build_filename (top, name, NULL);
  g_autofree char *obstacle =
      reason == ENOTDIR || reason == ENOENT ? find_obstacle (path, strlen (top)) : NULL;
  if (obstacle != NULL)
    return refuse_obstacle (obstacle, writes, error);
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  g_autofree char *why = attn_hub_dup_reason (reason, writes);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: cannot be %s: %s", shown, what, why);
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
attn_hub_cache_open (const char *cache, GError **error)
{
  int dir = open (cache, OPEN_FOLDER);
  int reason = errno;
  if (dir < 0 && reason != ENOENT) {
    g_autofree char *shown = attn_file_dup_shown (cache, strlen (cache));
    g_autofree char *why = attn_hub_dup_reason (reason, true);
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: the cache of models cannot be read: %s",
                 shown, why);
  }
  errno = reason;
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
