/* SPDX-License-Identifier: MIT */
/* Export from the window: the same bytes as the shared writer, by the dialog too, and failures. */
#include "hs-export-dialog.h"
#include "hs-export.h"
#include "hs-resources.h"
#include "test-util.h"

#include "attn-hub/store.h"
#include "attn/run.h"

#include <glib/gstdio.h>
#include <gtk/gtk.h>

#include <string.h>

#define TEXT "The cat sat on the mat."

/* A session that shows the shipped model's maps of TEXT. */
static HsSession *
new_session (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = attn_hub_find_model ("demo", &error);
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  AttnTokenizerInput input = {TEXT, strlen (TEXT), NULL, 0, 0};
  g_autoptr (AttnTokens) tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, &error);
  g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  HsSession *session = hs_session_new ();
  g_autoptr (AttnDrawPanels) panels =
      attn_draw_panels_new (hs_session_peek_asked (session), maps, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  hs_session_show (session, panels, hs_session_peek_asked (session));
  return session;
}

static const HsExportOptions paper_svg = {.format = ATTN_DRAW_SVG, .scale = 1, .width_px = 600};

static void
test_bytes (void)
{
  g_autoptr (GError) error = NULL;
  HsSession *session = new_session ();
  g_autoptr (HsExport) first = hs_export_new (session, &paper_svg);
  g_autoptr (HsExport) second = hs_export_new (session, &paper_svg);
  g_autoptr (GBytes) one = hs_export_dup_bytes (first, &error);
  g_assert_no_error (error);
  g_autoptr (GBytes) two = hs_export_dup_bytes (second, &error);
  g_assert_true (g_bytes_equal (one, two));
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (one, NULL), -1, TEXT));
  g_assert_finalize_object (session);
}

/* The command names the model, the text and the width, and the file quoted. */
static void
test_command (void)
{
  HsSession *session = new_session ();
  g_autoptr (HsExport) export = hs_export_new (session, &paper_svg);
  g_autofree char *command = hs_export_dup_command (export, "my file.svg");
  g_assert_true (g_str_has_prefix (command, "headscope-cli render --model demo "));
  g_assert_nonnull (strstr (command, "'" TEXT "'"));
  g_assert_nonnull (strstr (command, "--width-px 600"));
  g_assert_nonnull (strstr (command, "'my file.svg'"));
  g_autofree char *name = hs_export_dup_file_name (export);
  g_assert_cmpstr (name, ==, "demo-model-layer-1-head-1.svg");
  g_assert_finalize_object (session);
}

static void
test_nothing_shown (void)
{
  HsSession *session = hs_session_new ();
  g_assert_null (hs_export_new (session, &paper_svg));
  g_assert_finalize_object (session);
}

/* ---- the dialog ---- */

static char *chosen_path; /* what the stand-in for the file chooser answers; NULL cancels */
static char *said;        /* what the dialog said when done */

static void
answer_at_once (GtkWindow *parent, const char *name, HsAskSaveDone done, gpointer data)
{
  (void)parent;
  g_assert_true (g_str_has_suffix (name, ".png"));
  done (g_strdup (chosen_path), data);
}

static void
done_cb (HsExportDialog *dialog, const char *message, gpointer data)
{
  (void)dialog;
  (void)data;
  g_free (said);
  said = g_strdup (message);
}

static GtkWidget *
find_button (GtkWidget *widget, const char *label)
{
  if (GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_button (child, label);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
spin_until (gboolean (*is_done) (GtkWidget *dialog), GtkWidget *dialog)
{
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  while (!is_done (dialog) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (is_done (dialog));
}

static gboolean
has_said (GtkWidget *dialog)
{
  (void)dialog;
  return said != NULL;
}

static gboolean
can_save_again (GtkWidget *dialog)
{
  return gtk_widget_get_sensitive (find_button (dialog, "_Save…"));
}

static GtkWidget *
press_save (HsPicture *picture)
{
  g_clear_pointer (&said, g_free);
  GtkWidget *dialog = hs_export_dialog_new (NULL, picture);
  hs_export_dialog_set_ask_save (HS_EXPORT_DIALOG (dialog), answer_at_once);
  g_signal_connect (dialog, "done", G_CALLBACK (done_cb), NULL);
  gtk_window_present (GTK_WINDOW (dialog));
  g_signal_emit_by_name (find_button (dialog, "_Save…"), "clicked");
  return dialog;
}

/* Looks at the file's first bytes and removes it. */
static void
assert_starts_with (const char *path, const char *magic)
{
  g_autofree char *content = NULL;
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpint (memcmp (content, magic, strlen (magic)), ==, 0);
  g_assert_cmpint (g_remove (path), ==, 0);
}

static void
test_dialog (void)
{
  g_autoptr (GError) error = NULL;
  HsSession *session = new_session ();
  GtkWidget *picture = g_object_ref_sink (hs_picture_new (session));
  int minimum;
  gtk_widget_measure (picture, GTK_ORIENTATION_VERTICAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_size_allocate (picture, &(GtkAllocation){0, 0, 600, 500}, -1);
  g_autofree char *folder = g_dir_make_tmp ("headscope-export-XXXXXX", &error);
  g_assert_no_error (error);

  chosen_path = g_build_filename (folder, "圖 1.png", NULL);
  press_save (HS_PICTURE (picture));
  spin_until (has_said, NULL);
  g_assert_nonnull (strstr (said, "圖 1.png"));
  assert_starts_with (chosen_path, "\211PNG");
  g_clear_pointer (&chosen_path, g_free);

  /* the ending decides; without one the chosen format's is added */
  chosen_path = g_build_filename (folder, "a.SVG", NULL);
  press_save (HS_PICTURE (picture));
  spin_until (has_said, NULL);
  assert_starts_with (chosen_path, "<?xml");
  g_clear_pointer (&chosen_path, g_free);
  chosen_path = g_build_filename (folder, "plain.name", NULL);
  press_save (HS_PICTURE (picture));
  spin_until (has_said, NULL);
  g_autofree char *ended = g_strconcat (chosen_path, ".png", NULL);
  assert_starts_with (ended, "\211PNG");
  g_clear_pointer (&chosen_path, g_free);

  /* a folder that is not there: words, and another try */
  chosen_path = g_build_filename (folder, "missing", "x.png", NULL);
  GtkWidget *dialog = press_save (HS_PICTURE (picture));
  spin_until (can_save_again, dialog);
  g_assert_null (said);
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_clear_pointer (&chosen_path, g_free);

  /* the person changed their mind */
  dialog = press_save (HS_PICTURE (picture));
  g_assert_true (can_save_again (dialog));
  g_assert_null (said);
  gtk_window_destroy (GTK_WINDOW (dialog));

  g_clear_pointer (&said, g_free);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_object_unref (picture);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (session);
}

int
main (int argc, char **argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_test_add_func ("/export/bytes", test_bytes);
  g_test_add_func ("/export/command", test_command);
  g_test_add_func ("/export/nothing-shown", test_nothing_shown);
  g_test_add_func ("/export/dialog", test_dialog);
  return g_test_run ();
}
