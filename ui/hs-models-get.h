/* SPDX-License-Identifier: MIT */
/* The page "Get a model": a name or a suggestion, and the downloads. */
#pragma once

#include "hs-downloads.h"
#include "hs-window.h"

G_BEGIN_DECLS

#define HS_TYPE_MODELS_GET (hs_models_get_get_type ())
G_DECLARE_FINAL_TYPE (HsModelsGet, hs_models_get, HS, MODELS_GET, GtkWidget)

/* As hs_models_here_set_up(), and the signal "opened" likewise. Nothing is asked of the Hub before
 * somebody presses a button. */
void hs_models_get_set_up (HsModelsGet *self, HsDownloads *downloads, HsWindow *window);

/* As if somebody had typed it: nothing is asked yet. */
void hs_models_get_set_name (HsModelsGet *self, const char *name);

/* Asks the Hub for it, as the button does. @name: "owner/name@revision". */
void hs_models_get_look_up (HsModelsGet *self, const char *name);

G_END_DECLS
