/* SPDX-License-Identifier: MIT */
/* The atlas's page as files: figure and numbers. */
#pragma once

#include "hs-atlas-work.h"
#include "hs-figure-save.h"
#include "hs-session.h"

#include "attn-draw/atlas.h"

#include <stdbool.h>

G_BEGIN_DECLS

/* Returns: what a figure shows of @found, which has an atlas; borrowed from both. */
AttnDrawAtlas hs_atlas_get_drawn (HsSession *session, const HsAtlasFound *found);

/* @file: written but for its title. Returns: false where the session shows nothing. */
bool hs_atlas_file_init (HsFigureFile *file, HsSession *session, HsAtlasFound *found);

/* Returns: (nullable) (transfer full): the shell line that makes the same PNG. */
char *hs_atlas_file_dup_command (HsSession *session, HsAtlasFound *found);

G_END_DECLS
