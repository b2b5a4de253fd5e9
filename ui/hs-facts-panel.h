/* SPDX-License-Identifier: MIT */
/* Sizes and warnings of the opened model, or of the file that is shown. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_FACTS_PANEL (hs_facts_panel_get_type ())
G_DECLARE_FINAL_TYPE (HsFactsPanel, hs_facts_panel, HS, FACTS_PANEL, HsPanel)

/* Hidden while there is neither. */
GtkWidget *hs_facts_panel_new (HsSession *session);

G_END_DECLS
