/* SPDX-License-Identifier: MIT */
/* Bindings of a class. */
#include "hs-dialog-keys.h"

/* Dialogs know no actions of the application's: their window does. */
static gboolean
quit_cb (GtkWidget *widget, GVariant *arguments G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (widget));

  return parent != NULL && gtk_widget_activate_action (GTK_WIDGET (parent), "app.quit", NULL);
}

void
hs_dialog_keys_add_to (GtkWidget *dialog)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_w, GDK_CONTROL_MASK),
                        gtk_named_action_new ("window.close")));
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_q, GDK_CONTROL_MASK),
                        gtk_callback_action_new (quit_cb, NULL, NULL)));
  gtk_widget_add_controller (dialog, keys);
}

void
hs_dialog_keys_add (GtkWidgetClass *klass)
{
  gtk_widget_class_add_binding_action (klass, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_w, GDK_CONTROL_MASK, "window.close", NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_q, GDK_CONTROL_MASK, quit_cb, NULL);
}
