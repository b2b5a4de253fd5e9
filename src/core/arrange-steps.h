/* SPDX-License-Identifier: MIT */
/* The steps of an arrangement: each makes maps of other maps.
 *
 * Every function references @maps and returns new maps for attn_maps_unref(), or NULL with @error.
 * Their tests are those of attn_maps_arrange(), which calls them in order. */
#pragma once

#include "attn/arrange.h"

#include <glib.h>

/* One head of several; see AttnArrangement's first three fields. Where layers are combined, too, it
 * is computed at once, with @pool (nullable). SHAPE: a chosen head is not there; TOO_LARGE, or why
 * a map could not be computed. */
AttnMaps *attn_maps_combine (AttnMaps *maps,
                             const AttnArrangement *arrangement,
                             AttnPool *pool,
                             GError **error);

/* Characters or words of tokens. SHAPE: there is no text; TOO_LARGE. */
AttnMaps *
attn_maps_group (AttnMaps *maps, AttnUnit unit, const AttnWordList *words, GError **error);

/* Some rows and columns. SHAPE: no text, none left. */
AttnMaps *attn_maps_select (AttnMaps *maps, AttnPart part, unsigned hide, GError **error);

/* Rows made to sum to 1, then small weights made 0. Never fails. */
AttnMaps *attn_maps_adjust_rows (AttnMaps *maps, const AttnArrangement *arrangement);
