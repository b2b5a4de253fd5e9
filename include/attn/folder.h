/* SPDX-License-Identifier: MIT */
/* Where in a model folder the transformer is.
 *
 * For: folders of sentence-transformers, which may keep it in a sub-folder. Not for: finding a
 * model by name (attn-hub/store.h) or opening anything. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * attn_folder_find_transformer:
 * @folder: a model folder
 *
 * Where @folder holds a modules.json, that file says which sub-folder has config, weights and
 * tokenizer. attn_model_load() calls this itself.
 *
 * Returns: (transfer full): @folder itself or the sub-folder, or NULL with @error: IO, FORMAT (also
 *   a path that leads out of the folder), TOO_LARGE.
 * Test: tests/core/test-folder.c
 */
char *attn_folder_find_transformer (const char *folder, GError **error);

G_END_DECLS
