/* SPDX-License-Identifier: MIT */
/* The keys that move the selected cell, on the keypad too. */
#include "hs-cursor-keys.h"

void
hs_cursor_bind_keys (GtkWidgetClass *widget_class, HsMove last, GtkShortcutFunc moved)
{
  static const guint keys[][2] = {
      [HS_MOVE_LEFT] = {GDK_KEY_Left, GDK_KEY_KP_Left},
      [HS_MOVE_RIGHT] = {GDK_KEY_Right, GDK_KEY_KP_Right},
      [HS_MOVE_UP] = {GDK_KEY_Up, GDK_KEY_KP_Up},
      [HS_MOVE_DOWN] = {GDK_KEY_Down, GDK_KEY_KP_Down},
      [HS_MOVE_HOME] = {GDK_KEY_Home, GDK_KEY_KP_Home},
      [HS_MOVE_END] = {GDK_KEY_End, GDK_KEY_KP_End},
      [HS_MOVE_PAGE_UP] = {GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up},
      [HS_MOVE_PAGE_DOWN] = {GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down},
  };

  for (gint32 move = 0; move <= (gint32)last; move++)
    for (size_t i = 0; i < G_N_ELEMENTS (keys[0]); i++)
      gtk_widget_class_add_binding (widget_class, keys[move][i], 0, moved, "i", move);
}
