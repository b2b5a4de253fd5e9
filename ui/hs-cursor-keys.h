/* SPDX-License-Identifier: MIT */
/* The keys that move the selected cell, on the keypad too. */
#pragma once

#include "hs-cursor.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @last: the last of HsMove that has a key. @moved: gets the move as a variant of type "i". */
void hs_cursor_bind_keys (GtkWidgetClass *widget_class, HsMove last, GtkShortcutFunc moved);

G_END_DECLS
