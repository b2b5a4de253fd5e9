/* SPDX-License-Identifier: MIT */
/* A toplevel is unrealized when it is destroyed, and only then, whoever still refers to it. */
#include "hs-closing.h"

#include <stdbool.h>

static bool
stands_over (GtkWindow *above, GtkWindow *window)
{
  while (above != NULL && above != window)
    above = gtk_window_get_transient_for (above);
  return above != NULL;
}

/* The widgets of a chooser are its own to end. */
void
hs_closing_end_above (GtkWindow *window)
{
  GList *all = gtk_window_list_toplevels ();

  g_list_foreach (all, (GFunc)(GCallback)g_object_ref, NULL);
  for (GList *each = all; each != NULL; each = each->next)
    if (each->data != window && !GTK_IS_FILE_CHOOSER (each->data) &&
        stands_over (each->data, window))
      gtk_window_destroy (each->data);
  g_list_free_full (all, g_object_unref);
}

void
hs_closing_watch (GtkWindow *window, void (*closing) (gpointer object), gpointer object)
{
  for (; window != NULL; window = gtk_window_get_transient_for (window))
    g_signal_connect_object (window, "unrealize", G_CALLBACK (closing), object, G_CONNECT_SWAPPED);
}
