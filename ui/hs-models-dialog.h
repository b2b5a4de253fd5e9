/* SPDX-License-Identifier: MIT */
/* The window of models: those on this computer, and getting others. */
#pragma once

#include "hs-downloads.h"
#include "hs-window.h"

G_BEGIN_DECLS

#define HS_TYPE_MODELS_DIALOG (hs_models_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HsModelsDialog, hs_models_dialog, HS, MODELS_DIALOG, GtkWindow)

/* Its pages: the models on this computer, and getting others. */
#define HS_MODELS_DIALOG_HERE "here"
#define HS_MODELS_DIALOG_GET "get"

/* Belongs to @window, which opens what is chosen. */
GtkWidget *hs_models_dialog_new (HsWindow *window, HsDownloads *downloads);

void hs_models_dialog_show_page (HsModelsDialog *self, const char *page);

/* Shows the page to get models, with a name that only needs to be looked up. */
void hs_models_dialog_show_name (HsModelsDialog *self, const char *name);

G_END_DECLS
