/* SPDX-License-Identifier: MIT */
/* Where in a model folder the transformer is.
 *
 * For: folders of sentence-transformers, which may keep it in a sub-folder. Not for: finding a
 * model by name (attn-hub/store.h) or opening anything. */
#pragma once

#include <glib.h>

#include <stdbool.h>

G_BEGIN_DECLS

/**
 * attn_folder_find_transformer:
 * @folder: a model folder, or a weight file in one
 *
 * Where @folder holds a modules.json, that file says which sub-folder has config, weights and
 * tokenizer; beside a weight file they are in its own folder. attn_model_load() calls this itself.
 *
 * Returns: (transfer full): @folder itself, the sub-folder or the file's folder, or NULL with
 *   @error: IO, FORMAT (also a path that leads out of the folder), TOO_LARGE.
 * Test: tests/core/test-folder.c
 */
char *attn_folder_find_transformer (const char *folder, GError **error);

/* Returns: (transfer full): what attn_source_open() is to open: a weight file itself, or what the
 * function above finds; NULL with @error likewise. */
char *attn_folder_find_weights (const char *folder, GError **error);

/* Returns: whether @path is a file that is named as weights, or the index of some, are. */
bool attn_folder_is_weight_file (const char *path);

/**
 * attn_folder_dup_name:
 * @folder: a model folder's path, in any encoding
 *
 * What people call the model: the path's last part, and where that is what any model may be called
 * (model, checkpoint-500, pytorch_model.bin, a hash) the parts above it, too, up to the first that
 * says more: "bert-tiny/model"; "ORG/NAME" for a snapshot in a cache of the
 * Hugging Face library, whose last part is a hash (…/models--ORG--NAME/snapshots/HASH).
 *
 * Returns: (transfer full): one line of UTF-8, as attn_file_dup_shown() makes it.
 * Test: tests/core/test-folder.c
 */
char *attn_folder_dup_name (const char *folder);

G_END_DECLS
