/* SPDX-License-Identifier: MIT */
/* What the painters ask of panels besides the maps. */
#pragma once

#include "blocks.h"
#include "joint.h"

#include "attn-draw/panels.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns: (transfer none): the numbers of panel @index, exact or pooled. */
const AttnDrawBlocks *attn_draw_panels_peek_blocks (const AttnDrawPanels *panels, size_t index);

/* Returns: whether the view of lines draws panel @panel: the heads chosen, or what they are
 * combined to. */
bool attn_draw_view_has_head (const AttnDrawView *view, AttnDrawPanels *panels, size_t panel);

/* Returns: (nullable) (transfer none): a comparison's tokens, numbered together. */
const AttnDrawJoint *attn_draw_panels_peek_joint (const AttnDrawPanels *panels);

bool attn_draw_panels_has_hidden (const AttnDrawPanels *panels);

/* Returns: AttnDrawOdd of all weights that can be seen. */
unsigned attn_draw_panels_get_odd (const AttnDrawPanels *panels);

/* Returns: whether a weight that can be seen is exactly 0. */
bool attn_draw_panels_has_zero (AttnDrawPanels *panels);

/* Writes the thresholds of attn_draw_ranks_find() of map @index, found when first asked for; from
 * any thread. Without attn_draw_panels_has_ranks() they are those of its blocks. */
void attn_draw_panels_get_ranks (AttnDrawPanels *panels, size_t index, float *least);

/* Returns: whether a weight lies over the range's end (a chosen range may be too short). */
bool attn_draw_panels_is_clipped (const AttnDrawPanels *panels);
