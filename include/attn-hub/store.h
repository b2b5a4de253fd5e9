/* SPDX-License-Identifier: MIT */
/* Where models and the program's own data are. */
#pragma once

#include "attn/model.h"

#include <glib.h>

#include <stdbool.h>

G_BEGIN_DECLS

/**
 * hs_data_dir:
 *
 * HEADSCOPE_DATA_DIR when set; else the source tree's resources for a program started from its
 * build tree; else the installed place, beside the program when both were moved together.
 *
 * Returns: (transfer none): an absolute path, valid for good.
 */
const char *hs_data_dir (void);

/* Returns: (transfer none): where translations are found, likewise. */
const char *hs_locale_dir (void);

/* Returns: (transfer none): where the compiled settings schema is, likewise. */
const char *hs_schema_dir (void);

/**
 * attn_hub_find_model:
 * @name: "demo" (or NULL) for the shipped model, a folder, a weight file, or the name of a model
 *   that is in the cache (cache.h): "owner/name", "owner/name@revision", or "name" alone where that
 *   is clear
 *
 * A folder goes before a model of the same name.
 *
 * Returns: (transfer full): the folder's path, or NULL with @error: IO, whose message says where
 * was looked, and how to get a model that is not there, or not whole.
 */
char *attn_hub_find_model (const char *name, GError **error);

/* Returns: whether @folder (nullable) is the shipped model's. Test: tests/hub/test-store.c */
bool attn_hub_is_shipped (const char *folder);

/* Returns: (transfer none): what titles, captions and files call @model: ATTN_MODEL_BUILT_IN for
 * the shipped one, attn_model_peek_name() for others. Valid as long as @model. */
const char *attn_hub_peek_model_name (const AttnModel *model);

G_END_DECLS
