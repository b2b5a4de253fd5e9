/* SPDX-License-Identifier: MIT */
/* A file beside the one wanted, gathered writes, and the rename at the end. */
#include "attn/output.h"

#include "attn/error.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GATHER_BYTES ((size_t)1 << 16)

struct _AttnOutput {
  int fd;
  bool owns_fd;
  char *name;      /* for messages */
  char *path;      /* where the file goes; NULL when written directly */
  char *temporary; /* the file beside it; NULL when written directly or committed */
  GString *gathered;
};

static AttnOutput *
output_new (int fd, bool owns_fd, const char *name)
{
  AttnOutput *output = g_new0 (AttnOutput, 1);
  output->fd = fd;
  output->owns_fd = owns_fd;
  output->name = g_strdup (name);
  output->gathered = g_string_sized_new (GATHER_BYTES);
  return output;
}

static void
set_io_error (GError **error, const char *name, const char *what, int number)
{
  g_autofree char *shown = g_filename_display_name (name);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: cannot %s: %s", shown, what,
               g_strerror (number));
}

/* O_EXCL and our own random part instead of mkstemp: so the umask decides about the mode. */
static int
create_beside (const char *path, char **temporary)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  if (strlen (base) > 200) /* leave room for the ending in a name of 255 bytes */
    base[200] = '\0';
  for (unsigned attempt = 0; attempt < 100; attempt++) {
    g_autofree char *name = g_strdup_printf (".%s.%08x", base, g_random_int ());
    g_autofree char *candidate = g_build_filename (folder, name, NULL);
    int fd = open (candidate, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0)
      *temporary = g_steal_pointer (&candidate);
    if (fd >= 0 || errno != EEXIST)
      return fd;
  }
  errno = EEXIST;
  return -1;
}

static AttnOutput *
open_directly (const char *path, GError **error)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) {
    set_io_error (error, path, "open for writing", errno);
    return NULL;
  }
  return output_new (fd, true, path);
}

AttnOutput *
attn_output_open (const char *path, GError **error)
{
  struct stat old = {0};
  bool exists = stat (path, &old) == 0;
  if (exists && !S_ISREG (old.st_mode))
    return open_directly (path, error);
  char *resolved = exists ? realpath (path, NULL) : NULL;
  g_autofree char *target = g_strdup (resolved != NULL ? resolved : path);
  free (resolved);
  if (exists && access (target, W_OK) != 0) { /* renaming would get round the file's protection */
    set_io_error (error, path, "open for writing", errno);
    return NULL;
  }
  g_autofree char *temporary = NULL;
  int fd = create_beside (target, &temporary);
  if (fd < 0) {
    set_io_error (error, path, "write", errno);
    return NULL;
  }
  if (exists && fchmod (fd, old.st_mode & 07777) != 0) {
    set_io_error (error, path, "keep its mode", errno);
    close (fd);
    g_unlink (temporary);
    return NULL;
  }
  AttnOutput *output = output_new (fd, true, path);
  output->path = g_steal_pointer (&target);
  output->temporary = g_steal_pointer (&temporary);
  return output;
}

AttnOutput *
attn_output_open_fd (int fd, const char *name)
{
  return output_new (fd, false, name);
}

void
attn_output_free (AttnOutput *output)
{
  if (output == NULL)
    return;
  if (output->owns_fd && output->fd >= 0)
    close (output->fd);
  if (output->temporary != NULL)
    g_unlink (output->temporary);
  g_string_free (output->gathered, TRUE);
  g_free (output->temporary);
  g_free (output->path);
  g_free (output->name);
  g_free (output);
}

static bool
write_all (AttnOutput *output, const char *bytes, size_t n_bytes, GError **error)
{
  while (n_bytes > 0) {
    ssize_t written = write (output->fd, bytes, n_bytes);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0) {
      set_io_error (error, output->name, "write", errno);
      return false;
    }
    bytes += written;
    n_bytes -= (size_t)written;
  }
  return true;
}

bool
attn_output_flush (AttnOutput *output, GError **error)
{
  bool done = write_all (output, output->gathered->str, output->gathered->len, error);
  g_string_truncate (output->gathered, 0);
  return done;
}

bool
attn_output_write (AttnOutput *output, const void *bytes, size_t n_bytes, GError **error)
{
  if (output->gathered->len + n_bytes > GATHER_BYTES && !attn_output_flush (output, error))
    return false;
  if (n_bytes > GATHER_BYTES)
    return write_all (output, bytes, n_bytes, error);
  g_string_append_len (output->gathered, bytes, (gssize)n_bytes);
  return true;
}

bool
attn_output_commit (AttnOutput *output, GError **error)
{
  if (!attn_output_flush (output, error))
    return false;
  if (output->temporary != NULL && fsync (output->fd) != 0 && errno != EINVAL) {
    set_io_error (error, output->name, "write", errno);
    return false;
  }
  if (output->owns_fd) {
    int closed = close (output->fd);
    output->fd = -1;
    if (closed != 0) {
      set_io_error (error, output->name, "write", errno);
      return false;
    }
  }
  if (output->temporary == NULL)
    return true;
  if (g_rename (output->temporary, output->path) != 0) {
    set_io_error (error, output->name, "put into place", errno);
    return false;
  }
  g_clear_pointer (&output->temporary, g_free);
  return true;
}
