/* SPDX-License-Identifier: MIT */
/* The button with the ways of a figure out of the window; its menu asks for the actions of
 * hs_figure_add_actions(), which the widget or one above it has. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_SAVE_BUTTON (hs_save_button_get_type ())
G_DECLARE_FINAL_TYPE (HsSaveButton, hs_save_button, HS, SAVE_BUTTON, GtkWidget)

GtkWidget *hs_save_button_new (void);

G_END_DECLS
