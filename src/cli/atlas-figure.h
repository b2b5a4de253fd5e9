/* SPDX-License-Identifier: MIT */
/* The figure of an atlas, as options ask for it. */
#pragma once

#include "options.h"

#include "attn-draw/atlas.h"
#include "attn/atlas-part.h"

#include <glib.h>

#include <stdbool.h>

/* What it is of, besides options. */
typedef struct {
  const AttnAtlas *atlas;
  const AttnAtlasAbout *about;
  const AttnAtlasMap *map;    /* nullable */
  const char *text, *pair;    /* of one text; nullable */
  const char *name;           /* of the model or the file of arrays */
  const char *weights_sha256; /* nullable */
} CliAtlasFigure;

/* Reads --only-class and --only-layer. Returns: false with a CLI_USAGE @error. */
bool cli_atlas_read_filter (const CliOptions *options, AttnDrawAtlasFilter *filter, GError **error);

/* Fills in what @picture is of, and draws. @layer,@head: from 0, and there. Returns: (transfer
 * full): the file, or NULL with @error. */
GBytes *cli_atlas_draw (const CliAtlasFigure *figure,
                        const CliOptions *options,
                        const AttnDrawAtlasFilter *filter,
                        size_t layer,
                        size_t head,
                        AttnDrawPicture *picture,
                        GError **error);

/* The same with all that options say, into the file they name. */
bool
cli_atlas_write_figure (const CliAtlasFigure *figure, const CliOptions *options, GError **error);
