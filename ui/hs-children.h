/* SPDX-License-Identifier: MIT */
/* Taking a widget's children down with it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * hs_children_unparent:
 * @widget: being disposed
 *
 * Unparents all children. GTK 4.8's gtk_widget_dispose_template() does so only for those bound by
 * name, and complains about the others when the widget is finalized.
 */
void hs_children_unparent (GtkWidget *widget);

G_END_DECLS
