/* SPDX-License-Identifier: MIT */
/* Two lists of tokens side by side, and two sets of maps subtracted from each other. */
#pragma once

#include "attn/arrange.h"
#include "attn/maps.h"
#include "attn/pool.h"
#include "attn/progress.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/* Which of A's rows (or columns) are which of B's: those of a longest common subsequence of their
 * pieces, in order; the others have no partner. Immutable and reference-counted. */
typedef struct _AttnAlignment AttnAlignment;

/* Returns: an alignment of one side of @a with that of @b, for attn_alignment_unref(). */
AttnAlignment *attn_alignment_new (const AttnMaps *a, const AttnMaps *b, AttnSide side);

AttnAlignment *attn_alignment_ref (AttnAlignment *alignment);
void attn_alignment_unref (AttnAlignment *alignment);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnAlignment, attn_alignment_unref)

/* Returns: how many are in both. */
size_t attn_alignment_get_n (const AttnAlignment *alignment);
/* Where pair @index stands in A and in B. */
void attn_alignment_get (const AttnAlignment *alignment, size_t index, size_t *a, size_t *b);
/* Returns: how many of A's, or of B's, have no partner. */
size_t attn_alignment_get_n_alone (const AttnAlignment *alignment, bool of_b);

/**
 * attn_maps_new_difference:
 * @a,@b: as many layers and heads each
 *
 * A − B over the tokens that both have. A cell that either cannot see is hidden.
 *
 * Returns: new maps for attn_maps_unref(), or NULL with @error: SHAPE (other numbers of layers or
 *   heads; no token in common).
 * Test: tests/core/test-align.c
 */
AttnMaps *attn_maps_new_difference (AttnMaps *a, AttnMaps *b, GError **error);

/* The maps of one head alone: one layer, one head. */
AttnMaps *attn_maps_new_head (AttnMaps *maps, size_t layer, size_t head);

typedef struct {
  size_t layer, head; /* from 0 */
  double change; /* 0 … 1: mean over the common queries of ½ Σ |A − B| over the common keys */
} AttnHeadChange;

/**
 * attn_rank_changes:
 * @difference: of attn_maps_new_difference()
 * @n: (out)
 *
 * Returns: (transfer full): all heads, the most changed first, equal ones by layer and head; for
 *   g_free(). NULL with @error: TOO_LARGE, CANCELLED.
 */
AttnHeadChange *attn_rank_changes (AttnMaps *difference,
                                   AttnPool *pool,
                                   AttnProgressFunc progress,
                                   void *progress_data,
                                   size_t *n,
                                   GError **error);

G_END_DECLS
