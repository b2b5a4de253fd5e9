/* SPDX-License-Identifier: MIT */
/* What B is in the view compare: its texts, model, layer and head. Hidden in every other view. */
#pragma once

#include "hs-models.h"
#include "hs-panel.h"

#include <stdbool.h>

G_BEGIN_DECLS

#define HS_TYPE_COMPARE_BAR (hs_compare_bar_get_type ())
G_DECLARE_FINAL_TYPE (HsCompareBar, hs_compare_bar, HS, COMPARE_BAR, HsPanel)

/* Its menu activates "win.model-b" with a string (empty for A's model, "demo", or a folder),
 * "win.open-model-b" and "win.stop-model-b". */
GtkWidget *hs_compare_bar_new (HsSession *session);

/* Whether all of it but the texts is behind one button, so that it needs a single line. */
void hs_compare_bar_set_tight (HsCompareBar *self, bool tight);

/* Models to choose from besides: a section of the menu; nullable. */
void hs_compare_bar_set_models (HsCompareBar *self, GMenuModel *models);

/* Downloaded ones, likewise; they are read when the bar is first seen, and whenever the menu is. */
void hs_compare_bar_set_downloaded (HsCompareBar *self, HsModels *downloaded);

G_END_DECLS
