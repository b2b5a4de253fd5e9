/* SPDX-License-Identifier: MIT */
/* The bar that finds tokens: an entry, how many there are, steps from one to the next. */
#pragma once

#include "hs-panel.h"

G_BEGIN_DECLS

#define HS_TYPE_FIND_BAR (hs_find_bar_get_type ())
G_DECLARE_FINAL_TYPE (HsFindBar, hs_find_bar, HS, FIND_BAR, HsPanel)

/* Shows the bar and waits for typing; Escape closes it again and forgets what was looked for. */
void hs_find_bar_open (HsFindBar *bar);

G_END_DECLS
