/* SPDX-License-Identifier: MIT */
/* The lab's page on why there are several heads: how differently those of a layer look, two of them
 * side by side, and one head in the place of all. */
#pragma once

#include "hs-ask.h"
#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_LAB_SEVERAL (hs_lab_several_get_type ())
G_DECLARE_FINAL_TYPE (HsLabSeveral, hs_lab_several, HS, LAB_SEVERAL, HsPanel)

GtkWidget *hs_lab_several_new (HsSession *session);

/* Writes the two heads that are side by side, from 0. Returns: whether there are any yet. */
gboolean hs_lab_several_get_pair (HsLabSeveral *self, guint pair[2]);

/* Asks for a name by @ask (hs_ask_by_chooser()) and saves the figure as "png", "svg" or "pdf", or
 * its numbers as "csv" or "json". */
void hs_lab_several_save (HsLabSeveral *self, const char *format, HsAsk ask);

/* Returns: (nullable) (transfer full): the shell line that makes the same PNG. */
char *hs_lab_several_dup_command (HsLabSeveral *self);

G_END_DECLS
