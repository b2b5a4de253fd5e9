/* SPDX-License-Identifier: MIT */
/* Files that were dragged out are gone after the run, and after the next one's start at the latest.
 */
#include "hs-drag-folder.h"

#include <glib/gstdio.h>

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void
write_into (const char *path)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, "x", 1, &error);
  g_assert_no_error (error);
}

static void
test_cleaned (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *one = hs_drag_folder_dup_path ("head 1.png", &error);
  g_autofree char *two = hs_drag_folder_dup_path ("head 1.png", &error);
  g_autofree char *name = g_path_get_basename (one);
  g_autofree char *folder = g_path_get_dirname (one);

  g_assert_no_error (error);
  g_assert_cmpstr (name, ==, "head 1.png");
  g_assert_cmpstr (one, !=, two);
  write_into (one);
  hs_drag_folder_clean_left (g_get_tmp_dir ()); /* we still run */
  g_assert_true (g_file_test (one, G_FILE_TEST_EXISTS));
  hs_drag_folder_clean ();
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
  hs_drag_folder_clean ();
}

/* Returns: the number of a process that has ended. */
static int
ended_process (void)
{
  const pid_t child = fork ();

  if (child == 0)
    _exit (0);
  g_assert_cmpint (child, >, 0);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  return child;
}

static char *
dup_entry (const char *place, const char *format, int process)
{
  g_autofree char *name = g_strdup_printf ("headscope-drag-%d%s", process, format);

  return g_build_filename (place, name, NULL);
}

/* Of a run that was killed; what only looks like it stays. */
static void
test_left (void)
{
  g_autofree char *place = g_dir_make_tmp ("headscope-place-XXXXXX", NULL);
  const int ended = ended_process ();
  g_autofree char *left = dup_entry (place, "-abcdef", ended);
  g_autofree char *inside = g_build_filename (left, "head 1.png", NULL);
  g_autofree char *of_others = dup_entry (place, "-abcdef", getppid ());
  g_autofree char *no_number = g_build_filename (place, "headscope-drag-abc", NULL);
  g_autofree char *file = dup_entry (place, "-a file", ended);
  g_autofree char *link = dup_entry (place, "-a link", ended);
  const char *const kept[] = {link, of_others, no_number, file};

  g_assert_cmpint (g_mkdir (left, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (of_others, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (no_number, 0700), ==, 0);
  g_assert_cmpint (symlink (of_others, link), ==, 0);
  write_into (inside);
  write_into (file);
  hs_drag_folder_clean_left (place);
  g_assert_false (g_file_test (left, G_FILE_TEST_EXISTS));
  for (size_t i = 0; i < G_N_ELEMENTS (kept); i++) {
    g_assert_true (g_file_test (kept[i], G_FILE_TEST_EXISTS));
    g_remove (kept[i]);
  }
  g_assert_cmpint (g_rmdir (place), ==, 0);
}

static void
test_no_place (void)
{
  hs_drag_folder_clean_left ("/nowhere/at/all");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/drag-folder/cleaned", test_cleaned);
  g_test_add_func ("/drag-folder/left", test_left);
  g_test_add_func ("/drag-folder/no-place", test_no_place);
  return g_test_run ();
}
