/* SPDX-License-Identifier: MIT */
/* The window's actions that take the picture and its numbers out of it. */
#pragma once

#include "hs-export.h"
#include "hs-picture.h"
#include "hs-status-line.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * hs_export_actions_add:
 * @window:      gets win.export (the dialog), win.copy-image, win.copy-numbers and win.copy-command
 * @picture:     what is taken out; the actions are disabled while it shows nothing
 * @button:      opens the dialog; the picture may be dragged out of it
 * @lab:         what its page shows is taken out while it is open; a page says itself what was done
 * @status_line: says what was done
 */
void hs_export_actions_add (GtkApplicationWindow *window,
                            HsPicture *picture,
                            GtkWidget *button,
                            GtkWidget *lab,
                            HsStatusLine *status_line);

/* How the dialog was left the last time, for the picture that is on screen now. */
void hs_export_actions_get_options (GtkApplicationWindow *window, HsExportOptions *options);

void hs_export_actions_set_options (GtkApplicationWindow *window, const HsExportOptions *options);

G_END_DECLS
