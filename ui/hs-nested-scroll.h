/* SPDX-License-Identifier: MIT */
/* A scrolled window within another: the wheel moves the outer one to its end before the inner one.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @scrolled: GtkScrolledWindow. Up it is the other way round: the inner one goes to its top first.
 */
void hs_nested_scroll_join (GtkWidget *scrolled);

/* The same, but what is in @scrolled may have the wheel before both. */
void hs_nested_scroll_join_after (GtkWidget *scrolled);

/* Returns: whether the wheel at @inner, by @dy (1 for a notch down), moved the outer one. */
gboolean hs_nested_scroll_move (GtkWidget *inner, double dy, GdkScrollUnit unit);

G_END_DECLS
