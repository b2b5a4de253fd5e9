/* SPDX-License-Identifier: MIT */
/* A window's way to the dialog of models. */
#pragma once

#include "hs-models.h"
#include "hs-window.h"

G_BEGIN_DECLS

/* Adds the action "win.models", which brings up the window's dialog of models. */
void hs_models_actions_add (HsWindow *window, HsModels *models);

/* Returns: (nullable) (transfer none): the dialog while it is open. */
GtkWidget *hs_models_actions_peek_dialog (HsWindow *window);

G_END_DECLS
