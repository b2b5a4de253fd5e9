/* SPDX-License-Identifier: MIT */
/* Closes popovers that go with what they hang from. GTK 4.8 gives all keys and clicks to an open
 * popover and closes it a little after it left the screen, unless its window has gone by then, or
 * its button has been put elsewhere: then no window of the program would hear anything any more. */
#include "hs-popovers.h"

#include <gtk/gtk.h>

#include <stdbool.h>

static bool
is_lost (GtkWidget *popover)
{
  return gtk_widget_get_visible (popover) && !gtk_widget_get_mapped (popover);
}

static gboolean
close_cb (gpointer data)
{
  if (is_lost (data))
    gtk_popover_popdown (GTK_POPOVER (data));
  return G_SOURCE_REMOVE;
}

/* One that is closed in the common way is no longer visible when it is unmapped. */
static gboolean
unmap_cb (GSignalInvocationHint *hint G_GNUC_UNUSED,
          guint n_values G_GNUC_UNUSED,
          const GValue *values,
          gpointer data G_GNUC_UNUSED)
{
  GtkWidget *widget = g_value_get_object (&values[0]);

  if (GTK_IS_POPOVER (widget) && gtk_widget_get_visible (widget))
    g_idle_add_full (G_PRIORITY_HIGH, close_cb, g_object_ref (widget), g_object_unref);
  return TRUE;
}

void
hs_popovers_watch (void)
{
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET)); /* its signals are there after that */
  g_signal_add_emission_hook (g_signal_lookup ("unmap", GTK_TYPE_WIDGET), 0, unmap_cb, NULL, NULL);
}
