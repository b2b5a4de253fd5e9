/* SPDX-License-Identifier: MIT */
/* Where test data lies, and skipping with a reason when it is absent. */
#include "test-util.h"

char *
test_data_path (const char *name)
{
  const char *folder = g_getenv ("HEADSCOPE_TEST_DATA");

  if (folder != NULL)
    return g_build_filename (folder, name, NULL);
  return g_test_build_filename (G_TEST_DIST, "data", name, NULL);
}

/* The folder in @variable joined with @name; NULL and a skip when either is missing. */
static char *
optional_path (const char *variable, const char *name)
{
  const char *folder = g_getenv (variable);
  g_autofree char *path = NULL;
  g_autofree char *reason = NULL;

  if (folder == NULL || *folder == '\0') {
    reason = g_strdup_printf ("%s is not set", variable);
    g_test_skip (reason);
    return NULL;
  }
  path = name != NULL ? g_build_filename (folder, name, NULL) : g_strdup (folder);
  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    reason = g_strdup_printf ("%s does not exist (%s=%s)", path, variable, folder);
    g_test_skip (reason);
    return NULL;
  }
  return g_steal_pointer (&path);
}

char *
test_golden_path (const char *name)
{
  return optional_path ("HEADSCOPE_GOLDEN", name);
}

char *
test_minilm_path (void)
{
  return optional_path ("HEADSCOPE_MINILM", NULL);
}

char *
test_read_file (const char *path, gsize *size)
{
  g_autoptr (GError) error = NULL;
  char *content = NULL;

  g_file_get_contents (path, &content, size, &error);
  g_assert_no_error (error);
  return content;
}
