/* SPDX-License-Identifier: MIT */
/* An atlas as JSON and CSV. */
#pragma once

#include "attn/atlas-part.h"

#include <glib.h>

/* @about: what it is of; without texts_sha256 of one text that was typed. @map: nullable. */
void cli_atlas_append_json (GString *text,
                            const AttnAtlas *atlas,
                            const AttnAtlasAbout *about,
                            const AttnAtlasMap *map);
void cli_atlas_append_csv (GString *text, const AttnAtlas *atlas, const AttnAtlasMap *map);
