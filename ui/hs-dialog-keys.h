/* SPDX-License-Identifier: MIT */
/* The keys that every dialog takes. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Escape and Control+W close windows of this class; Control+Q ends the program, as in the window
 * they belong to. Called in a class's initialisation. Test: tests/ui/test-models.c */
void hs_dialog_keys_add (GtkWidgetClass *klass);

G_END_DECLS
