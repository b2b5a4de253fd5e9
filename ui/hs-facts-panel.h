/* SPDX-License-Identifier: MIT */
/* Sizes and warnings of the opened model, or of the file that is shown. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_FACTS_PANEL (hs_facts_panel_get_type ())
G_DECLARE_FINAL_TYPE (HsFactsPanel, hs_facts_panel, HS, FACTS_PANEL, HsPanel)

/* Hidden while there is neither. */
GtkWidget *hs_facts_panel_new (HsSession *session);

/* Brings the warnings, if there are any, on screen, and the keyboard to them. */
void hs_facts_panel_show_warnings (HsFactsPanel *self);

G_END_DECLS
