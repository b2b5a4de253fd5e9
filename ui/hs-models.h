/* SPDX-License-Identifier: MIT */
/* The models on this computer, for all windows: read on another thread whenever somebody looks. */
#pragma once

#include "hs-model-item.h"

#include "attn-hub/places.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define HS_TYPE_MODELS (hs_models_get_type ())
G_DECLARE_FINAL_TYPE (HsModels, hs_models, HS, MODELS, GObject)

/**
 * hs_models_new:
 * @places:   consumed
 * @settings: (nullable): whose "recent-models" are the folders that were opened before
 *
 * Test: tests/ui/test-models.c
 */
HsModels *hs_models_new (AttnHubPlaces *places, GSettings *settings);

/* Returns: (transfer none). */
const AttnHubPlaces *hs_models_peek_places (HsModels *self);

/* Returns: (transfer none): of HsModelItem, by place; empty before the first refresh. */
GListModel *hs_models_peek_list (HsModels *self);

/* Property "trouble" (string, nullable): why the cache could not be read.
 * Property "is-reading" (boolean). Property "n-bytes" (uint64): of what is in the cache. */
const char *hs_models_peek_trouble (HsModels *self);
bool hs_models_get_is_reading (HsModels *self);
guint64 hs_models_get_n_bytes (HsModels *self);

/* Tells, and the signal "removed" (name, bytes that are free again) tells all dialogs, and reads
 * what is there now. */
void hs_models_note_removed (HsModels *self, const char *name, guint64 n_bytes);

/* Reads what is there now; newest wins. */
void hs_models_refresh (HsModels *self);

G_END_DECLS
