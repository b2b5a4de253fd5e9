/* SPDX-License-Identifier: MIT */
/* Running headscope-cli and reading its answers. */
#include "cli-run.h"

#include "test-util.h"

#include <glib/gstdio.h>

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *program; /* absolute: it runs in the folder */
static char *folder;

void
run_clear (Run *run)
{
  g_free (run->out);
  g_free (run->err);
}

char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

const char *
peek_folder (void)
{
  return folder;
}

const char *
peek_program (void)
{
  return program;
}

/* Standard output goes through a file, so that bytes with NUL come back whole. */
Run
run_with (const char *words, const char *const *values)
{
  g_auto (GStrv) parts = g_strsplit (words, " ", -1);
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_ptr_array_add (command, program);
  for (size_t i = 0; parts[i] != NULL; i++)
    g_ptr_array_add (command, strcmp (parts[i], "@") == 0 ? (void *)(gsize)*values++ : parts[i]);
  g_ptr_array_add (command, NULL);
  g_autofree char *out_path = in_folder ("stdout");
  Run run = {0};
  GError *error = NULL;
  int out = g_open (out_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  GPid pid = 0;
  int err = -1;
  g_assert_true (g_spawn_async_with_pipes_and_fds (
      folder, (const char *const *)command->pdata, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, -1,
      out, -1, NULL, NULL, 0, &pid, NULL, NULL, &err, &error));
  g_assert_no_error (error);
  close (out);
  GString *text = g_string_new (NULL);
  char chunk[4096];
  for (ssize_t n = read (err, chunk, sizeof chunk); n > 0; n = read (err, chunk, sizeof chunk))
    g_string_append_len (text, chunk, n);
  close (err);
  int status = 0;
  struct rusage usage;
  g_assert_cmpint (wait4 (pid, &status, 0, &usage), ==, pid);
  run.peak_kb = usage.ru_maxrss;
  run.status = WIFEXITED (status) ? WEXITSTATUS (status) : 256 + WTERMSIG (status);
  run.err = g_string_free (text, FALSE);
  run.out = test_read_file (out_path, &run.out_length);
  return run;
}

json_t *
ask_with (const char *words, const char *const *values)
{
  g_auto (Run) run = run_with (words, values);
  g_assert_cmpstr (run.err, ==, "");
  g_assert_cmpint (run.status, ==, 0);
  json_error_t problem;
  json_t *answer =
      json_loadb (run.out, run.out_length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &problem);
  if (answer == NULL)
    g_error ("%s: %s", words, problem.text);
  g_assert_cmpint (run.out[run.out_length - 1], ==, '\n');
  return answer;
}

void
assert_keys (json_t *object, const char *wanted)
{
  g_autoptr (GString) keys = g_string_new (NULL);
  const char *key;
  json_t *value;
  json_object_foreach (object, key, value)
  {
    g_string_append_printf (keys, "%s%s", keys->len > 0 ? "," : "", key);
  }
  g_assert_cmpstr (keys->str, ==, wanted);
}

gint64
get_int (json_t *object, const char *key)
{
  json_t *value = json_object_get (object, key);
  g_assert_true (json_is_integer (value));
  return json_integer_value (value);
}

static void
remove_folder (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
    g_autofree char *path = in_folder (name);
    g_assert_false (g_str_has_prefix (name, ".")); /* no unfinished file was left */
    g_unlink (path);
  }
  g_rmdir (folder);
}

void
cli_test_init (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  const char *given = *argc > 1 ? (*argv)[1] : g_getenv ("HEADSCOPE_CLI");
  if (given == NULL)
    g_error ("usage: %s PATH-OF-HEADSCOPE-CLI", (*argv)[0]);
  program = g_canonicalize_filename (given, NULL);
  folder = g_dir_make_tmp ("headscope-cli-XXXXXX", NULL);
}

int
cli_test_run (void)
{
  int result = g_test_run ();
  remove_folder ();
  g_clear_pointer (&folder, g_free);
  g_clear_pointer (&program, g_free);
  return result;
}
