/* SPDX-License-Identifier: MIT */
/* A bar over something high: while the page around them is scrolled, the bar stays in sight. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_STICKY (hs_sticky_get_type ())
G_DECLARE_FINAL_TYPE (HsSticky, hs_sticky, HS, STICKY, GtkWidget)

/* Properties "bar" and "child" (GtkWidget, set once). */
GtkWidget *hs_sticky_new (GtkWidget *bar, GtkWidget *child);

/* Returns: px at the top of the scrolled part that a bar over @widget covers; 0 without one. */
int hs_sticky_get_covered (GtkWidget *widget);

G_END_DECLS
