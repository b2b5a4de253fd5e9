/* SPDX-License-Identifier: MIT */
/* What the shown head attends to: on the whole, and from the pinned or hovered query. */
#pragma once

#include "hs-panel.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_ATTENDED_PANEL (hs_attended_panel_get_type ())
G_DECLARE_FINAL_TYPE (HsAttendedPanel, hs_attended_panel, HS, ATTENDED_PANEL, HsPanel)

/* Property "session" (HsSession): whose shown map is summed up. */
GtkWidget *hs_attended_panel_new (HsSession *session);

G_END_DECLS
