/* SPDX-License-Identifier: MIT */
/* A folder's name tells which process made it. */
#include "hs-drag-folder.h"

#include "hs-work.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "headscope-drag-"

static GPtrArray *folders; /* of char *: of this run; main thread only */

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) files = g_dir_open (path, 0, NULL);

  for (const char *name = files != NULL ? g_dir_read_name (files) : NULL; name != NULL;
       name = g_dir_read_name (files)) {
    g_autofree char *file = g_build_filename (path, name, NULL);
    g_remove (file);
  }
  g_rmdir (path);
}

char *
hs_drag_folder_dup_path (const char *name, GError **error)
{
  g_autofree char *last = g_strdup_printf (PREFIX "%ld-XXXXXX", (long)getpid ());
  g_autofree char *pattern = g_build_filename (g_get_tmp_dir (), last, NULL);

  if (g_mkdtemp (pattern) == NULL) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", pattern,
                 g_strerror (errno));
    return NULL;
  }
  if (folders == NULL)
    folders = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (folders, g_strdup (pattern));
  return g_build_filename (pattern, name, NULL);
}

void
hs_drag_folder_clean (void)
{
  for (guint i = 0; folders != NULL && i < folders->len; i++)
    remove_folder (g_ptr_array_index (folders, i));
  g_clear_pointer (&folders, g_ptr_array_unref);
}

/* Whether @name is a folder's of a process that runs no more. */
static bool
is_left (const char *name)
{
  char *end = NULL;
  guint64 process;

  if (!g_str_has_prefix (name, PREFIX))
    return false;
  process = g_ascii_strtoull (name + strlen (PREFIX), &end, 10);
  return process > 0 && process <= G_MAXINT32 && *end == '-' && kill ((pid_t)process, 0) != 0 &&
         errno == ESRCH;
}

/* In a place that all users share, only what is ours. */
static bool
is_own_folder (const char *path)
{
  GStatBuf status;

  return g_lstat (path, &status) == 0 && S_ISDIR (status.st_mode) && status.st_uid == geteuid ();
}

void
hs_drag_folder_clean_left (const char *place)
{
  g_autoptr (GDir) entries = g_dir_open (place, 0, NULL);

  for (const char *name = entries != NULL ? g_dir_read_name (entries) : NULL; name != NULL;
       name = g_dir_read_name (entries)) {
    g_autofree char *path = g_build_filename (place, name, NULL);
    if (is_left (name) && is_own_folder (path))
      remove_folder (path);
  }
}

static gpointer
clean_in_thread (gpointer place, HsReport *report G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  hs_drag_folder_clean_left (place);
  return place; /* anything but a failure */
}

static void
cleaned_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data G_GNUC_UNUSED)
{
  hs_work_finish (result, NULL);
}

void
hs_drag_folder_begin (const char *place)
{
  static const HsWorkClass klass = {clean_in_thread, NULL, NULL};

  hs_work_start (&klass, (gpointer)(guintptr)place, NULL, NULL, NULL, cleaned_cb, NULL);
}
