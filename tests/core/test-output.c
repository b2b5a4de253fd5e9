/* SPDX-License-Identifier: MIT */
/* Output files: whole or not at all, modes and links kept, devices written directly. */
#include "test-util.h"

#include "attn/error.h"
#include "attn/output.h"

#include <glib/gstdio.h>

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  char *folder, *path;
} Place;

static void
set_up (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  place->folder = g_dir_make_tmp ("headscope-output-XXXXXX", NULL);
  place->path = g_build_filename (place->folder, "图 a.bin", NULL);
}

static size_t
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  size_t n = 0;
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
tear_down (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (place->folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
    g_autofree char *path = g_build_filename (place->folder, name, NULL);
    g_unlink (path);
  }
  g_rmdir (place->folder);
  g_free (place->folder);
  g_free (place->path);
}

static void
write_text (const char *path, const char *text, bool commit)
{
  GError *error = NULL;
  g_autoptr (AttnOutput) output = attn_output_open (path, &error);
  g_assert_no_error (error);
  for (const char *p = text; *p != '\0'; p++)
    g_assert_true (attn_output_write (output, p, 1, NULL));
  if (commit)
    g_assert_true (attn_output_commit (output, NULL));
}

static void
test_whole_or_nothing (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  write_text (place->path, "first", false);
  g_assert_cmpuint (count_files (place->folder), ==, 0);
  write_text (place->path, "first", true);
  write_text (place->path, "second", false);
  g_autofree char *kept = test_read_file (place->path, NULL);
  g_assert_cmpstr (kept, ==, "first");
  write_text (place->path, "third", true);
  g_autofree char *replaced = test_read_file (place->path, NULL);
  g_assert_cmpstr (replaced, ==, "third");
  g_assert_cmpuint (count_files (place->folder), ==, 1);
}

static void
test_large_pieces (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *big = g_malloc (300000);
  memset (big, 'x', 300000);
  {
    g_autoptr (AttnOutput) output = attn_output_open (place->path, NULL);
    g_assert_true (attn_output_write (output, "a", 1, NULL));
    g_assert_true (attn_output_write (output, big, 300000, NULL));
    g_assert_true (attn_output_write (output, "b", 1, NULL));
    g_assert_true (attn_output_commit (output, NULL));
  }
  gsize size = 0;
  g_autofree char *content = test_read_file (place->path, &size);
  g_assert_cmpuint (size, ==, 300002);
  g_assert_true (content[0] == 'a' && content[1] == 'x' && content[300001] == 'b');
}

static void
test_mode_and_link (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *link = g_build_filename (place->folder, "link", NULL);
  write_text (place->path, "old", true);
  g_assert_cmpint (g_chmod (place->path, 0640), ==, 0);
  g_assert_cmpint (symlink (place->path, link), ==, 0);
  write_text (link, "new", true);
  struct stat info = {0};
  g_assert_cmpint (lstat (link, &info), ==, 0);
  g_assert_true (S_ISLNK (info.st_mode));
  g_assert_cmpint (stat (place->path, &info), ==, 0);
  g_assert_cmphex (info.st_mode & 07777, ==, 0640);
  g_autofree char *content = test_read_file (place->path, NULL);
  g_assert_cmpstr (content, ==, "new");
}

static void
test_long_name (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  char name[256];
  memset (name, 'n', 255);
  name[255] = '\0';
  g_autofree char *path = g_build_filename (place->folder, name, NULL);
  write_text (path, "x", true);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
assert_cannot_open (const char *path)
{
  GError *error = NULL;
  g_assert_null (attn_output_open (path, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);
}

static void
test_refusals (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *nowhere = g_build_filename (place->folder, "no", "such", NULL);
  assert_cannot_open (nowhere);
  assert_cannot_open (place->folder);
}

static void
test_full_device (G_GNUC_UNUSED Place *place, G_GNUC_UNUSED gconstpointer data)
{
  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS)) {
    g_test_skip ("no /dev/full here");
    return;
  }
  GError *error = NULL;
  g_autoptr (AttnOutput) output = attn_output_open ("/dev/full", &error);
  g_assert_no_error (error);
  g_assert_true (attn_output_write (output, "x", 1, NULL));
  g_assert_false (attn_output_commit (output, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_clear_error (&error);
  struct stat info = {0};
  g_assert_cmpint (stat ("/dev/full", &info), ==, 0);
  g_assert_true (S_ISCHR (info.st_mode));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/output/" name, Place, NULL, set_up, func, tear_down)
  ADD ("whole-or-nothing", test_whole_or_nothing);
  ADD ("large-pieces", test_large_pieces);
  ADD ("mode-and-link", test_mode_and_link);
  ADD ("long-name", test_long_name);
  ADD ("refusals", test_refusals);
  ADD ("full-device", test_full_device);
  return g_test_run ();
}
