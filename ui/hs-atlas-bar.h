/* SPDX-License-Identifier: MIT */
/* Which heads are looked for on the atlas's page: those of a pattern, of a layer, or all. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_ATLAS_BAR (hs_atlas_bar_get_type ())
G_DECLARE_FINAL_TYPE (HsAtlasBar, hs_atlas_bar, HS, ATLAS_BAR, HsPanel)

/* Shows the session's filter, and sets it. */

G_END_DECLS
