/* SPDX-License-Identifier: MIT */
/* All heads as a table that is sorted by any of its columns. */
#pragma once

#include "attn-draw/atlas.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_ATLAS_TABLE (hs_atlas_table_get_type ())
G_DECLARE_FINAL_TYPE (HsAtlasTable, hs_atlas_table, HS, ATLAS_TABLE, GtkWidget)

/* Signal "chosen" (uint layer, uint head): a row was clicked, or Enter pressed on it. */

/* Shows another atlas, whose heads stand in the order that was chosen. */
void hs_atlas_table_set_drawn (HsAtlasTable *self, const AttnDrawAtlas *drawn);

/* Shows the heads that are looked for alone. */
void hs_atlas_table_set_filter (HsAtlasTable *self, const AttnDrawAtlasFilter *filter);

/* Selects a head's row, where it is shown. */
void hs_atlas_table_set_head (HsAtlasTable *self, guint layer, guint head);

/* Returns: how many heads are shown. */
guint hs_atlas_table_get_n (HsAtlasTable *self);

/* Sorts by a column, as a click on its heading does; for tests. */
void hs_atlas_table_sort (HsAtlasTable *self, guint column, GtkSortType type);

/* Returns: (transfer none): a cell's text; for tests. */
const char *hs_atlas_table_peek_text (HsAtlasTable *self, guint row, guint column);

G_END_DECLS
