/* SPDX-License-Identifier: MIT */
/* A window that says what the program is, and what a bug report needs to know. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_ABOUT (hs_about_get_type ())
G_DECLARE_FINAL_TYPE (HsAbout, hs_about, HS, ABOUT, GtkWindow)

/* @diagnostics: shown, and copied by one button, as it is. */
GtkWidget *hs_about_new (GtkWindow *parent, const char *diagnostics);

G_END_DECLS
