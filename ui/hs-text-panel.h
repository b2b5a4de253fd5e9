/* SPDX-License-Identifier: MIT */
/* What the person types: a text, an optional second one, and examples to begin with. */
#pragma once

#include "hs-session.h"

#include <gtk/gtk.h>

#include <stdbool.h>

G_BEGIN_DECLS

#define HS_TYPE_TEXT_PANEL (hs_text_panel_get_type ())
G_DECLARE_FINAL_TYPE (HsTextPanel, hs_text_panel, HS, TEXT_PANEL, GtkWidget)

/* Property "session" (HsSession). */
GtkWidget *hs_text_panel_new (HsSession *session);

/* @menu: (nullable): texts looked at before; without one there is no button for it */
void hs_text_panel_set_recent_menu (HsTextPanel *self, GMenuModel *menu);

/* Takes the last change of the first text back, or makes it again. */
void hs_text_panel_undo (HsTextPanel *self, bool again);

/* Whether the first field shows few lines, however long its text is. */
void hs_text_panel_set_tight (HsTextPanel *self, bool tight);

G_END_DECLS
