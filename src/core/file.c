/* SPDX-License-Identifier: MIT */
/* Reading regular files: open, read at an offset, read whole. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* one pread moves at most this much, whatever size_t could say */
#define READ_PIECE ((size_t)1 << 30)

bool
attn_file_refuse (const char *path, AttnError code, GError **error, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *rest = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  g_set_error (error, ATTN_ERROR, code, "%s: %s", shown, rest);
  return false;
}

static void
set_errno_error (GError **error, const char *path, int code)
{
  /* glibc's untranslated wording: the core's sentences are English */
  const char *reason = strerrordesc_np (code);
  attn_file_refuse (path, ATTN_ERROR_IO, error, "%s",
                    reason != NULL ? reason : "unknown system error");
}

/* A path that does not open: a link to nothing is told from a file that nobody promised. */
static void
set_open_error (GError **error, const char *path, int code)
{
  struct stat status;
  bool is_link = lstat (path, &status) == 0 && S_ISLNK (status.st_mode);
  if (is_link && code == ENOENT)
    attn_file_refuse (path, ATTN_ERROR_IO, error, "is a link to a file that is not there");
  else if (is_link && code == ELOOP)
    attn_file_refuse (path, ATTN_ERROR_IO, error, "is a link that leads back to itself");
  else
    set_errno_error (error, path, code);
}

bool
attn_file_find (const char *path, bool *found, GError **error)
{
  struct stat status;
  *found = false;
  if (lstat (path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR))
    return true;
  if (stat (path, &status) != 0) {
    set_open_error (error, path, errno);
    return false;
  }
  *found = true;
  return true;
}

bool
attn_file_get_state (int fd, const char *path, AttnFileState *state, GError **error)
{
  struct stat status;
  if (fstat (fd, &status) != 0) {
    set_errno_error (error, path, errno);
    return false;
  }
  *state = (AttnFileState){
      .device = status.st_dev,
      .inode = status.st_ino,
      .n_bytes = (guint64)status.st_size,
      .modified_ns = (gint64)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
  };
  return true;
}

bool
attn_file_has_same_state (const AttnFileState *a, const AttnFileState *b)
{
  return a->device == b->device && a->inode == b->inode && a->n_bytes == b->n_bytes &&
         a->modified_ns == b->modified_ns;
}

static const char *
name_file_kind (mode_t mode)
{
  if (S_ISDIR (mode))
    return "a folder";
  if (S_ISFIFO (mode))
    return "a pipe";
  if (S_ISCHR (mode) || S_ISBLK (mode))
    return "a device";
  return "a special file";
}

/* A pipe without a name in any folder, as a shell hands one over: it has its writer already. */
static bool
is_handed_pipe (int fd, mode_t mode)
{
  struct statfs system;
  return S_ISFIFO (mode) && fstatfs (fd, &system) == 0 && system.f_type == PIPEFS_MAGIC;
}

/* Returns: a descriptor and what it is of, or -1 with @error. */
static int
open_now (const char *path, struct stat *status, GError **error)
{
  /* O_NONBLOCK: opening a pipe would wait for a writer; it changes nothing for regular files */
  int fd;
  do
    fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  while (fd < 0 && errno == EINTR);
  if (fd < 0) {
    set_open_error (error, path, errno);
    return -1;
  }
  if (fstat (fd, status) == 0)
    return fd;
  set_errno_error (error, path, errno);
  close (fd);
  return -1;
}

static int
refuse_kind (int fd, const char *path, mode_t mode, GError **error)
{
  attn_file_refuse (path, ATTN_ERROR_IO, error, "found %s, wanted a regular file",
                    name_file_kind (mode));
  close (fd);
  return -1;
}

int
attn_file_open (const char *path, guint64 *n_bytes, GError **error)
{
  struct stat status;
  int fd = open_now (path, &status, error);
  if (fd < 0)
    return -1;
  if (!S_ISREG (status.st_mode))
    return refuse_kind (fd, path, status.st_mode, error);
  *n_bytes = (guint64)status.st_size;
  return fd;
}

int
attn_file_open_stream (const char *path, GError **error)
{
  struct stat status;
  int fd = open_now (path, &status, error);
  if (fd < 0 || S_ISREG (status.st_mode))
    return fd;
  if (!is_handed_pipe (fd, status.st_mode))
    return refuse_kind (fd, path, status.st_mode, error);
  if (fcntl (fd, F_SETFL, O_RDONLY) == 0) /* what has not come yet is waited for */
    return fd;
  set_errno_error (error, path, errno);
  close (fd);
  return -1;
}

bool
attn_file_read_at (int fd, guint64 offset, void *out, size_t n, const char *what, GError **error)
{
  char *next = out;
  size_t left = n;
  while (left > 0) {
    ssize_t got = pread (fd, next, MIN (left, READ_PIECE), (off_t)offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0) {
      set_errno_error (error, what, errno);
      return false;
    }
    if (got == 0)
      return attn_file_refuse (what, ATTN_ERROR_IO, error,
                               "the file ends at byte %" G_GUINT64_FORMAT
                               ", %zu bytes too early; it has become shorter since it was opened",
                               offset, left);
    next += got;
    left -= (size_t)got;
    offset += (guint64)got;
  }
  return true;
}

char *
attn_file_load (const char *path, size_t max_bytes, size_t *n_bytes, GError **error)
{
  guint64 size = 0;
  int fd = attn_file_open (path, &size, error);
  if (fd < 0)
    return NULL;

  g_autofree char *bytes = NULL;
  bool complete = false;
  if (size > max_bytes || (bytes = g_try_malloc ((size_t)size + 1)) == NULL) {
    attn_file_refuse (path, ATTN_ERROR_TOO_LARGE, error,
                      "found %" G_GUINT64_FORMAT " bytes, wanted at most %zu", size, max_bytes);
  } else {
    complete = attn_file_read_at (fd, 0, bytes, (size_t)size, path, error);
  }
  close (fd);
  if (!complete)
    return NULL;
  bytes[size] = '\0';
  *n_bytes = (size_t)size;
  return g_steal_pointer (&bytes);
}
