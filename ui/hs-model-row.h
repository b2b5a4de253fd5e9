/* SPDX-License-Identifier: MIT */
/* One line of the list of models: name, facts, and where the model is in use. */
#pragma once

#include "hs-model-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_MODEL_ROW (hs_model_row_get_type ())
G_DECLARE_FINAL_TYPE (HsModelRow, hs_model_row, HS, MODEL_ROW, GtkListBoxRow)

GtkWidget *hs_model_row_new (HsModelItem *item);

/* Returns: (transfer none). */
HsModelItem *hs_model_row_peek_item (HsModelRow *self);

/* @use: (nullable): "in use", translated; NULL for nothing. */
void hs_model_row_set_use (HsModelRow *self, const char *use);

G_END_DECLS
