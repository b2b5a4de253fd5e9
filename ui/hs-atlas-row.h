/* SPDX-License-Identifier: MIT */
/* One head in the table of all heads. */
#pragma once

#include "attn-draw/atlas.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define HS_TYPE_ATLAS_ROW (hs_atlas_row_get_type ())
G_DECLARE_FINAL_TYPE (HsAtlasRow, hs_atlas_row, HS, ATLAS_ROW, GObject)

/* Columns: first what a head is, then its passport's numbers in their order. */
enum {
  HS_ATLAS_COLUMN_HEAD,
  HS_ATLAS_COLUMN_CLASS,
  HS_ATLAS_COLUMN_FIELDS,
  HS_ATLAS_COLUMN_NEAREST = HS_ATLAS_COLUMN_FIELDS + ATTN_N_PASSPORT_FIELDS,
  HS_ATLAS_N_COLUMNS
};

/* Keeps a copy of what it shows. */
HsAtlasRow *hs_atlas_row_new (const AttnDrawAtlas *drawn, size_t layer, size_t head);

/* Signal "changed": the same head has other numbers now. */
void hs_atlas_row_take (HsAtlasRow *self, const AttnDrawAtlas *drawn);

guint hs_atlas_row_get_layer (HsAtlasRow *self);
guint hs_atlas_row_get_head (HsAtlasRow *self);
AttnPattern hs_atlas_row_get_pattern (HsAtlasRow *self);

/* Returns: (transfer none): the text of a column. */
const char *hs_atlas_row_peek_text (HsAtlasRow *self, guint column);

/* Returns: what a column is sorted by; NaN where there is nothing. */
double hs_atlas_row_get_value (HsAtlasRow *self, guint column);

/* Returns: (transfer none): a column's heading, translated; and what it is in full. */
const char *hs_atlas_row_peek_heading (guint column);

G_END_DECLS
