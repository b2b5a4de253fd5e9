/* SPDX-License-Identifier: MIT */
/* A GtkMessageDialog, so that a screen reader reads it out. */
#include "hs-alert.h"

#include "hs-dialog-keys.h"
#include "hs-errors.h"
#include "hs-told.h"

#include <glib/gi18n.h>

#define ALERT "hs-alert"
#define GET_MODEL 1 /* a response */

/* Files can be dropped on a window that an alert stands over: only what failed last is of interest,
 * and dozens of alerts would have to be closed one by one. */
static void
replace (GtkWindow *parent, GtkWidget *alert)
{
  GtkWidget *before = g_object_get_data (G_OBJECT (parent), ALERT);

  if (before != NULL) {
    g_object_ref (before);
    gtk_dialog_response (GTK_DIALOG (before), GTK_RESPONSE_DELETE_EVENT);
    gtk_window_destroy (GTK_WINDOW (before));
    g_object_unref (before);
  }
  g_object_set_data (G_OBJECT (parent), ALERT, alert);
}

static void
destroyed_cb (GtkWidget *alert, GtkWindow *parent)
{
  if (g_object_get_data (G_OBJECT (parent), ALERT) == alert)
    g_object_set_data (G_OBJECT (parent), ALERT, NULL);
}

/* Line by line, in the window's language. */
static char *
dup_told (const char *detail)
{
  g_auto (GStrv) lines = g_strsplit (detail, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++) {
    char *told = hs_told_dup_sentence (lines[i]);
    g_free (lines[i]);
    lines[i] = told;
  }
  return g_strjoinv ("\n", lines);
}

GtkWidget *
hs_alert_new (GtkWindow *parent, const char *title, const char *message, const char *detail)
{
  g_autofree char *told = dup_told (detail);
  GtkWidget *alert =
      gtk_message_dialog_new (parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                              GTK_MESSAGE_ERROR, GTK_BUTTONS_NONE, "%s", message);

  gtk_window_set_title (GTK_WINDOW (alert), title);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (alert), "%s", told);
  gtk_dialog_add_button (GTK_DIALOG (alert), _ ("_Close"), GTK_RESPONSE_CLOSE);
  hs_dialog_keys_add_to (alert);
  if (parent != NULL) {
    replace (parent, alert);
    g_signal_connect_object (alert, "destroy", G_CALLBACK (destroyed_cb), parent, 0);
  }
  return alert;
}

static void
get_model_cb (GtkDialog *alert, int response, const char *name)
{
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (alert));

  if (response == GET_MODEL && parent != NULL)
    gtk_widget_activate_action (GTK_WIDGET (parent), "win.get-named-model", "s", name);
}

void
hs_alert_offer_model (GtkWidget *alert, const GError *error)
{
  char *name = hs_error_dup_wanted_model (error);

  if (name == NULL)
    return;
  gtk_dialog_add_button (GTK_DIALOG (alert), _ ("Get a model"), GET_MODEL);
  g_signal_connect_data (alert, "response", G_CALLBACK (get_model_cb), name,
                         (GClosureNotify)(GCallback)g_free, 0);
}
