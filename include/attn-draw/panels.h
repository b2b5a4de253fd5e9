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

G_BEGIN_DECLS

/* Immutable and reference-counted. */
typedef struct _AttnDrawPanels AttnDrawPanels;

/**
 * attn_draw_panels_new:
 * @view: kind, layer, head, range, arrangement and words are read; for ATTN_DRAW_LAYERS no layer
 *        and no head
 * @maps: of a forward pass, as attn_maps_arrange() takes them; referenced
 * @pool: (nullable)
 *
 * Returns: new panels for attn_draw_panels_unref(), or NULL with @error: TOO_LARGE, CANCELLED,
 *   SHAPE (a layer or head that @maps has not; nothing is left by the arrangement), or what @maps
 *   says.
 */
AttnDrawPanels *attn_draw_panels_new (const AttnDrawView *view,
                                      AttnMaps *maps,
                                      AttnPool *pool,
                                      AttnProgressFunc progress,
                                      void *progress_data,
                                      GError **error);

AttnDrawPanels *attn_draw_panels_ref (AttnDrawPanels *panels);
void attn_draw_panels_unref (AttnDrawPanels *panels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawPanels, attn_draw_panels_unref)

size_t attn_draw_panels_get_n (const AttnDrawPanels *panels);

/* Returns: (transfer none): map @index; one for a heat map, all heads in order for a grid. NULL
 * where the panels keep only the largest weight of each block of queries and keys, as those of
 * ATTN_DRAW_LAYERS do when the maps would take much memory: it is no weight of any one cell. */
const AttnMap *attn_draw_panels_peek (const AttnDrawPanels *panels, size_t index);

/* Which map panel @index is of. */
size_t attn_draw_panels_get_layer (const AttnDrawPanels *panels, size_t index);
size_t attn_draw_panels_get_head (const AttnDrawPanels *panels, size_t index);

/* Returns: index of the panel of this layer and head, or G_MAXSIZE. */
size_t attn_draw_panels_find (const AttnDrawPanels *panels, size_t layer, size_t head);

/* Returns: what the darkest colour stands for in panel @index, > 0. */
float attn_draw_panels_get_max (const AttnDrawPanels *panels, size_t index);

/* Returns: (transfer none): the maps that are drawn, arranged as the view asked for. */
AttnMaps *attn_draw_panels_peek_maps (const AttnDrawPanels *panels);

/* Returns: (transfer none): the maps that the panels were made from, before they were arranged. */
AttnMaps *attn_draw_panels_peek_source (const AttnDrawPanels *panels);

/* Returns: whether the scale of ranks shows the maps' own: not where blocks of weights were kept
 * for another scale, then new panels should be made. */
bool attn_draw_panels_has_ranks (const AttnDrawPanels *panels);

G_END_DECLS
