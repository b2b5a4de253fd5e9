/* SPDX-License-Identifier: MIT */
/* How wide a heat map is with its labels and colour bar. */
#pragma once

#include "attn-draw/layout.h"

/* Another head's map needs the same room: what was measured last is kept. All zero for nothing. */
typedef struct {
  AttnMaps *maps; /* referenced; NULL for nothing */
  int width, height, needed;
} HsMapWidth;

/**
 * hs_map_width_measure:
 * @view:   a heat map
 * @width, @height: px that there are
 *
 * Returns: px of @width that the map needs to be as large as both allow.
 */
int hs_map_width_measure (
    HsMapWidth *self, const AttnDrawView *view, AttnDrawPanels *panels, int width, int height);

void hs_map_width_clear (HsMapWidth *self);
