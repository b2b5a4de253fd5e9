/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share: one input as a file of a folder, and what must hold of an error. */
#include "fuzz.h"

#include "attn/error.h"

#include <glib/gstdio.h>

#include <stdlib.h>
#include <string.h>

static char *folder;
static GPtrArray *names; /* of the files in it */

static void
remove_folder (void)
{
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *path = g_build_filename (folder, g_ptr_array_index (names, i), NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
  g_ptr_array_unref (names);
  g_free (folder);
}

static void
make_folder (void)
{
  /* memory where there is some, for a file is written for each input */
  const char *place = g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR) ? "/dev/shm" : g_get_tmp_dir ();
  folder = g_build_filename (place, "headscope-fuzz-XXXXXX", NULL);
  names = g_ptr_array_new_with_free_func (g_free);
  if (g_mkdtemp (folder) == NULL)
    g_error ("no folder for inputs: %s", folder);
  g_log_set_always_fatal (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR);
  atexit (remove_folder);
}

const char *
fuzz_write (const char *name, const void *data, size_t size)
{
  if (folder == NULL)
    make_folder ();
  if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
    g_ptr_array_add (names, g_strdup (name));
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, name, NULL);
  /* not in one step by renaming: nobody else reads it, and this is faster */
  if (!g_file_set_contents_full (path, size == 0 ? "" : data, (gssize)size,
                                 G_FILE_SET_CONTENTS_NONE, 0600, &error))
    g_error ("%s", error->message);
  return folder;
}

void
fuzz_check_error (gboolean has_result, const GError *error)
{
  if (has_result == (error != NULL))
    g_error ("a result and an error, or neither");
  if (error == NULL)
    return;
  const char *message = error->message;
  if (error->domain != ATTN_ERROR || !g_utf8_validate (message, -1, NULL) ||
      g_str_has_suffix (message, ".") || strpbrk (message, "\n\r\t\x1b") != NULL)
    g_error ("\"%s\" is no sentence fit for people", message);
}
