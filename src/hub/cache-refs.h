/* SPDX-License-Identifier: MIT */
/* The references of a model in the cache: which branch or tag points to which commit. */
#pragma once

#include <glib.h>

#include <stdbool.h>

/* Returns: (transfer full): commit -> GPtrArray of names, sorted, the main branch first. */
GHashTable *attn_hub_refs_read (int repo_dir);

/* Whether a text is safe as the name of a snapshot's folder. */
bool attn_hub_is_snapshot_name (const char *name);
