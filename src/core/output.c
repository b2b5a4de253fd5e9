/* SPDX-License-Identifier: MIT */
/* A file without a name, gathered writes, and the place it takes at the end. */
#include "attn/output.h"

#include "file.h"

#include "attn/error.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GATHER_BYTES ((size_t)1 << 16)
#define MAX_ATTEMPTS 100 /* to find a name that is free */

struct _AttnOutput {
  int fd;
  bool owns_fd;
  char *name;      /* for messages */
  char *path;      /* where the file goes; NULL when written directly */
  char *temporary; /* its name until then; NULL when written directly, nameless or committed */
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

static bool
refuse (GError **error, const char *name, const char *what, int number)
{
  const char *reason = strerrordesc_np (number);
  return attn_file_refuse (name, ATTN_ERROR_IO, error, "cannot %s: %s", what,
                           reason != NULL ? reason : "unknown system error");
}

static bool
refuse_folder (GError **error, const char *name, const char *target, int number)
{
  g_autofree char *folder = g_path_get_dirname (target);
  g_autofree char *shown = attn_file_dup_shown (folder, strlen (folder));
  g_autofree char *what = g_strdup_printf ("write into the folder %s", shown);
  return refuse (error, name, what, number);
}

/* A free name beside @path; of what is in it, the process and chance make it our own. */
static char *
dup_name_beside (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  if (strlen (base) > 200) /* leave room for the ending in a name of 255 bytes */
    base[200] = '\0';
  g_autofree char *name = g_strdup_printf (".%s.%08x", base, g_random_int ());
  return g_build_filename (folder, name, NULL);
}

/* O_EXCL and our own random part instead of mkstemp: so the umask decides about the mode. */
static int
create_beside (const char *path, char **temporary)
{
  for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    g_autofree char *candidate = dup_name_beside (path);
    int fd = open (candidate, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0)
      *temporary = g_steal_pointer (&candidate);
    if (fd >= 0 || errno != EEXIST)
      return fd;
  }
  errno = EEXIST;
  return -1;
}

/* A file without a name vanishes with the process, however that ends. Where the file system knows
 * none, or /proc is not there to name it by later, it gets a name at once. */
static int
create (const char *path, char **temporary)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = access ("/proc/self/fd", X_OK) == 0
               ? open (folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)
               : -1;
  return fd >= 0 ? fd : create_beside (path, temporary);
}

static AttnOutput *
open_directly (const char *path, GError **error)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) {
    refuse (error, path, "open for writing", errno);
    return NULL;
  }
  return output_new (fd, true, path);
}

/* Follows links to the end, which need not be there yet. NULL for a circle. */
static char *
dup_target (const char *path)
{
  enum { MAX_LINKS = 40 }; /* as the kernel */
  g_autofree char *target = g_strdup (path);
  for (unsigned n_links = 0; n_links <= MAX_LINKS; n_links++) {
    g_autofree char *link = g_file_read_link (target, NULL);
    if (link == NULL)
      return g_steal_pointer (&target);
    g_autofree char *folder = g_path_get_dirname (target);
    g_free (target);
    target =
        g_path_is_absolute (link) ? g_steal_pointer (&link) : g_build_filename (folder, link, NULL);
  }
  return NULL;
}

AttnOutput *
attn_output_open (const char *path, GError **error)
{
  struct stat old = {0};
  bool exists = stat (path, &old) == 0;
  if (exists && !S_ISREG (old.st_mode))
    return open_directly (path, error);
  g_autofree char *target = dup_target (path);
  if (target == NULL) {
    refuse (error, path, "write", ELOOP);
    return NULL;
  }
  if (exists && access (target, W_OK) != 0) { /* renaming would get round the file's protection */
    refuse (error, path, "open for writing", errno);
    return NULL;
  }
  g_autofree char *temporary = NULL;
  int fd = create (target, &temporary);
  if (fd < 0) {
    refuse_folder (error, path, target, errno);
    return NULL;
  }
  AttnOutput *output = output_new (fd, true, path);
  output->path = g_steal_pointer (&target);
  output->temporary = g_steal_pointer (&temporary);
  if (exists && fchmod (fd, old.st_mode & 07777) != 0) {
    refuse (error, path, "keep its mode", errno);
    attn_output_free (output);
    return NULL;
  }
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
    if (written < 0)
      return refuse (error, output->name, "write", errno);
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

/* Gives a file without a name its own, or where that is taken one beside it. */
static bool
name_file (AttnOutput *output)
{
  g_autofree char *nameless = g_strdup_printf ("/proc/self/fd/%d", output->fd);
  if (linkat (AT_FDCWD, nameless, AT_FDCWD, output->path, AT_SYMLINK_FOLLOW) == 0)
    return true;
  for (unsigned attempt = 0; attempt < MAX_ATTEMPTS && errno == EEXIST; attempt++) {
    g_autofree char *candidate = dup_name_beside (output->path);
    if (linkat (AT_FDCWD, nameless, AT_FDCWD, candidate, AT_SYMLINK_FOLLOW) != 0)
      continue;
    output->temporary = g_steal_pointer (&candidate);
    return true;
  }
  return false;
}

static bool
put_into_place (AttnOutput *output, GError **error)
{
  if (output->temporary == NULL && !name_file (output))
    return refuse_folder (error, output->name, output->path, errno);
  if (output->temporary != NULL && g_rename (output->temporary, output->path) != 0)
    return refuse (error, output->name, "put into place", errno);
  g_clear_pointer (&output->temporary, g_free);
  return true;
}

bool
attn_output_commit (AttnOutput *output, GError **error)
{
  if (!attn_output_flush (output, error))
    return false;
  if (output->path != NULL && fsync (output->fd) != 0 && errno != EINVAL)
    return refuse (error, output->name, "write", errno);
  if (output->path != NULL && !put_into_place (output, error))
    return false;
  if (output->owns_fd) {
    int closed = close (output->fd);
    output->fd = -1;
    if (closed != 0)
      return refuse (error, output->name, "write", errno);
  }
  return true;
}
