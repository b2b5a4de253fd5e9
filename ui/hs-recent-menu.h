/* SPDX-License-Identifier: MIT */
/* Menus of what was looked at before, made from the lists in the settings. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Keys of the settings, and what they hold. */
#define HS_RECENT_TEXTS "recent-texts"
#define HS_RECENT_MODELS "recent-models"
#define HS_RECENT_ATTENTIONS "recent-attentions"
#define HS_RECENT_LIST_OF_TEXTS "a(ss)"
#define HS_RECENT_LIST_OF_ATTENTIONS "a(sss)"

typedef struct {
  GMenu *all;
  GMenu *models_b; /* the models alone, for side B */
} HsRecentMenus;

/* Makes the menus anew; @missing: (nullable): folders and files that are not there. */
void
hs_recent_menus_fill (const HsRecentMenus *menus, GSettings *settings, const char *const *missing);

/* Returns: (transfer full): @menu as it is now, for a popover: where it changed under the
 * keyboard's focus, the focus would be lost. */
GMenuModel *hs_recent_menu_freeze (GMenuModel *menu);

G_END_DECLS
