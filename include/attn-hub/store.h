/* SPDX-License-Identifier: MIT */
/* Where models and the program's own data are. */
#pragma once

#include <glib.h>

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

G_END_DECLS
