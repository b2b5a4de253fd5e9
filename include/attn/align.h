/* SPDX-License-Identifier: MIT */
/* Two lists of tokens side by side, and two sets of maps subtracted from each other.
 *
 * For: what changed between two texts, two heads or two models. Tokens are partners where they are
 * written alike or, of two vocabularies, stand for the same of what was typed; what has no partner
 * is told, never guessed. */
#pragma once

#include "attn/maps.h"
#include "attn/pool.h"
#include "attn/progress.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* Which of A's rows (or columns) are which of B's. Immutable and reference-counted. */
typedef struct _AttnAlignment AttnAlignment;

/**
 * attn_alignment_new:
 * @a,@b: read while this runs
 * @side: whose tokens are compared
 *
 * A longest common subsequence of both lists of pieces: as many partners as possible, in order.
 * Where several are equally long, the choice depends on the pieces alone, so that A and B exchanged
 * give the same partners. Pieces of two vocabularies write the same text in two ways, as "Ġcat" and
 * "cat": then a token's part of the text, without blanks around it, stands for it; tokens of no
 * text, or of a part of a character, keep their pieces and have partners only where those agree.
 *
 * Memory: one bit for each pair of an A and a B between the first and the last difference.
 * Returns: a new alignment for attn_alignment_unref(), or NULL with @error: TOO_LARGE.
 * Source:  Wagner and Fischer 1974, for insertions and deletions alone.
 * Test:    tests/core/test-align.c, tests/core/test-align-models.c
 */
AttnAlignment *
attn_alignment_new (const AttnMaps *a, const AttnMaps *b, AttnSide side, GError **error);

AttnAlignment *attn_alignment_ref (AttnAlignment *alignment);
void attn_alignment_unref (AttnAlignment *alignment);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnAlignment, attn_alignment_unref)

/* Returns: how many pairs of partners there are. */
size_t attn_alignment_get_n (const AttnAlignment *alignment);

/* Where pair @index stands in A and in B; both rise with @index. */
void attn_alignment_get (const AttnAlignment *alignment, size_t index, size_t *a, size_t *b);

/* Returns: how many of A's, or of B's, have no partner. */
size_t attn_alignment_get_n_alone (const AttnAlignment *alignment, bool of_b);

/* Returns: the pair that A's, or B's, token @index belongs to; G_MAXSIZE where it has no partner.
 */
size_t attn_alignment_find (const AttnAlignment *alignment, bool of_b, size_t index);

/**
 * attn_maps_new_difference:
 * @a,@b: as many layers and heads each; referenced
 *
 * A − B over the tokens that both have, labelled as in A. A cell that either cannot see is hidden
 * and has the weight 0; equal weights give exactly 0.
 *
 * Returns: new maps for attn_maps_unref(), or NULL with @error: SHAPE (other numbers of layers or
 *   heads; no token in common), TOO_LARGE.
 * Test: tests/core/test-align.c
 */
AttnMaps *attn_maps_new_difference (AttnMaps *a, AttnMaps *b, GError **error);

/* The same over partners that are known already, referenced: at least one of each side, @a's and
 * @b's. Returns: NULL with @error: SHAPE, as above. */
AttnMaps *attn_maps_new_aligned_difference (
    AttnMaps *a, AttnMaps *b, AttnAlignment *queries, AttnAlignment *keys, GError **error);

/* Returns: maps of @n_layers × @n_heads (both > 0) that are all this one head; for
 * attn_maps_unref(). */
AttnMaps *
attn_maps_new_head (AttnMaps *maps, size_t layer, size_t head, size_t n_layers, size_t n_heads);

/**
 * attn_map_measure_change:
 * @map: of attn_maps_new_difference()
 *
 * Returns: mean over the common queries of ½ Σ |A − B| over the common keys: 0 … 1, the share of a
 *   query's weight that moved; NaN where a weight is no number.
 * Source: total variation between two distributions, as Levin and Peres 2017, proposition 4.2.
 * Test: tests/core/test-align.c
 */
double attn_map_measure_change (const AttnMap *map);

typedef struct {
  size_t layer, head; /* from 0 */
  double change;      /* of attn_map_measure_change() */
} AttnHeadChange;

/**
 * attn_rank_changes:
 * @difference: of attn_maps_new_difference()
 * @pool: (nullable)
 * @n: (out): layers × heads
 *
 * Returns: (transfer full): all heads, the most changed first, equal ones by layer and head, those
 *   that are no number last; for g_free(). NULL with @error: TOO_LARGE, CANCELLED, the source's.
 * Test: tests/core/test-align.c
 */
AttnHeadChange *attn_rank_changes (AttnMaps *difference,
                                   AttnPool *pool,
                                   AttnProgressFunc progress,
                                   void *progress_data,
                                   size_t *n,
                                   GError **error);

/* What is set against what where heads are ranked. */
typedef enum {
  ATTN_RANKED_SAME_HEADS, /* each head of A against the same head of B */
  ATTN_RANKED_ONE_HEAD,   /* one head of A against each head of B */
} AttnRanked;

/* Returns: the same heads, unless @a and @b are the same maps, where those cannot differ, or have
 * other numbers of layers or heads, where they are no partners. */
AttnRanked attn_ranked_choose (const AttnMaps *a, const AttnMaps *b);

/**
 * attn_rank_compared:
 * @a,@b: of two sides, as they came out of the models
 * @layer,@head: A's head, which @a must have, for ATTN_RANKED_ONE_HEAD
 *
 * attn_rank_changes() of A − B, by what attn_ranked_choose() says. Layers and heads are B's.
 *
 * Returns: (transfer full): as attn_rank_changes(); NULL also with what attn_maps_new_difference()
 *   refuses.
 * Test: tests/core/test-align-models.c
 */
AttnHeadChange *attn_rank_compared (AttnMaps *a,
                                    AttnMaps *b,
                                    size_t layer,
                                    size_t head,
                                    AttnPool *pool,
                                    AttnProgressFunc progress,
                                    void *progress_data,
                                    size_t *n,
                                    GError **error);

G_END_DECLS
