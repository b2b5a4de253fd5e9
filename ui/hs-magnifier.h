/* SPDX-License-Identifier: MIT */
/* Pictures of all layers whose maps are larger than the window has room for. */
#pragma once

#include "attn-draw/layout.h"

#include <stdbool.h>

/* Where a point is among the maps, in maps; it is there in every size. */
typedef struct {
  double column, row;
} HsSheetPoint;

/**
 * hs_magnifier_make_layout:
 * @view: of the window's width and height; of another kind than ATTN_DRAW_LAYERS it is drawn as it
 *        is
 * @magnification: of the maps' size that fits
 * @most: written: the magnification from which on a map would leave the window
 *
 * Returns: (transfer full): the layout to show, for attn_draw_layout_free().
 */
AttnDrawLayout *hs_magnifier_make_layout (const AttnDrawView *view,
                                          AttnDrawPanels *panels,
                                          double magnification,
                                          double *most);

HsSheetPoint hs_magnifier_find_point (const AttnDrawLayout *layout, double x, double y);
void hs_magnifier_place_point (const AttnDrawLayout *layout,
                               const HsSheetPoint *point,
                               double *x,
                               double *y);
