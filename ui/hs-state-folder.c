/* SPDX-License-Identifier: MIT */
/* Numbers by file locks, files by numbers. */
#include "hs-state-folder.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#define MAX_RUNS 64 /* at the same time */

struct HsStateFolder {
  char *path;
  int lock;              /* -1 where nothing can be locked */
  unsigned run;          /* our number */
  unsigned n_windows;    /* numbers given to windows so far */
  GPtrArray *left_files; /* filenames */
};

/* Returns: a locked file, or -1: errno is EWOULDBLOCK when another run has it. */
static int
lock_run (HsStateFolder *self, unsigned run)
{
  g_autofree char *name = g_strdup_printf ("%u.lock", run);
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  const int lock = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  if (lock >= 0 && flock (lock, LOCK_EX | LOCK_NB) != 0) {
    const int why = errno;

    close (lock);
    errno = why;
    return -1;
  }
  return lock;
}

typedef struct {
  unsigned run, window;
  char *name;
} Found;

static void
found_clear (gpointer found)
{
  g_free (((Found *)found)->name);
}

static gint
compare_found (gconstpointer a, gconstpointer b)
{
  const Found *left = a, *right = b;

  if (left->run != right->run)
    return left->run < right->run ? -1 : 1;
  return left->window < right->window ? -1 : left->window > right->window;
}

/* All states in the folder, whoever's they are. Returns: NULL with @error. */
static GArray *
find_states (HsStateFolder *self, GError **error)
{
  g_autoptr (GDir) folder = g_dir_open (self->path, 0, error);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
  const char *name;

  if (folder == NULL)
    return NULL;
  g_array_set_clear_func (found, found_clear);
  while ((name = g_dir_read_name (folder)) != NULL) {
    Found one = {0};
    int end = 0;

    if (sscanf (name, "%u-%u.state%n", &one.run, &one.window, &end) == 2 && end > 0 &&
        name[end] == '\0' && one.run < MAX_RUNS) {
      one.name = g_strdup (name);
      g_array_append_val (found, one);
    }
  }
  g_array_sort (found, compare_found);
  return g_steal_pointer (&found);
}

/* The files of a run that is gone get our number. */
static void
adopt (HsStateFolder *self, const Found *found)
{
  g_autofree char *from = g_build_filename (self->path, found->name, NULL);

  if (self->lock >= 0 && found->run != self->run) {
    g_autofree char *to = hs_state_folder_dup_new (self);

    if (g_rename (from, to) == 0)
      g_ptr_array_add (self->left_files, g_steal_pointer (&to));
    return;
  }
  self->n_windows = MAX (self->n_windows, found->window + 1);
  g_ptr_array_add (self->left_files, g_steal_pointer (&from));
}

static void
adopt_all (HsStateFolder *self, GArray *found)
{
  /* ours first: then the numbers that others' files get are free */
  for (guint i = 0; i < found->len; i++)
    if (g_array_index (found, Found, i).run == self->run)
      adopt (self, &g_array_index (found, Found, i));
  for (guint i = 0; i < found->len; i++) {
    const Found *one = &g_array_index (found, Found, i);
    const int lock = one->run != self->run && self->lock >= 0 ? lock_run (self, one->run) : -1;

    if (lock < 0)
      continue;
    adopt (self, one);
    close (lock);
  }
}

HsStateFolder *
hs_state_folder_open (const char *path, GError **error)
{
  g_autoptr (HsStateFolder) self = g_new0 (HsStateFolder, 1);
  g_autoptr (GArray) found = NULL;

  self->path = g_strdup (path);
  self->lock = -1;
  self->left_files = g_ptr_array_new_with_free_func (g_free);
  g_mkdir_with_parents (path, 0700); /* what went wrong shows when it is read */
  for (unsigned run = 0; run < MAX_RUNS && self->lock < 0; run++) {
    self->run = run;
    self->lock = lock_run (self, run);
    if (self->lock < 0 && errno != EWOULDBLOCK)
      break; /* not to be written: the others would fail as well */
  }
  if (self->lock < 0 && errno == EWOULDBLOCK) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY, "%s: %d runs of the program use it", path,
                 MAX_RUNS);
    return NULL;
  }
  found = find_states (self, error);
  if (found == NULL)
    return NULL;
  adopt_all (self, found);
  return g_steal_pointer (&self);
}

void
hs_state_folder_free (HsStateFolder *self)
{
  if (self->lock >= 0)
    close (self->lock);
  g_ptr_array_unref (self->left_files);
  g_free (self->path);
  g_free (self);
}

GPtrArray *
hs_state_folder_list (HsStateFolder *self)
{
  GPtrArray *files = g_steal_pointer (&self->left_files);

  self->left_files = g_ptr_array_new_with_free_func (g_free);
  return files;
}

char *
hs_state_folder_dup_new (HsStateFolder *self)
{
  g_autofree char *name = g_strdup_printf ("%u-%u.state", self->run, self->n_windows++);

  return g_build_filename (self->path, name, NULL);
}
