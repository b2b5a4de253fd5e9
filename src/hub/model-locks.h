/* SPDX-License-Identifier: MIT */
/* Keeping downloads out while a model is removed. */
#pragma once

#include <glib.h>

#include <stdbool.h>

/**
 * attn_hub_locks_take:
 * @repo_dir: the model's folder, opened
 *
 * Takes the locks of all blobs that are, or were, being downloaded: Python's and ours.
 *
 * Returns: (transfer full): descriptors for attn_hub_locks_release(), or NULL with @error: IO when
 *   a program holds one of them.
 */
GArray *attn_hub_locks_take (const char *cache, const char *repo, int repo_dir, GError **error);

void attn_hub_locks_release (GArray *locks);

/* Removes the files of a model's locks, which are kept otherwise. */
void attn_hub_locks_remove (const char *cache, const char *repo);
