/* SPDX-License-Identifier: MIT */
/* One model on this computer, as a list shows it; never changes. */
#pragma once

#include "attn-hub/cache.h"

#include <glib-object.h>

#include <stdbool.h>

G_BEGIN_DECLS

/* Where it is, in the order of the list. */
typedef enum {
  HS_MODEL_BUILT_IN,
  HS_MODEL_CACHED, /* downloaded by this program or by Hugging Face's libraries */
  HS_MODEL_FOLDER, /* opened before */
} HsModelPlace;

#define HS_TYPE_MODEL_ITEM (hs_model_item_get_type ())
G_DECLARE_FINAL_TYPE (HsModelItem, hs_model_item, HS, MODEL_ITEM, GObject)

/* @target: (nullable): "demo" or a path; NULL for the entry's folder.
 * @entry: consumed. */
HsModelItem *hs_model_item_new (HsModelPlace place, const char *target, AttnHubEntry *entry);

HsModelPlace hs_model_item_get_place (HsModelItem *self);

/* Returns: (transfer none): what people call it, one line. */
const char *hs_model_item_peek_name (HsModelItem *self);

/* Returns: (transfer none): what opens it: "demo", or a path. */
const char *hs_model_item_peek_target (HsModelItem *self);

/* Returns: (transfer none): its folder and what is known of it. */
const AttnHubEntry *hs_model_item_peek_entry (HsModelItem *self);

bool hs_model_item_is_usable (HsModelItem *self);

/* Returns: (transfer full): "bert · 12 layers × 12 heads · 412 MB", as far as that is known. */
char *hs_model_item_dup_facts (HsModelItem *self);

/* Returns: (transfer full): what the Hub is asked for to have it: "owner/name@revision". */
char *hs_model_item_dup_hub_name (HsModelItem *self);

/* Returns: (transfer full) (nullable): why it cannot be used; what the Hub library says in English
 * is a detail of that. */
char *hs_model_item_dup_reason (HsModelItem *self);

/* Whether name or family hold @words, whatever their case; "" is held by all. */
bool hs_model_item_matches (HsModelItem *self, const char *words);

G_END_DECLS
