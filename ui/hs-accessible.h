/* SPDX-License-Identifier: MIT */
/* Names for controls that GTK 4.8 leaves without one, or with a wrong one, for screen readers. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * hs_accessible_name_all:
 * @widget: made of its template
 *
 * Names the controls in @widget whose names GTK does not get right: expanders and icons without
 * any; mnemonics, which come with their underscore or twice; and what takes the keys inside of
 * drop-downs and menu buttons with a label of their own, whose names then say what is chosen, now
 * and later.
 */
void hs_accessible_name_all (GtkWidget *widget);

/**
 * hs_accessible_set_label:
 * @button: of a label with a mnemonic
 * @label: with its underscore
 *
 * Sets the label, of which GTK makes a name with the underscore, and takes that name away again.
 */
void hs_accessible_set_label (GtkButton *button, const char *label);

G_END_DECLS
