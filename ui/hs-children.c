/* SPDX-License-Identifier: MIT */
/* Taking a widget's children down with it. */
#include "hs-children.h"

void
hs_children_unparent (GtkWidget *widget)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (widget)) != NULL)
    gtk_widget_unparent (child);
}
