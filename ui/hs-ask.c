/* SPDX-License-Identifier: MIT */
/* The file chooser, which lives until it is answered, or its window closes. */
#include "hs-ask.h"

#include "hs-closing.h"

#include <glib/gi18n.h>

#include <string.h>

char *
hs_ask_dup_single_ending (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  const char *ending = strrchr (base, '.');
  const size_t n = ending != NULL ? strlen (ending) : 0, length = strlen (base);

  if (n < 2 || length <= 2 * n || strncmp (ending - n, ending, n) != 0)
    return g_strdup (path);
  return g_strndup (path, strlen (path) - n);
}

typedef struct {
  GtkFileChooserNative *chooser;
  GCancellable *looking;
  HsPathFunc done;
  gpointer data;
} Asked;

static void
response_cb (GtkNativeDialog *chooser, int response, gpointer data)
{
  g_autofree Asked *asked = data;
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT
                               ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser))
                               : NULL;
  g_cancellable_cancel (asked->looking);
  asked->done (file != NULL ? g_file_get_path (file) : NULL, asked->data);
  g_object_unref (asked->looking);
  g_object_unref (asked->chooser);
}

/* Nobody is left to choose. */
static void
closing_cb (gpointer chooser)
{
  gtk_native_dialog_hide (chooser);
  g_signal_emit_by_name (chooser, "response", GTK_RESPONSE_CANCEL);
}

static void
add_filters (GtkFileChooser *chooser, const HsQuestion *question)
{
  g_autoptr (GtkFileFilter) wanted = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();
  g_auto (GStrv) patterns = g_strsplit (question->pattern, " ", 0);

  gtk_file_filter_set_name (wanted, question->pattern_name);
  for (char **each = patterns; *each != NULL; each++)
    gtk_file_filter_add_pattern (wanted, *each);
  gtk_file_chooser_add_filter (chooser, wanted);
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, all);
}

/* Cancelled means answered: its window has closed. A root that cannot be looked at is the chooser's
 * to tell. */
static void
looked_cb (GObject *root, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (root), result, &error);
  Asked *asked = data;

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (asked->chooser));
}

/* The path bar of GTK 4.8 places none of its buttons before it has a folder's name, and draws two
 * of them all the same, with a warning. A new chooser asks GIO's threads for the root's name, so
 * whoever asks for the same after it shows the chooser when there is something to place. */
static void
show_when_named (Asked *asked)
{
  g_autoptr (GFile) root = g_file_new_for_path ("/");

  g_file_query_info_async (root, G_FILE_ATTRIBUTE_STANDARD_DISPLAY_NAME, G_FILE_QUERY_INFO_NONE,
                           G_PRIORITY_DEFAULT, asked->looking, looked_cb, asked);
}

/* GTK keeps no reference on a native chooser, so the question does until the answer. */
void
hs_ask_by_chooser (GtkWindow *parent, const HsQuestion *question, HsPathFunc done, gpointer data)
{
  Asked *asked = g_new0 (Asked, 1);

  asked->chooser = gtk_file_chooser_native_new (question->title, parent, question->action,
                                                question->accept, _ ("_Cancel"));
  asked->looking = g_cancellable_new ();
  asked->done = done;
  asked->data = data;
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (asked->chooser), TRUE);
  if (question->name != NULL)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (asked->chooser), question->name);
  if (question->pattern != NULL)
    add_filters (GTK_FILE_CHOOSER (asked->chooser), question);
  g_signal_connect (asked->chooser, "response", G_CALLBACK (response_cb), asked);
  hs_closing_watch (parent, closing_cb, asked->chooser);
  show_when_named (asked);
}
