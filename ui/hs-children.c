/* SPDX-License-Identifier: MIT */
/* Taking a widget's children and its template's bindings down with it. */
#include "hs-children.h"

void
hs_children_unparent (GtkWidget *widget)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (widget)) != NULL)
    gtk_widget_unparent (child);
}

void
hs_children_bind_bindings (GtkWidgetClass *klass)
{
  gtk_widget_class_bind_template_child_full (klass, "bindings", FALSE, 0);
}
