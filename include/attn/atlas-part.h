/* SPDX-License-Identifier: MIT */
/* An atlas of many texts in parts, each of which may be made by another machine: kept in blocks of
 * texts, written to files, and put together to the same numbers whoever made which part.
 *
 * Order of calls: new (or read) → take block after block → write; join with other parts; finish.
 *
 * Blocks are the leaves of a fixed binary tree over the whole file of texts, and a sum of two
 * blocks, or of two neighbouring sums, is made only where that tree has a node. So sums are the
 * same to the last bit in whatever order and by however many machines they are made, and a part has
 * few of them: two for each doubling of its length at most. */
#pragma once

#include "attn/atlas.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

#define ATTN_ATLAS_BLOCK 16 /* texts; the last block may have fewer */

/* What a part belongs to: only parts that agree in all of it join. Strings are owned. */
typedef struct {
  char *model, *model_sha256; /* a name for people; what counts is the hash of the weights */
  char *texts, *texts_sha256; /* likewise, of the whole file of texts */
  size_t n_texts;             /* in the whole file */
  size_t n_layers, n_heads;
  size_t max_tokens; /* that texts were cut to */
  bool with_distances, with_importance;
  size_t n_draws; /* of importance, and its seed */
  uint32_t seed;
} AttnAtlasAbout;

typedef struct _AttnAtlasPart AttnAtlasPart;

/* Returns: how many blocks the texts make. */
size_t attn_atlas_count_blocks (size_t n_texts);

/* Writes the blocks [@first, @end) of part @shard (from 0) of @n_shards: as even as can be. */
void
attn_atlas_find_shard (size_t n_texts, size_t shard, size_t n_shards, size_t *first, size_t *end);

/* Returns: (transfer full): an empty part, for attn_atlas_part_free(); @about is copied. */
AttnAtlasPart *attn_atlas_part_new (const AttnAtlasAbout *about);

void attn_atlas_part_free (AttnAtlasPart *part);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnAtlasPart, attn_atlas_part_free)

/* Returns: (transfer none): what the part belongs to, valid as long as it. */
const AttnAtlasAbout *attn_atlas_part_peek_about (const AttnAtlasPart *part);

/* Returns: the first block from @from on that the part has not. */
size_t attn_atlas_part_find_missing (const AttnAtlasPart *part, size_t from);

/* Returns: texts that are in it. */
size_t attn_atlas_part_count_texts (const AttnAtlasPart *part);

/* Takes the sums of block @block, which the part has not yet; @atlas is consumed. */
void attn_atlas_part_take (AttnAtlasPart *part, size_t block, AttnAtlas *atlas);

/**
 * attn_atlas_part_check:
 * @name: what @part is called in messages: its file
 *
 * Returns: whether the part belongs to @about; else false with @error: SHAPE, a sentence that names
 *   what differs.
 */
bool attn_atlas_part_check (const AttnAtlasPart *part,
                            const AttnAtlasAbout *about,
                            const char *name,
                            GError **error);

/**
 * attn_atlas_part_join:
 * @other: consumed, also on error
 * @name:  of @other in messages
 *
 * Returns: false with @error: SHAPE (it belongs to something else, or has texts that @part has).
 */
bool
attn_atlas_part_join (AttnAtlasPart *part, AttnAtlasPart *other, const char *name, GError **error);

/* Returns: (transfer full): the sums over all texts, for attn_atlas_free(), or NULL with @error:
 * SHAPE (the sentence says which texts are missing). */
AttnAtlas *attn_atlas_part_finish (const AttnAtlasPart *part, GError **error);

/* Appends the part as JSON, numbers to the last bit. */
void attn_atlas_part_append (const AttnAtlasPart *part, GString *json);

/**
 * attn_atlas_part_read:
 * @bytes: [n_bytes] of what should be a part
 * @name:  of the file in messages
 *
 * Returns: (transfer full): for attn_atlas_part_free(), or NULL with @error: FORMAT, SHAPE,
 *   TOO_LARGE, UNSUPPORTED (of a later version).
 * Test: tests/core/test-atlas-part.c, hostile files.
 */
AttnAtlasPart *
attn_atlas_part_read (const char *bytes, size_t n_bytes, const char *name, GError **error);

/* The same of a file, with IO. */
AttnAtlasPart *attn_atlas_part_load (const char *path, GError **error);

G_END_DECLS
