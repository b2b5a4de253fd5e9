/* SPDX-License-Identifier: MIT */
/* The page "On this computer": the list of models, a filter, and what can be done with one. */
#pragma once

#include "hs-downloads.h"
#include "hs-window.h"

G_BEGIN_DECLS

#define HS_TYPE_MODELS_HERE (hs_models_here_get_type ())
G_DECLARE_FINAL_TYPE (HsModelsHere, hs_models_here, HS, MODELS_HERE, GtkWidget)

/**
 * hs_models_here_set_up:
 * @window: that opens what is chosen, by its actions "win.load-model" and "win.model-b"; outlives
 *          this page
 *
 * Opening a model emits the signal "opened" after it.
 */
void hs_models_here_set_up (HsModelsHere *self, HsDownloads *downloads, HsWindow *window);

G_END_DECLS
