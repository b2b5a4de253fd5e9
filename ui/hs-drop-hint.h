/* SPDX-License-Identifier: MIT */
/* Says over a window's content that what is dragged over it can be dropped there. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* To be called once, when @window has its child. It is shown while something that @target takes is
 * over the window, but not what was taken from our own windows. Test: tests/e2e/test-drop.py */
void hs_drop_hint_add (GtkWindow *window, GtkDropTarget *target);

G_END_DECLS
