/* SPDX-License-Identifier: MIT */
/* Which layer and head, which view of them, and how it looks. */
#pragma once

#include "hs-panel.h"

#include <stdbool.h>

G_BEGIN_DECLS

#define HS_TYPE_HEAD_BAR (hs_head_bar_get_type ())
G_DECLARE_FINAL_TYPE (HsHeadBar, hs_head_bar, HS, HEAD_BAR, HsPanel)

/* Property "session" (HsSession). The buttons activate actions of the group "view" (see
 * hs-view-actions.h), which the window provides. */
GtkWidget *hs_head_bar_new (HsSession *session);

/* Whether it leaves out what it can be understood without. */
void hs_head_bar_set_compact (HsHeadBar *self, bool compact);

/* Whether its numbers are without their buttons: keys and the wheel change them, too. */
void hs_head_bar_set_tight (HsHeadBar *self, bool tight);

G_END_DECLS
