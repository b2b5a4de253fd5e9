/* SPDX-License-Identifier: MIT */
/* A frame with a sentence over all of a window, which takes no events itself. */
#include "hs-drop-hint.h"

#include <glib/gi18n.h>

/* The drop of a drag that began here is a picture or a folder on its way out. */
static void
current_drop_cb (GtkDropTarget *target, GParamSpec *pspec G_GNUC_UNUSED, GtkWidget *hint)
{
  GdkDrop *drop = gtk_drop_target_get_current_drop (target);

  gtk_widget_set_visible (hint, drop != NULL && gdk_drop_get_drag (drop) == NULL);
}

void
hs_drop_hint_add (GtkWindow *window, GtkDropTarget *target)
{
  g_autoptr (GtkWidget) content = g_object_ref (gtk_window_get_child (window));
  GtkWidget *overlay = gtk_overlay_new ();
  GtkWidget *hint = gtk_label_new (_ ("Drop to open"));

  gtk_widget_add_css_class (hint, "drop-hint");
  gtk_widget_set_can_target (hint, FALSE);
  gtk_widget_set_visible (hint, FALSE);
  gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
  gtk_label_set_justify (GTK_LABEL (hint), GTK_JUSTIFY_CENTER);
  gtk_window_set_child (window, NULL);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), content);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), hint);
  gtk_window_set_child (window, overlay);
  g_signal_connect_object (target, "notify::current-drop", G_CALLBACK (current_drop_cb), hint, 0);
}
