/* SPDX-License-Identifier: MIT */
/* What stands over a window ends with it.
 *
 * GTK 4.8 destroys a dialog with its parent only when the parent's last reference goes, and who
 * waits for an answer may hold that. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Ends every alert and dialog over @window, and over those. */
void hs_closing_end_above (GtkWindow *window);

/**
 * hs_closing_watch:
 * @window:  (nullable): that is stood over
 * @closing: called with @object as soon as @window closes, or one that it stands over itself
 * @object:  while it is there
 */
void hs_closing_watch (GtkWindow *window, void (*closing) (gpointer object), gpointer object);

G_END_DECLS
