/* SPDX-License-Identifier: MIT */
/* The lab's page of code: what the core writes, copied and saved as it stands. */
#include "hs-format.h"
#include "hs-lab-code.h"
#include "hs-resources.h"
#include "ui-test.h"

#include "attn/code.h"

#include <glib/gstdio.h>

#include <string.h>

typedef struct {
  UiTestDesk desk;
  GtkWidget *page;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  ui_test_desk_open (&fixture->desk, data != NULL ? data : "A short text.");
  fixture->page = g_object_ref_sink (hs_lab_code_new (fixture->desk.session));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_assert_finalize_object (fixture->page);
  ui_test_desk_close (&fixture->desk);
}

static char *
dup_shown (Fixture *fixture)
{
  GtkWidget *view = ui_test_find (fixture->page, GTK_TYPE_TEXT_VIEW);
  char *text = NULL;
  g_object_get (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), "text", &text, NULL);
  return text;
}

static char *
dup_wanted (Fixture *fixture, AttnCode kind)
{
  HsSession *session = fixture->desk.session;
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (session));
  const AttnCodeSubject subject = {
      .trace = attn_maps_peek_trace (answer->maps),
      .model_name = ATTN_MODEL_BUILT_IN,
      .layer = hs_session_get_layer (session),
      .head = hs_session_get_head (session),
      .translate = hs_translate,
  };
  char *code = attn_code_dup (&subject, kind, NULL);
  g_assert_nonnull (code);
  return code;
}

static void
test_kinds (Fixture *fixture, gconstpointer data)
{
  (void)data;
  for (AttnCode kind = 0; kind < ATTN_N_CODES; kind++) {
    gtk_widget_activate_action (fixture->page, "code.kind", "s", attn_code_peek_name (kind));
    g_autofree char *shown = dup_shown (fixture), *wanted = dup_wanted (fixture, kind);
    g_assert_cmpstr (shown, ==, wanted);
  }
  hs_session_set_layer (fixture->desk.session, 2);
  hs_session_set_head (fixture->desk.session, 5);
  g_autofree char *shown = dup_shown (fixture), *wanted = dup_wanted (fixture, ATTN_CODE_PYTORCH);
  g_assert_cmpstr (shown, ==, wanted);
  g_assert_nonnull (strstr (shown, "layer = 3, head = 6"));
}

/* Setting what is set tells nothing; an unknown name is no kind. */
static void
test_property (Fixture *fixture, gconstpointer data)
{
  guint n_changes = 0;
  g_autofree char *kind = NULL;
  (void)data;
  ui_test_count (fixture->page, "kind", &n_changes);
  g_object_set (fixture->page, "kind", "c", NULL);
  g_object_set (fixture->page, "kind", "c", NULL);
  g_object_set (fixture->page, "kind", "fortran", NULL);
  g_assert_cmpuint (n_changes, ==, 1);
  g_object_get (fixture->page, "kind", &kind, NULL);
  g_assert_cmpstr (kind, ==, "c");
}

static void
copied_cb (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  char **text = data;
  *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static bool
has_text (gpointer data)
{
  return *(char **)data != NULL;
}

static void
test_copy (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL, *wanted = dup_wanted (fixture, ATTN_CODE_PSEUDO);
  (void)data;
  g_signal_emit_by_name (ui_test_find_button (fixture->page, "Copy"), "clicked");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (fixture->page), NULL, copied_cb, &text);
  ui_test_wait (has_text, &text);
  g_assert_cmpstr (text, ==, wanted);
}

static char *saved_path; /* where the person would have it */

static void
answer_cb (GtkWindow *parent, const HsQuestion *question, HsPathFunc done, gpointer data)
{
  (void)parent;
  saved_path = g_build_filename (g_get_tmp_dir (), question->name, NULL);
  done (g_strdup (saved_path), data);
}

static bool
is_saved (gpointer data)
{
  g_autofree char *labels = ui_test_dup_labels (data);
  return strstr (labels, "Saved as ") != NULL;
}

static void
test_save (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL, *wanted = NULL;
  (void)data;
  hs_lab_code_set_ask (HS_LAB_CODE (fixture->page), answer_cb);
  g_object_set (fixture->page, "kind", "pytorch", NULL);
  wanted = dup_wanted (fixture, ATTN_CODE_PYTORCH);
  g_signal_emit_by_name (ui_test_find_button (fixture->page, "Save as…"), "clicked");
  ui_test_wait (is_saved, fixture->page);
  g_assert_true (g_str_has_suffix (saved_path, "layer-1-head-1.py"));
  g_assert_true (g_file_get_contents (saved_path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, wanted);
  g_assert_cmpint (g_remove (saved_path), ==, 0);
  g_clear_pointer (&saved_path, g_free);
}

static char *cli; /* the program beside the window */

/* The line that is copied writes the very code that is shown. */
static void
test_same_code (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-lab-XXXXXX", NULL);
  g_autofree char *written = NULL;

  (void)data;
  hs_session_set_head (fixture->desk.session, 3);
  g_object_set (fixture->page, "kind", "pytorch", NULL);
  g_autofree char *shown = dup_shown (fixture);
  g_assert_true (g_str_has_prefix (shown, "# Built-in model\n")); /* as the window calls it */
  g_autofree char *command = hs_lab_code_dup_command (HS_LAB_CODE (fixture->page));
  g_autofree char *absolute = g_canonicalize_filename (cli, NULL);
  g_autofree char *program = g_shell_quote (absolute);
  g_assert_true (g_str_has_prefix (command, "headscope-cli "));
  g_autofree char *line = g_strconcat (program, command + strlen ("headscope-cli"), NULL);
  g_auto (GStrv) words = NULL;
  int status = -1;
  g_assert_true (g_shell_parse_argv (line, NULL, &words, NULL));
  g_assert_true (
      g_spawn_sync (folder, words, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_autofree char *path = g_build_filename (folder, "layer-1-head-4.py", NULL);
  g_assert_true (g_file_get_contents (path, &written, NULL, NULL));
  g_assert_cmpstr (written, ==, shown);
  g_unlink (path);
  g_rmdir (folder);
}

/* Without a text there is a reason, and nothing to copy. */
static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  g_autofree char *labels = ui_test_dup_labels (fixture->page);
  (void)data;
  g_assert_nonnull (strstr (labels, "Type a text"));
  g_assert_false (gtk_widget_get_sensitive (ui_test_find_button (fixture->page, "Copy")));
  g_assert_false (gtk_widget_get_sensitive (ui_test_find_button (fixture->page, "Save as…")));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, >=, 2);
  cli = argv[1];
  hs_register_resource ();
  g_test_add ("/lab-code/kinds", Fixture, NULL, set_up, test_kinds, tear_down);
  g_test_add ("/lab-code/property", Fixture, NULL, set_up, test_property, tear_down);
  g_test_add ("/lab-code/copy", Fixture, NULL, set_up, test_copy, tear_down);
  g_test_add ("/lab-code/save", Fixture, NULL, set_up, test_save, tear_down);
  g_test_add ("/lab-code/same-code", Fixture, NULL, set_up, test_same_code, tear_down);
  g_test_add ("/lab-code/nothing", Fixture, "", set_up, test_nothing, tear_down);
  return g_test_run ();
}
