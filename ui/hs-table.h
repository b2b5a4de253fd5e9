/* SPDX-License-Identifier: MIT */
/* Small tables of texts and numbers in a grid. */
#pragma once

#include <gtk/gtk.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* Takes all rows away. */
void hs_table_clear (GtkGrid *grid);

/**
 * hs_table_add_row:
 * @cells: [n] translated; NULL leaves a place empty
 * @style: (nullable): a css class of the row's labels
 *
 * Adds a row below the others: the first cell at the start, the others at the end of their columns
 * where @numeric.
 */
void hs_table_add_row (
    GtkGrid *grid, const char *const *cells, size_t n, bool numeric, const char *style);

G_END_DECLS
