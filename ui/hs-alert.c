/* SPDX-License-Identifier: MIT */
/* A GtkMessageDialog, so that a screen reader reads it out. */
#include "hs-alert.h"

#include <glib/gi18n.h>

GtkWidget *
hs_alert_new (GtkWindow *parent, const char *title, const char *message, const char *detail)
{
  GtkWidget *alert =
      gtk_message_dialog_new (parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                              GTK_MESSAGE_ERROR, GTK_BUTTONS_NONE, "%s", message);

  gtk_window_set_title (GTK_WINDOW (alert), title);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (alert), "%s", detail);
  gtk_dialog_add_button (GTK_DIALOG (alert), _ ("_Close"), GTK_RESPONSE_CLOSE);
  return alert;
}
