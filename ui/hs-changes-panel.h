/* SPDX-License-Identifier: MIT */
/* The heads that differ most between A and B, to go to. Hidden but in the view compare. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_CHANGES_PANEL (hs_changes_panel_get_type ())
G_DECLARE_FINAL_TYPE (HsChangesPanel, hs_changes_panel, HS, CHANGES_PANEL, HsPanel)

#define HS_CHANGES_PANEL_SHORT 6 /* rows shown until more are asked for … */
#define HS_CHANGES_PANEL_MOST 50 /* … and then; of more the command line tells */

GtkWidget *hs_changes_panel_new (HsSession *session);

G_END_DECLS
