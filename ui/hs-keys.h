/* SPDX-License-Identifier: MIT */
/* Which keys start which actions; hs-shortcuts.ui tells people. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Gives every action of the table its keys. */
void hs_keys_set (GtkApplication *application);

G_END_DECLS
