/* SPDX-License-Identifier: MIT */
/* What is shown of a map: the controls behind the head bar's button "Tokens". */
#pragma once

#include "hs-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_ARRANGE_POPOVER (hs_arrange_popover_get_type ())
G_DECLARE_FINAL_TYPE (HsArrangePopover, hs_arrange_popover, HS, ARRANGE_POPOVER, GtkPopover)

/* Property "session", to be given when it is made. Its buttons need the action group "arrange". */
GtkWidget *hs_arrange_popover_new (HsSession *session);

G_END_DECLS
