/* SPDX-License-Identifier: MIT */
/* A window's way to the dialog of models. */
#pragma once

#include "hs-downloads.h"
#include "hs-window.h"

G_BEGIN_DECLS

/* Adds the actions "win.models" and "win.get-model", which bring up the window's dialog of models
 * with its first or second page, and "win.get-named-model" with a name that stands on the second.
 * What a download came to while the dialog is closed, the window says. */
void hs_models_actions_add (HsWindow *window, HsDownloads *downloads);

/* Returns: (nullable) (transfer none): the dialog while it is open. */
GtkWidget *hs_models_actions_peek_dialog (HsWindow *window);

G_END_DECLS
