/* SPDX-License-Identifier: MIT */
/* The window of what is chosen for all windows. Every change takes effect at once. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_PREFERENCES (hs_preferences_get_type ())
G_DECLARE_FINAL_TYPE (HsPreferences, hs_preferences, HS, PREFERENCES, GtkWindow)

/* @parent: (nullable): the window it stands before. */
GtkWidget *hs_preferences_new (GtkWindow *parent, GSettings *settings);

G_END_DECLS
