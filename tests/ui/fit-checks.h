/* SPDX-License-Identifier: MIT */
/* Finds texts that are cut off, and widgets that leave their window or lie on each other. */
#pragma once

#include "attn-draw/layout.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * fit_check_widgets:
 * @window:     a window or popover that is on the screen, with all below it
 * @complaints: (element-type utf8): a sentence is added for each of:
 *   - a label that is not as wide or as high as its text, or that is shortened by an ellipsis
 *     without a tooltip that has the whole text;
 *   - a number, a placeholder or a drop-down's line that does not fit into its field;
 *   - a widget that reaches over the edge of what scrolls it, or of the window;
 *   - two widgets side by side in a box, a grid or a line that share pixels.
 */
void fit_check_widgets (GtkWidget *window, GPtrArray *complaints);

/* The same for a drawn picture: texts stay inside and apart, headings and notes are whole. */
void fit_check_picture (const AttnDrawLayout *layout, GPtrArray *complaints);

G_END_DECLS
