/* SPDX-License-Identifier: MIT */
/* Which part of the maps a session draws: zooming, panning, bringing a token into view. */
#pragma once

#include "hs-crop.h"
#include "hs-session.h"

G_BEGIN_DECLS

#define HS_ZOOM_STEP 1.25 /* of a key press or a notch of the wheel */

/**
 * hs_zoom_get_crop:
 * @crop: written: what of the maps is drawn, resolved
 * @map:  written
 *
 * Returns: false where nothing is shown that can be zoomed.
 */
bool hs_zoom_get_crop (HsSession *session, AttnDrawCrop *crop, HsMapSize *map);

/* Returns: how many times larger cells are than in the whole map; 1 where all of it is drawn. */
double hs_zoom_get_factor (HsSession *session);

/* Draws @crop of the shown maps; all of them again when it is all. */
void hs_zoom_set_crop (HsSession *session, const AttnDrawCrop *crop);

/* Zooms around the cell that is hovered, else the one that is pinned, else the middle. All layers
 * are not cut, but magnified as wholes. */
void hs_zoom_by (HsSession *session, double factor);

/* Back to all of the maps, in the size that fits. */
void hs_zoom_reset (HsSession *session);

/* Returns: whether there was anywhere to go. What is hovered moves along. */
bool hs_zoom_pan (HsSession *session, ptrdiff_t n_queries, ptrdiff_t n_keys);

/* Returns: where a token stands among the rows or columns that a crop counts; G_MAXSIZE for
 * nowhere.
 */
size_t hs_zoom_find_place (HsSession *session, AttnSide side, size_t token);

/* Brings the row and the column of tokens into what is drawn; G_MAXSIZE for none. */
void hs_zoom_reveal (HsSession *session, size_t query, size_t key);

G_END_DECLS
