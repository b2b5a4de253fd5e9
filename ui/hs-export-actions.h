/* SPDX-License-Identifier: MIT */
/* The window's actions that take the picture out of it. */
#pragma once

#include "hs-picture.h"
#include "hs-status-line.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * hs_export_actions_add:
 * @window:      gets win.export (the dialog), win.copy-image and win.copy-command
 * @picture:     what is taken out; the actions are disabled while it shows nothing
 * @status_line: says what was done
 */
void
hs_export_actions_add (GtkApplicationWindow *window, HsPicture *picture, HsStatusLine *status_line);

G_END_DECLS
