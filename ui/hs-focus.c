/* SPDX-License-Identifier: MIT */
/* Takes the focus off what is hidden. GTK 4.8 does so after the next frame, when it has found
 * another place for it, and keeps a reference to the hidden widget until then; when another one is
 * hidden with the focus before, it forgets the first: a panel that went, then its window, stayed in
 * memory with the text, its maps and the model. */
#include "hs-focus.h"

#include <gtk/gtk.h>

/* GTK goes on looking for another place. */
static gboolean
hide_cb (GSignalInvocationHint *hint G_GNUC_UNUSED,
         guint n_values G_GNUC_UNUSED,
         const GValue *values,
         gpointer data G_GNUC_UNUSED)
{
  GtkWidget *hidden = g_value_get_object (&values[0]);
  GtkRoot *root = gtk_widget_get_root (hidden);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL && GTK_WIDGET (root) != hidden &&
      (focus == hidden || gtk_widget_is_ancestor (focus, hidden)))
    gtk_root_set_focus (root, NULL);
  return TRUE;
}

void
hs_focus_watch (void)
{
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET)); /* its signals are there after that */
  g_signal_add_emission_hook (g_signal_lookup ("hide", GTK_TYPE_WIDGET), 0, hide_cb, NULL, NULL);
}
