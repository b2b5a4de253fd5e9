/* SPDX-License-Identifier: MIT */
/* The store of blobs that Python's library, from version 2 on, shares between models: CACHE/blobs/
 * HH/HASH, to which a model's own blob is then a link, with a list of those links beside it in
 * HASH.refs. */
#pragma once

#include <glib.h>

#include <stdbool.h>

/* Returns: (transfer full) (nullable): which blob of the store the blob @name in the folder @blobs
 * is a link to; NULL where it is none. */
char *attn_hub_shared_dup_hash (int blobs, const char *name);

/* A model that loses blobs. */
typedef struct {
  const char *cache;
  const char *folder; /* "models--owner--name" */
  GHashTable *names;  /* (nullable): its blobs that go; NULL: all */
} AttnHubLoser;

/**
 * attn_hub_shared_sweep:
 * @plans: removes nothing, and takes the links that go for gone
 *
 * Removes a blob of the store to which nobody else has a link any more, under the lock that
 * Python's library takes for it. Without the store's mark or the blob's list, which this does not
 * judge, nothing is removed.
 *
 * Returns: the bytes that are free then.
 */
guint64 attn_hub_shared_sweep (const AttnHubLoser *loser, const char *hash, bool plans);
