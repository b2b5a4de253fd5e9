/* SPDX-License-Identifier: MIT */
/* An atlas as JSON and as a table. */
#pragma once

#include "attn/atlas-part.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * attn_atlas_append_json:
 * @about: what it is of; without texts_sha256 of one text that was typed
 * @map:   (nullable)
 *
 * Numbers have 9 significant digits; what there is not is null. Test: tests/cli/test-atlas.py
 */
void attn_atlas_append_json (GString *text,
                             const AttnAtlas *atlas,
                             const AttnAtlasAbout *about,
                             const AttnAtlasMap *map);

/* One line for each head; what there is not is nan. @map: (nullable). Test: likewise. */
void attn_atlas_append_csv (GString *text, const AttnAtlas *atlas, const AttnAtlasMap *map);

G_END_DECLS
