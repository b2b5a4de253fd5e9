/* SPDX-License-Identifier: MIT */
/* Toggle buttons of one choice in a row; where the row has no room, a menu of the same choice. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_SWITCH (hs_switch_get_type ())
G_DECLARE_FINAL_TYPE (HsSwitch, hs_switch, HS, SWITCH, GtkWidget)

/* Property "row" (GtkBox, nullable): of GtkToggleButtons with an action and its target each. They
 * are in it when it is set. */
GtkWidget *hs_switch_new (GtkWidget *row);

/* Returns: (nullable) (transfer full): a toggle button for a row.
 * @label,@tooltip: translated
 * @action: of a string, which @target is the choice's of */
GtkWidget *hs_switch_new_toggle (const char *label,
                                 const char *tooltip,
                                 const char *action,
                                 const char *target);

G_END_DECLS
