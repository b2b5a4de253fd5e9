/* SPDX-License-Identifier: MIT */
/* What B is in the view compare: its text, layer and head. Hidden in every other view. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_COMPARE_BAR (hs_compare_bar_get_type ())
G_DECLARE_FINAL_TYPE (HsCompareBar, hs_compare_bar, HS, COMPARE_BAR, HsPanel)

GtkWidget *hs_compare_bar_new (HsSession *session);

G_END_DECLS
