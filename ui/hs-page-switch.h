/* SPDX-License-Identifier: MIT */
/* The window's pages, Explore and Compare, side by side; where there is no room for both, the one
 * to go to. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_PAGE_SWITCH (hs_page_switch_get_type ())
G_DECLARE_FINAL_TYPE (HsPageSwitch, hs_page_switch, HS, PAGE_SWITCH, GtkWidget)

/* Its buttons activate "view.page" with "explore" or "compare". */
GtkWidget *hs_page_switch_new (void);

G_END_DECLS
