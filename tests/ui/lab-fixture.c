/* SPDX-License-Identifier: MIT */
/* What tests of the lab's pages with a figure share. */
#include "lab-fixture.h"

#include "hs-export.h"
#include "hs-work.h"

#include <string.h>

static char *folder;  /* of the files that are saved */
static char *program; /* headscope-cli */

void
lab_fixture_settle (void)
{
  hs_work_drain ();
  ui_test_drain (NULL);
}

void
lab_fixture_open (LabFixture *fixture,
                  const char *text,
                  AttnDrawLabPage page,
                  GtkWidget *(*create) (HsSession *session))
{
  ui_test_desk_open (&fixture->desk, text);
  hs_session_set_head_chosen (fixture->desk.session, TRUE); /* layer 1, head 1 */
  hs_session_set_in_lab (fixture->desk.session, TRUE);
  hs_session_set_lab_page (fixture->desk.session, page);
  fixture->page = g_object_ref_sink (create (fixture->desk.session));
  fixture->window = gtk_window_new ();
  gtk_window_set_child (GTK_WINDOW (fixture->window), fixture->page);
  fixture->figure = HS_FIGURE (ui_test_find (fixture->page, HS_TYPE_FIGURE));
  lab_fixture_settle ();
}

void
lab_fixture_close (LabFixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_assert_finalize_object (fixture->page);
  ui_test_desk_close (&fixture->desk);
}

void
lab_fixture_assert_value (LabFixture *fixture, const char *part)
{
  g_autofree char *value = NULL;
  g_object_get (fixture->figure, "value", &value, NULL);
  if (value == NULL || strstr (value, part) == NULL)
    g_error ("\"%s\" is not in \"%s\"", part, value);
}

gboolean
lab_fixture_move (LabFixture *fixture, HsMove direction)
{
  gboolean handled = FALSE;
  g_signal_emit_by_name (fixture->figure, "moved", direction, &handled);
  lab_fixture_settle ();
  return handled;
}

/* ---- files ---- */

void
lab_fixture_begin_files (const char *cli)
{
  program = g_canonicalize_filename (cli, NULL);
  folder = g_dir_make_tmp ("headscope-lab-XXXXXX", NULL);
}

void
lab_fixture_end_files (void)
{
  g_autofree char *remove = g_strdup_printf ("rm -r %s", folder);
  g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL);
  g_clear_pointer (&folder, g_free);
  g_clear_pointer (&program, g_free);
}

void
lab_fixture_name_cb (GtkWindow *parent, const HsQuestion *question, HsPathFunc done, gpointer data)
{
  (void)parent;
  done (lab_fixture_dup_path (question->name), data);
}

char *
lab_fixture_dup_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

char *
lab_fixture_read (const char *name, gsize *size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = lab_fixture_dup_path (name);
  char *bytes = NULL;
  g_file_get_contents (path, &bytes, size, &error);
  g_assert_no_error (error);
  return bytes;
}

char *
lab_fixture_run (const char *line)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  char *out = NULL;
  int status = -1;
  g_assert_true (g_str_has_prefix (line, "headscope-cli "));
  g_autofree char *whole = g_strdup_printf ("%s%s", program, line + strlen ("headscope-cli"));
  g_assert_true (g_shell_parse_argv (whole, NULL, &words, NULL));
  g_spawn_sync (folder, words, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, &status, &error);
  g_assert_no_error (error);
  g_spawn_check_wait_status (status, &error);
  g_assert_no_error (error);
  return out;
}

void
lab_fixture_render_session (LabFixture *fixture, const char *name)
{
  HsExportOptions options;
  hs_session_set_in_lab (fixture->desk.session, TRUE);
  hs_export_options_init (&options, NULL);
  HsExport *export = hs_export_new (fixture->desk.session, &options);
  g_autoptr (AttnDrawSession) session = hs_export_dup_session (export, 1);
  g_autofree char *path = lab_fixture_dup_path ("screen.headscope");
  g_autofree char *line =
      g_strdup_printf ("headscope-cli render --session screen.headscope -o %s", name);
  g_assert_true (session->in_lab);
  g_assert_true (attn_draw_session_save (session, path, NULL));
  g_free (lab_fixture_run (line));
  hs_export_unref (export);
}
