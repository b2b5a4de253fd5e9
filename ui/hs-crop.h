/* SPDX-License-Identifier: MIT */
/* Zooming and panning over whole rows and columns: pure functions on a crop.
 *
 * Crops here are resolved: their numbers are never 0, and they lie within the map. Test:
 * tests/ui/test-crop.c */
#pragma once

#include "attn-draw/view.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct {
  size_t n_queries, n_keys; /* > 0 */
} HsMapSize;

/* Returns: what of the map a view with @crop draws. */
AttnDrawCrop hs_crop_resolve (const AttnDrawCrop *crop, const HsMapSize *map);

bool hs_crop_is_whole (const AttnDrawCrop *crop, const HsMapSize *map);

/* Returns: how many times larger cells are than in the whole map, by the side that is cut more. */
double hs_crop_get_factor (const AttnDrawCrop *crop, const HsMapSize *map);

/**
 * hs_crop_zoom:
 * @factor: above 1 makes cells so many times larger, below 1 smaller; at least by one row or column
 *          while there is one
 * @query,@key: place on the map, in rows and columns from its corner: what is drawn there stays the
 *              same cell, unless the map's edge is in the way
 */
AttnDrawCrop hs_crop_zoom (
    const AttnDrawCrop *crop, const HsMapSize *map, double factor, double query, double key);

/* Moves the crop by so many rows and columns, no further than to the map's edge. */
AttnDrawCrop
hs_crop_pan (const AttnDrawCrop *crop, const HsMapSize *map, ptrdiff_t n_queries, ptrdiff_t n_keys);

/* Moves the crop as little as needed to show a row and a column; G_MAXSIZE for none. */
AttnDrawCrop
hs_crop_reveal (const AttnDrawCrop *crop, const HsMapSize *map, size_t query, size_t key);

G_END_DECLS
