/* SPDX-License-Identifier: MIT */
/* The whole text of a label that may be shortened, made when the pointer rests on it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on. For labels that change while the pointer moves elsewhere: a tooltip text that is set
 * asks the X server where the pointer is, several times, and waits for each answer. */
void hs_label_tip_add (GtkLabel *label);

G_END_DECLS
