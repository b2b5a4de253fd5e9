/* SPDX-License-Identifier: MIT */
/* The page of all heads: a map of them, and the passport of the one that is chosen. */
#pragma once

#include "hs-ask.h"
#include "hs-atlas-work.h"
#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_ATLAS (hs_atlas_get_type ())
G_DECLARE_FINAL_TYPE (HsAtlas, hs_atlas, HS, ATLAS, HsPanel)

GtkWidget *hs_atlas_new (HsSession *session);

/* Returns: (nullable) (transfer none): what is shown. */
const HsAtlasFound *hs_atlas_peek_found (HsAtlas *self);

/* Asks for a name by @ask (hs_ask_by_chooser()) and saves the figure as "png", "svg" or "pdf", or
 * its numbers as "csv" or "json". */
void hs_atlas_save (HsAtlas *self, const char *format, HsAsk ask);

/* Returns: (nullable) (transfer full): the shell line that makes the same PNG. */
char *hs_atlas_dup_command (HsAtlas *self);

G_END_DECLS
