/* SPDX-License-Identifier: MIT */
/* How to read the picture and how to use the window, foldable. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_HELP_PANEL (hs_help_panel_get_type ())
G_DECLARE_FINAL_TYPE (HsHelpPanel, hs_help_panel, HS, HELP_PANEL, HsPanel)

GtkWidget *hs_help_panel_new (HsSession *session);

G_END_DECLS
