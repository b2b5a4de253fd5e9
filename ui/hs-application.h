/* SPDX-License-Identifier: MIT */
/* The program: its options, its settings, its one window, and a clean end. */
#pragma once

#include <gtk/gtk.h>

#include <stdbool.h>

G_BEGIN_DECLS

#define HS_TYPE_APPLICATION (hs_application_get_type ())
G_DECLARE_FINAL_TYPE (HsApplication, hs_application, HS, APPLICATION, GtkApplication)

HsApplication *hs_application_new (void);

/* Returns: whether what was asked for on the command line was done; for the exit status. */
bool hs_application_succeeded (HsApplication *self);

/* Prepares what any user of the library's widgets needs once: resources and translations. */
void hs_application_prepare (void);

G_END_DECLS
