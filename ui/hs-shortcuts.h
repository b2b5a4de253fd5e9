/* SPDX-License-Identifier: MIT */
/* The window that lists the keys. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Shows it above @parent; on a small screen it is as large as that, and scrolls. */
void hs_shortcuts_show (GtkWindow *parent);

G_END_DECLS
