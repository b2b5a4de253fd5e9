/* SPDX-License-Identifier: MIT */
/* The controller that GTK gives a label's mnemonic, without the label. */
#include "hs-mnemonic.h"

#define CONTROLLER "hs-mnemonic"

/* Returns: the letter as GTK finds it in a label. */
static guint
find_letter (const char *label)
{
  GtkWidget *reader = g_object_ref_sink (gtk_label_new_with_mnemonic (label));
  const guint letter = gtk_label_get_mnemonic_keyval (GTK_LABEL (reader));

  g_object_unref (reader);
  return letter;
}

void
hs_mnemonic_keep (GtkWidget *widget, const char *label, bool on)
{
  GtkEventController *controller = g_object_get_data (G_OBJECT (widget), CONTROLLER);
  const guint letter = find_letter (label);

  g_return_if_fail (letter != GDK_KEY_VoidSymbol);

  if ((controller != NULL) == on)
    return;
  if (!on) {
    g_object_set_data (G_OBJECT (widget), CONTROLLER, NULL);
    gtk_widget_remove_controller (widget, controller);
    return;
  }
  controller = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (controller),
                                     GTK_SHORTCUT_SCOPE_MANAGED);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (controller),
      gtk_shortcut_new (gtk_mnemonic_trigger_new (letter),
                        g_object_ref (gtk_mnemonic_action_get ())));
  gtk_widget_add_controller (widget, controller);
  g_object_set_data (G_OBJECT (widget), CONTROLLER, controller);
}
