/* SPDX-License-Identifier: MIT */
/* The list of a model in several weight files: model.safetensors.index.json and its like. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *tensor; /* its name */
  const char *shard;  /* the file it is in: a plain name, which stays inside the folder */
} AttnShardEntry;

typedef struct {
  char *text;              /* owned: the file, decoded in place; names live here */
  AttnShardEntry *entries; /* [n_entries], owned; by shard, then by tensor */
  size_t n_entries;
} AttnShardIndex;

/**
 * attn_shard_index_read:
 * @index: (out): for attn_shard_index_clear(); untouched on error
 *
 * Reads the file's weight_map. metadata.total_size is passed over: writers count it differently,
 * and every file is checked against its own header anyway.
 *
 * Limits: 64 MiB, 1,000 shards.
 *
 * Returns: false with @error: IO, FORMAT (also a name with a slash in it, or a tensor listed
 * twice), TOO_LARGE.
 */
bool attn_shard_index_read (const char *path, AttnShardIndex *index, GError **error);

void attn_shard_index_clear (AttnShardIndex *index);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnShardIndex, attn_shard_index_clear)
