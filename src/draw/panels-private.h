/* SPDX-License-Identifier: MIT */
/* What the painters ask of panels besides the maps. */
#pragma once

#include "attn-draw/panels.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns: (transfer none): [n_queries] first visible key, and in @end one past the last. */
const size_t *attn_draw_panels_peek_visible (const AttnDrawPanels *panels, const size_t **end);

bool attn_draw_panels_has_hidden (const AttnDrawPanels *panels);
bool attn_draw_panels_has_nan (const AttnDrawPanels *panels);

/* Returns: whether a weight lies over the range's end (a chosen range may be too short). */
bool attn_draw_panels_is_clipped (const AttnDrawPanels *panels);
