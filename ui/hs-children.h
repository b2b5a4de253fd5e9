/* SPDX-License-Identifier: MIT */
/* Taking a widget's children and its template's bindings down with it. */
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

/**
 * hs_children_bind_bindings:
 * @klass: whose template names the object "bindings" in each of its <binding>s
 *
 * Has that object, and the bindings with it, end in gtk_widget_dispose_template(). Without it they
 * are bound to the widget itself, and where a child outlives the widget GTK 4.8 may free an
 * expression which the widget still refers to.
 */
void hs_children_bind_bindings (GtkWidgetClass *klass);

G_END_DECLS
