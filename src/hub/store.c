/* SPDX-License-Identifier: MIT */
/* Finding the program's data, its translations and the model a name stands for. */
#include "attn-hub/store.h"

#include "hs-build.h"

#include "attn/error.h"
#include "attn/quote.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether the running program lies in the build tree it was compiled in. */
static bool
runs_from_build_tree (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  if (program == NULL)
    return false;
  char *root = realpath (HS_BUILD_ROOT, NULL); /* the link above has no symbolic links in it */
  size_t length = root == NULL ? 0 : strlen (root);
  bool inside = length > 0 && strncmp (program, root, length) == 0 && program[length] == '/';
  free (root);
  return inside;
}

static void *
find_data_dir (G_GNUC_UNUSED void *data)
{
  const char *wanted = g_getenv ("HEADSCOPE_DATA_DIR");
  if (wanted != NULL && *wanted != '\0')
    return g_canonicalize_filename (wanted, NULL);
  return g_strdup (runs_from_build_tree () ? HS_SOURCE_RESOURCES : HS_INSTALLED_DATA);
}

const char *
hs_data_dir (void)
{
  static GOnce once = G_ONCE_INIT;
  return g_once (&once, find_data_dir, NULL);
}

const char *
hs_locale_dir (void)
{
  return runs_from_build_tree () ? HS_BUILD_LOCALE : HS_INSTALLED_LOCALE;
}

const char *
hs_schema_dir (void)
{
  return runs_from_build_tree () ? HS_BUILD_RESOURCES : HS_INSTALLED_SCHEMAS;
}

char *
attn_hub_find_model (const char *name, GError **error)
{
  if (name == NULL || strcmp (name, "demo") == 0) {
    g_autofree char *shipped = g_build_filename (hs_data_dir (), "demo-model", NULL);
    if (g_file_test (shipped, G_FILE_TEST_IS_DIR))
      return g_steal_pointer (&shipped);
    g_autofree char *shown_shipped = attn_file_dup_shown (shipped, strlen (shipped));
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "the shipped model is not at %s; HEADSCOPE_DATA_DIR can name the folder that "
                 "holds demo-model",
                 shown_shipped);
    return NULL;
  }
  if (g_file_test (name, G_FILE_TEST_IS_DIR))
    return g_strdup (name);
  g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
  if (g_file_test (name, G_FILE_TEST_EXISTS))
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: is a file, a model is a folder with config.json and weights", shown);
  else if (g_file_test (name, G_FILE_TEST_IS_SYMLINK))
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: is a link to a folder that is not there",
                 shown);
  else
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: no such folder, and no model of this name is known (known: demo)", shown);
  return NULL;
}
