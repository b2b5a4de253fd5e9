/* SPDX-License-Identifier: MIT */
/* The atlas of one text, or of a file of attention, with what its figure is of. */
#pragma once

#include "atlas-figure.h"
#include "subject.h"
#include "texts.h"

#include <glib.h>

#include <stdbool.h>

typedef struct {
  CliSubject subject;
  GPtrArray *texts;
  AttnAtlas *atlas;     /* owned, as what follows */
  AttnAtlasMap *map;    /* NULL where there is none */
  AttnAtlasAbout about; /* its strings are the subject's */
  CliHash *hash;        /* nullable */
  char *name;           /* of the model or the file, in the figure */
  CliAtlasFigure figure;
} CliAtlasOne;

/* Makes it. Returns: false with @error; clear @one in any case. */
bool cli_atlas_one_init (CliAtlasOne *one, const CliOptions *options, GError **error);

void cli_atlas_one_clear (CliAtlasOne *one);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliAtlasOne, cli_atlas_one_clear)

/* Returns: (transfer full) (nullable): where the heads lie, as far as that is asked for. */
AttnAtlasMap *cli_atlas_new_map (const AttnAtlas *atlas, const AttnAtlasAbout *about);
