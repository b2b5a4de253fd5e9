/* SPDX-License-Identifier: MIT */
/* The keys that every dialog takes. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Escape and Control+W close windows of this class; Control+Q ends the program, as in the window
 * they belong to. Called in a class's initialisation. Test: tests/ui/test-models.c */
void hs_dialog_keys_add (GtkWidgetClass *klass);

/* Control+W and Control+Q likewise for one dialog, of a class that is not ours. */
void hs_dialog_keys_add_to (GtkWidget *dialog);

G_END_DECLS
