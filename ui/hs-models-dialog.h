/* SPDX-License-Identifier: MIT */
/* The window of models: those on this computer, and getting others. */
#pragma once

#include "hs-models.h"
#include "hs-window.h"

G_BEGIN_DECLS

#define HS_TYPE_MODELS_DIALOG (hs_models_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HsModelsDialog, hs_models_dialog, HS, MODELS_DIALOG, GtkWindow)

/* Belongs to @window, which opens what is chosen. */
GtkWidget *hs_models_dialog_new (HsWindow *window, HsModels *models);

G_END_DECLS
