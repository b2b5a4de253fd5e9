/* SPDX-License-Identifier: MIT */
/* Inside a part of an atlas: its sums, in the order of texts. */
#pragma once

#include "attn/atlas-part.h"

#define ATTN_ATLAS_PART_FORMAT "headscope-atlas-part"
#define ATTN_ATLAS_PART_VERSION 1
#define ATTN_ATLAS_MAX_TEXTS ((size_t)1 << 40)
#define ATTN_ATLAS_MAX_HEADS 4096 /* of a whole model: their pairs still fit in memory */

/* A node of the tree: the sum over blocks [index << level, (index + 1) << level), as far as there
 * are any. */
typedef struct {
  unsigned level;
  size_t index;
  AttnAtlas *atlas; /* owned */
} AttnAtlasNode;

struct _AttnAtlasPart {
  AttnAtlasAbout about;
  GArray *nodes; /* of AttnAtlasNode, in order, without overlap and with no two siblings */
};

/* Puts a node in its place and joins siblings; its atlas is consumed if that goes well. Returns:
 * false where some of its blocks are there already. */
bool attn_atlas_part_insert (AttnAtlasPart *part, const AttnAtlasNode *node);

/* Writes the texts [@first, @end) that a node's blocks have. */
void
attn_atlas_node_get_texts (const AttnAtlasNode *node, size_t n_texts, size_t *first, size_t *end);
