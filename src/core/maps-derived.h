/* SPDX-License-Identifier: MIT */
/* What maps made of other maps have in common: whatever they do not change is asked there. */
#pragma once

#include "attn/maps.h"

/* The first member of every such source. */
typedef struct {
  AttnMaps *maps; /* owned reference */
} AttnDerivedMaps;

/* Returns: the class of maps with the sizes, labels, origins, visible keys, trace and tokens of
 * those @source begins with, which frees it by g_free(); the maker sets compute, and what else is
 * its own. */
AttnMapsClass attn_derived_maps_make_class (const AttnDerivedMaps *source);

/* Gives back the maps of @source and frees it, an #AttnDerivedMaps or what begins with one. */
void attn_derived_maps_free (void *source);
