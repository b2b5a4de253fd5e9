/* SPDX-License-Identifier: MIT */
/* What About shows is what its button copies, and nothing in it is the person's own. */
#include "hs-about.h"
#include "hs-application.h"
#include "hs-diagnostics.h"
#include "ui-test.h"

#include <string.h>

static void
pasted_cb (GObject *clipboard, GAsyncResult *result, gpointer text)
{
  *(char **)text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static bool
is_pasted (gpointer text)
{
  return *(char **)text != NULL;
}

static void
test_copied (void)
{
  GtkWidget *about = g_object_ref_sink (hs_about_new (NULL, "one: 1\ntwo: 2\n"));
  GdkClipboard *clipboard = gtk_widget_get_clipboard (about);
  GtkWidget *copy = ui_test_find_button (about, "_Copy");
  char *text = NULL;

  gtk_window_present (GTK_WINDOW (about));
  g_assert_nonnull (copy);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (about)) == copy);
  g_signal_emit_by_name (copy, "clicked");
  gdk_clipboard_read_text_async (clipboard, NULL, pasted_cb, &text);
  ui_test_wait (is_pasted, &text);
  g_assert_cmpstr (text, ==, "one: 1\ntwo: 2\n");
  g_free (text);
  gtk_window_destroy (GTK_WINDOW (about));
  ui_test_drain (NULL);
  g_assert_finalize_object (about);
}

static void
test_facts (void)
{
  static const char *const names[] = {"program", "system", "kernel",  "openblas", "threads",
                                      "glib",    "gtk",    "display", "renderer", "cairo",
                                      "pango",   "locale", "model"};
  GtkWidget *window = gtk_window_new ();
  AttnModel *model = ui_test_load_demo ();
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  gtk_window_present (GTK_WINDOW (window));
  text = hs_diagnostics_dup_text (GTK_WINDOW (window), model, 2);
  lines = g_strsplit (text, "\n", -1);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *beginning = g_strconcat (names[i], ": ", NULL);
    guint n = 0;
    for (guint k = 0; lines[k] != NULL; k++)
      n += g_str_has_prefix (lines[k], beginning);
    if (n != 1)
      g_test_fail_printf ("%u lines of %s", n, names[i]);
  }
  g_assert_nonnull (strstr (text, "\nthreads: 2\n"));
  g_assert_nonnull (strstr (text, "\ndisplay: X11, scale 1, 96 dpi\n"));
  g_assert_nonnull (strstr (text, "\nrenderer: Cairo\n"));
  g_assert_nonnull (strstr (text, "\nmodel: Built-in model (bert)\n"));
  g_assert_nonnull (strstr (text, "\nxlm-roberta "));
  g_assert_null (strstr (text, g_get_home_dir ()));
  g_assert_null (strstr (text, attn_model_peek_folder (model)));
  attn_model_unref (model);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_application_prepare ();
  g_test_add_func ("/about/copied", test_copied);
  g_test_add_func ("/about/facts", test_facts);
  return g_test_run ();
}
