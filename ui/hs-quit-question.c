/* SPDX-License-Identifier: MIT */
/* One question at a time, over the window that is in use. */
#include "hs-quit-question.h"

#include "hs-accessible.h"

#include <glib/gi18n.h>

#define QUESTION "hs-quit-question" /* of the application: the dialog that is open */

static void
answered_cb (GtkDialog *dialog, int response, gpointer application)
{
  gtk_window_destroy (GTK_WINDOW (dialog));
  if (response == GTK_RESPONSE_ACCEPT)
    g_application_quit (application);
}

static void
destroyed_cb (GtkWidget *dialog G_GNUC_UNUSED, gpointer application)
{
  g_object_set_data (application, QUESTION, NULL);
}

static GtkWidget *
make_question (GtkApplication *application, HsDownload *download)
{
  GtkWidget *dialog = gtk_message_dialog_new (
      gtk_application_get_active_window (application),
      GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE,
      _ ("%s is being downloaded. Quit even so?"), hs_download_peek_name (download));

  gtk_window_set_application (GTK_WINDOW (dialog), application);
  gtk_window_set_title (GTK_WINDOW (dialog), _ ("Quit"));
  gtk_message_dialog_format_secondary_text (
      GTK_MESSAGE_DIALOG (dialog), "%s",
      _ ("The download stops. What has arrived is kept: after the next start, Models can resume "
         "it from there."));
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Go on downloading"), GTK_RESPONSE_CANCEL);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Quit"), GTK_RESPONSE_ACCEPT);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  hs_accessible_name_all (dialog);
  return dialog;
}

bool
hs_quit_question_ask (GtkApplication *application, HsDownloads *downloads)
{
  HsDownload *running = hs_downloads_peek_running (downloads);
  GtkWidget *dialog = g_object_get_data (G_OBJECT (application), QUESTION);

  if (running == NULL || gtk_application_get_active_window (application) == NULL)
    return false;
  if (dialog == NULL) {
    dialog = make_question (application, running);
    g_object_set_data (G_OBJECT (application), QUESTION, dialog);
    g_signal_connect (dialog, "destroy", G_CALLBACK (destroyed_cb), application);
    g_signal_connect (dialog, "response", G_CALLBACK (answered_cb), application);
  }
  gtk_window_present (GTK_WINDOW (dialog));
  return true;
}
