/* SPDX-License-Identifier: MIT */
/* The window that lists the keys: readable names, and a size that fits the screen. */
#include "hs-shortcuts.h"

#include "hs-accessible.h"

#include <string.h>

#define SMALL_SCREEN 1000 /* px: has no place for columns beside each other */
#define ONE_COLUMN 1000u  /* lines: more than there are */

/* GTK shows names of keys as programs write them: "Page_Up". */
static void
tidy_keys (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "keycap")) {
    g_autofree char *name = g_strdup (gtk_label_get_text (GTK_LABEL (widget)));
    if (strlen (name) > 1)
      gtk_label_set_text (GTK_LABEL (widget), g_strdelimit (name, "_", ' '));
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    tidy_keys (child);
}

/* GTK makes the window as large as its columns, whatever the screen: on a small one it scrolls. */
static void
fit_shortcuts (GtkWindow *parent, GtkWindow *shortcuts, GtkWidget *section)
{
  g_autoptr (GtkWidget) content = g_object_ref (gtk_window_get_child (shortcuts));
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (parent));
  GdkMonitor *monitor =
      gdk_display_get_monitor_at_surface (gtk_widget_get_display (GTK_WIDGET (parent)), surface);
  GdkRectangle screen = {0};

  if (monitor == NULL)
    return;
  gdk_monitor_get_geometry (monitor, &screen);
  if (screen.width >= SMALL_SCREEN)
    return;
  g_object_set (section, "max-height", ONE_COLUMN, NULL);
  gtk_window_set_child (shortcuts, NULL);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), content);
  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (scroller), FALSE);
  gtk_window_set_child (shortcuts, scroller);
  gtk_window_set_resizable (shortcuts, TRUE);
  gtk_window_set_default_size (shortcuts, screen.width, screen.height);
}

void
hs_shortcuts_show (GtkWindow *parent)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/io/github/headscope/Headscope/ui/hs-shortcuts.ui");
  GtkWindow *shortcuts = GTK_WINDOW (gtk_builder_get_object (builder, "shortcuts"));

  tidy_keys (GTK_WIDGET (shortcuts));
  hs_accessible_name_all (GTK_WIDGET (shortcuts));
  gtk_window_set_transient_for (shortcuts, parent);
  fit_shortcuts (parent, shortcuts, GTK_WIDGET (gtk_builder_get_object (builder, "section")));
  gtk_window_present (shortcuts);
}
