/* SPDX-License-Identifier: MIT */
/* Output files: whole or not at all, modes and links kept, devices written directly. */
#include "test-util.h"

#include "attn/error.h"
#include "attn/output.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  char *folder, *path;
} Place;

static bool no_nameless; /* as on a file system that has no files without names */

/* Takes the place of the C library's, for the code under test, too. */
int
open (const char *path, int flags, ...)
{
  bool nameless = (flags & O_TMPFILE) == O_TMPFILE;
  mode_t mode = 0;
  if (nameless || flags & O_CREAT) {
    va_list arguments;
    va_start (arguments, flags);
    mode = va_arg (arguments, mode_t);
    va_end (arguments);
  }
  if (nameless && no_nameless) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return openat (AT_FDCWD, path, flags, mode);
}

static void
set_up (Place *place, gconstpointer data)
{
  no_nameless = data != NULL;
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
  AttnOutput *unfinished = attn_output_open (place->path, NULL);
  g_assert_cmpuint (count_files (place->folder), ==, no_nameless ? 1 : 0);
  attn_output_free (unfinished);
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

/* The folder may be another one, and the file need not be there yet. */
static void
test_link_to_nothing (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *link = g_build_filename (place->folder, "link", NULL);
  g_autofree char *second = g_build_filename (place->folder, "second", NULL);
  g_assert_cmpint (symlink ("图 a.bin", second), ==, 0);
  g_assert_cmpint (symlink (second, link), ==, 0);
  write_text (link, "new", true);
  g_autofree char *content = test_read_file (place->path, NULL);
  g_assert_cmpstr (content, ==, "new");
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_test (second, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpuint (count_files (place->folder), ==, 3);
}

static void
test_new_mode (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  mode_t mask = umask (027);
  write_text (place->path, "x", true);
  umask (mask);
  struct stat info = {0};
  g_assert_cmpint (stat (place->path, &info), ==, 0);
  g_assert_cmphex (info.st_mode & 07777, ==, 0640);
}

/* A program that is killed leaves the old file and nothing else. */
static void
test_killed (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  int probe = open (place->folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (probe < 0) {
    g_test_skip ("the file system knows no files without names");
    return;
  }
  close (probe);
  write_text (place->path, "old", true);
  pid_t child = fork ();
  if (child == 0) {
    AttnOutput *output = attn_output_open (place->path, NULL);
    if (attn_output_write (output, "new", 3, NULL) && attn_output_flush (output, NULL))
      raise (SIGKILL);
    _exit (1);
  }
  int status = 0;
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
  g_assert_cmpuint (count_files (place->folder), ==, 1);
  g_autofree char *kept = test_read_file (place->path, NULL);
  g_assert_cmpstr (kept, ==, "old");
}

/* Too large a file is an error like others where the program ignores the signal. */
static void
test_size_limit (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  struct rlimit old = {0};
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  struct rlimit low = {.rlim_cur = 1000, .rlim_max = old.rlim_max};
  signal (SIGXFSZ, SIG_IGN);
  g_autofree char *big = g_strnfill (3000, 'x');
  g_autoptr (GError) error = NULL;
  AttnOutput *output = attn_output_open (place->path, NULL);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &low), ==, 0);
  bool written = attn_output_write (output, big, 3000, NULL) && attn_output_commit (output, &error);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  signal (SIGXFSZ, SIG_DFL);
  g_assert_false (written);
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "图 a.bin: cannot write: File too large"));
  attn_output_free (output);
  g_assert_cmpuint (count_files (place->folder), ==, 0);
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
  g_autofree char *circle = g_build_filename (place->folder, "circle", NULL);
  assert_cannot_open (nowhere);
  assert_cannot_open (place->folder);
  g_assert_cmpint (symlink ("circle", circle), ==, 0);
  assert_cannot_open (circle);
}

/* What is wrong with the folder is said of the folder. */
static void
test_folder_refuses (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  const uid_t nobody = 65534;
  bool is_root = geteuid () == 0;
  g_autoptr (GError) error = NULL;
  g_assert_cmpint (g_chmod (place->folder, 0555), ==, 0);
  if (is_root) /* whom no mode stops */
    g_assert_cmpint (seteuid (nobody), ==, 0);
  g_assert_null (attn_output_open (place->path, &error));
  if (is_root)
    g_assert_cmpint (seteuid (0), ==, 0);
  g_assert_cmpint (g_chmod (place->folder, 0755), ==, 0);
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_autofree char *wanted = g_strdup_printf (
      "%s: cannot write into the folder %s: Permission denied", place->path, place->folder);
  g_assert_cmpstr (error->message, ==, wanted);
}

/* A name of another's making stays on one line. */
static void
test_shown_name (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *odd = g_build_filename (place->folder, "no\nsuch\x1b[1m\xff", "file", NULL);
  g_assert_null (attn_output_open (odd, &error));
  g_assert_nonnull (strstr (error->message, "no such\uFFFD[1m\uFFFD/file: cannot"));
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
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
#define ADD(name, func) \
  g_test_add ("/output/" name, Place, NULL, set_up, func, tear_down); \
  g_test_add ("/output/named/" name, Place, "named", set_up, func, tear_down)
  ADD ("whole-or-nothing", test_whole_or_nothing);
  ADD ("large-pieces", test_large_pieces);
  ADD ("mode-and-link", test_mode_and_link);
  ADD ("link-to-nothing", test_link_to_nothing);
  ADD ("new-mode", test_new_mode);
  ADD ("size-limit", test_size_limit);
  ADD ("long-name", test_long_name);
  ADD ("refusals", test_refusals);
  ADD ("folder-refuses", test_folder_refuses);
  ADD ("shown-name", test_shown_name);
  g_test_add ("/output/killed", Place, NULL, set_up, test_killed, tear_down);
  g_test_add ("/output/full-device", Place, NULL, set_up, test_full_device, tear_down);
  return g_test_run ();
}
