/* SPDX-License-Identifier: MIT */
/* Whether panels are made so fast that the next frame can wait for them. */
#pragma once

#include "attn-draw/view.h"
#include "attn/maps.h"

#include <stdbool.h>

/* Whether the maps that @view draws of @maps are few and small enough for the main thread. */
bool hs_panel_cost_is_small (const AttnDrawView *view, AttnMaps *maps);

/* Likewise for a comparison of @a with @b. */
bool hs_panel_cost_is_small_compare (const AttnDrawView *view, AttnMaps *a, AttnMaps *b);
