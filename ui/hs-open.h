/* SPDX-License-Identifier: MIT */
/* What a window is given to look at: texts and model folders, by menus or dropped on it. */
#pragma once

#include "hs-session.h"
#include "hs-status-line.h"
#include "hs-updater.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * hs_open_add:
 * @status_line: says what was done
 *
 * Adds the actions "win.show-text" (two strings, the second one empty for none), "win.load-model"
 * (a folder), "win.open-model" and "win.open-weights" (ask for a folder or a weight file) and
 * "win.stop-model", for side B "win.model-b" (a name, as HsSide has it), "win.open-model-b" and
 * "win.stop-model-b", and lets things be dropped on the window: a text, a file of text, one of
 * attention weights, a model's folder. For a file that ends in .headscope it activates
 * "win.open-session" with its path.
 */
void hs_open_add (GtkApplicationWindow *window,
                  HsSession *session,
                  HsUpdater *updater,
                  HsStatusLine *status_line);

/* What "win.open-model" does once a folder was chosen, and a drop with each file. */
void hs_open_file (GtkApplicationWindow *window, GFile *file);

G_END_DECLS
