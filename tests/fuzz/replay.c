/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target on the files of its corpus, one test case each, without any fuzzer. */
#include "fuzz.h"

#include <string.h>

static void
test_file (gconstpointer path)
{
  gsize size = 0;
  g_autofree char *content = NULL;
  g_autoptr (GError) error = NULL;
  g_file_get_contents (path, &content, &size, &error);
  g_assert_no_error (error);
  /* a copy of exact size, so that a sanitizer sees a step too far */
  g_autofree uint8_t *data = g_memdup2 (content, size);
  g_assert_cmpint (LLVMFuzzerTestOneInput (data, size), ==, 0);
}

static int
compare_strings (const void *a, const void *b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  for (int i = 1; i < argc; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GDir) dir = g_dir_open (argv[i], 0, &error);
    g_assert_no_error (error);
    for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
      g_ptr_array_add (paths, g_build_filename (argv[i], name, NULL));
  }
  g_assert_cmpuint (paths->len, >, 0);
  g_ptr_array_sort (paths, compare_strings);
  for (guint i = 0; i < paths->len; i++) {
    const char *path = g_ptr_array_index (paths, i);
    g_autofree char *base = g_path_get_basename (path);
    g_autofree char *name = g_strdup_printf ("/corpus/%s", base);
    g_test_add_data_func (name, path, test_file);
  }
  return g_test_run ();
}
