/* SPDX-License-Identifier: MIT */
/* The numbers a view needs, computed away from any window: maps and their common range.
 *
 * May be made on a worker thread; a layout (layout.h) is then made from it on any one thread, as
 * often as the size changes. */
#pragma once

#include "attn-draw/view.h"
#include "attn/maps.h"
#include "attn/pool.h"
#include "attn/progress.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* Immutable and reference-counted. */
typedef struct _AttnDrawPanels AttnDrawPanels;

/**
 * attn_draw_panels_new:
 * @view: kind, layer, head, range, lens, arrangement and words are read; for ATTN_DRAW_LAYERS no
 *        layer and no head; a lens of whole layers has one map for all heads
 * @maps: of a forward pass or a file of arrays, not arranged yet; referenced
 * @pool: (nullable)
 *
 * Returns: new panels for attn_draw_panels_unref(), or NULL with @error: TOO_LARGE, CANCELLED,
 *   SHAPE (a layer or head that @maps has not; nothing is left by the arrangement), UNSUPPORTED
 *   (the lens does not fit @maps), or what @maps says.
 * Test: tests/draw/test-panels.c
 */
AttnDrawPanels *attn_draw_panels_new (const AttnDrawView *view,
                                      AttnMaps *maps,
                                      AttnPool *pool,
                                      AttnProgressFunc progress,
                                      void *progress_data,
                                      GError **error);

/**
 * attn_draw_panels_new_compare:
 * @view: of kind compare; layer, head, layer_b, head_b, range, lens, arrangement and words are read
 * @a,@b: of forward passes or files of arrays, not arranged yet; referenced
 *
 * Panel 0 is A's head and panel 1 is B's, with one range; panel 2 is A − B over the tokens both
 * have, with a range from −max to max, and missing where they have none in common.
 *
 * Returns: as attn_draw_panels_new().
 * Test: tests/draw/test-compare.c
 */
AttnDrawPanels *attn_draw_panels_new_compare (const AttnDrawView *view,
                                              AttnMaps *a,
                                              AttnMaps *b,
                                              AttnPool *pool,
                                              AttnProgressFunc progress,
                                              void *progress_data,
                                              GError **error);

AttnDrawPanels *attn_draw_panels_ref (AttnDrawPanels *panels);
void attn_draw_panels_unref (AttnDrawPanels *panels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawPanels, attn_draw_panels_unref)

size_t attn_draw_panels_get_n (const AttnDrawPanels *panels);

/* Returns: (transfer none): map @index; one for a heat map, all heads in order for a grid, A, B and
 * A − B for a comparison. NULL where the panels keep only the largest weight of each block of
 * queries and keys, as those of ATTN_DRAW_LAYERS do when the maps would take much memory: it is no
 * weight of any one cell. */
const AttnMap *attn_draw_panels_peek (const AttnDrawPanels *panels, size_t index);

/* Which map panel @index is of. */
size_t attn_draw_panels_get_layer (const AttnDrawPanels *panels, size_t index);
size_t attn_draw_panels_get_head (const AttnDrawPanels *panels, size_t index);

/* Returns: index of the panel of this layer and head, or G_MAXSIZE. */
size_t attn_draw_panels_find (const AttnDrawPanels *panels, size_t layer, size_t head);

/* Returns: what the strongest colour stands for in panel @index, > 0. */
float attn_draw_panels_get_max (const AttnDrawPanels *panels, size_t index);

/* Returns: whether panel @index has diverging colours, −max to max: A − B of a comparison, and what
 * lenses show that has weights below 0. @index G_MAXSIZE asks for all but A − B. */
bool attn_draw_panels_is_signed (const AttnDrawPanels *panels, size_t index);

/* Returns: whether panel @index is A − B. */
bool attn_draw_panels_is_difference (const AttnDrawPanels *panels, size_t index);

/* Returns: (transfer none): the maps that are drawn, arranged as the view asked for; A's of a
 * comparison. */
AttnMaps *attn_draw_panels_peek_maps (const AttnDrawPanels *panels);

/* Returns: (transfer none): the maps that the panels were made from, before they were arranged. */
AttnMaps *attn_draw_panels_peek_source (const AttnDrawPanels *panels);

/* Returns: whether the scale of ranks shows the maps' own: not where blocks of weights were kept
 * for another scale, then new panels should be made. */
bool attn_draw_panels_has_ranks (const AttnDrawPanels *panels);

/* Returns: (nullable) (transfer none): what B's maps of a comparison were before they were
 * arranged. */
AttnMaps *attn_draw_panels_peek_source_b (const AttnDrawPanels *panels);

/* Returns: (transfer none): the arranged maps that panel @panel of a comparison shows one head of,
 * labels and all: A's, B's, or A − B, whose heads are all the same one. NULL with @error where they
 * have no token in common, and so no A − B: SHAPE.
 * Test: tests/draw/test-compare.c */
AttnMaps *
attn_draw_panels_peek_compared (const AttnDrawPanels *panels, size_t panel, GError **error);

/* Returns: whether there is an A − B, and every weight of it is exactly 0. */
bool attn_draw_panels_has_no_difference (const AttnDrawPanels *panels);

/* Tokens of several panels are numbered together: what is pinned or pointed at in one is marked in
 * all that have it. In a comparison the numbers are A's rows or columns, and after them those of B
 * that have no partner; in every other view the rows or columns themselves. */
size_t attn_draw_panels_get_n_joint (const AttnDrawPanels *panels, AttnSide side);

/* Returns: the number of row or column @index, which the map must have, of panel @panel. */
size_t attn_draw_panels_get_joint (const AttnDrawPanels *panels,
                                   size_t panel,
                                   AttnSide side,
                                   size_t index);

/* Returns: the row or column of panel @panel that has the number @token; G_MAXSIZE for none. */
size_t attn_draw_panels_find_joint (const AttnDrawPanels *panels,
                                    size_t panel,
                                    AttnSide side,
                                    size_t token);

/* Returns: the number at @place, below how many there are, in reading order: of A's and B's tokens
 * between two pairs A's come first. */
size_t attn_draw_panels_get_joint_at (const AttnDrawPanels *panels, AttnSide side, size_t place);

/* Returns: the place of number @token, below how many there are, likewise. */
size_t attn_draw_panels_find_place (const AttnDrawPanels *panels, AttnSide side, size_t token);

G_END_DECLS
