/* SPDX-License-Identifier: MIT */
/* Rows of labels. */
#include "hs-table.h"

#define LEAST_CHARS 2 /* of a cell: where there is no room its words go on in the next line */

void
hs_table_clear (GtkGrid *grid)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (grid))) != NULL)
    gtk_grid_remove (grid, child);
}

/* The row below the last one. */
static int
count_rows (GtkGrid *grid)
{
  int n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (grid)); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    int row;

    gtk_grid_query_child (grid, child, NULL, &row, NULL, NULL);
    n = MAX (n, row + 1);
  }
  return n;
}

void
hs_table_add_row (
    GtkGrid *grid, const char *const *cells, size_t n, bool numeric, const char *style)
{
  const int row = count_rows (grid);

  for (size_t i = 0; i < n; i++) {
    if (cells[i] == NULL)
      continue;
    const bool at_end = numeric && i > 0;
    GtkWidget *label =
        g_object_new (GTK_TYPE_LABEL, "label", cells[i], "xalign", at_end ? 1.0 : 0.0, "yalign",
                      0.0, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "width-chars",
                      LEAST_CHARS, "hexpand", i > 0, NULL);

    if (at_end)
      gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_RIGHT);
    if (numeric)
      gtk_widget_add_css_class (label, "numeric");
    if (style != NULL)
      gtk_widget_add_css_class (label, style);
    gtk_grid_attach (grid, label, (int)i, row, 1, 1);
  }
}
