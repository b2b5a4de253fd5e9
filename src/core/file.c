/* SPDX-License-Identifier: MIT */
/* Reading regular files: open, read at an offset, read whole. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  SHOWN_CHARACTERS = 400,
  SHOWN_HALF = 198,
};

/* one pread moves at most this much, whatever size_t could say */
#define READ_PIECE ((size_t)1 << 30)

char *
attn_file_dup_shown (const char *text, size_t n)
{
  /* ends are enough; this keeps a name of a megabyte from being copied whole */
  enum { KEEP = 4 * SHOWN_CHARACTERS };
  g_autoptr (GString) joined = g_string_new (NULL);
  if (n > 2 * KEEP) {
    g_string_append_len (joined, text, KEEP);
    g_string_append_len (joined, text + n - KEEP, KEEP);
  } else {
    g_string_append_len (joined, text, (gssize)n);
  }
  g_autofree char *valid = g_utf8_make_valid (joined->str, (gssize)joined->len);

  GString *shown = g_string_new (NULL);
  glong length = g_utf8_strlen (valid, -1);
  glong index = 0;
  for (char *p = valid; *p != '\0'; p = g_utf8_next_char (p), index++) {
    if (length > SHOWN_CHARACTERS && index == SHOWN_HALF)
      g_string_append (shown, " … ");
    if (length > SHOWN_CHARACTERS && index >= SHOWN_HALF && index < length - SHOWN_HALF)
      continue;
    gunichar c = g_utf8_get_char (p);
    g_string_append_unichar (shown, g_unichar_isspace (c)   ? ' '
                                    : g_unichar_iscntrl (c) ? 0xFFFD
                                                            : c);
  }
  return g_string_free (shown, FALSE);
}

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

int
attn_file_open (const char *path, guint64 *n_bytes, GError **error)
{
  /* O_NONBLOCK: opening a pipe would wait for a writer; it changes nothing for regular files */
  int fd;
  do
    fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  while (fd < 0 && errno == EINTR);
  if (fd < 0) {
    set_errno_error (error, path, errno);
    return -1;
  }

  struct stat status;
  if (fstat (fd, &status) != 0) {
    set_errno_error (error, path, errno);
    close (fd);
    return -1;
  }
  if (!S_ISREG (status.st_mode)) {
    attn_file_refuse (path, ATTN_ERROR_IO, error, "found %s, wanted a regular file",
                      name_file_kind (status.st_mode));
    close (fd);
    return -1;
  }
  *n_bytes = (guint64)status.st_size;
  return fd;
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
