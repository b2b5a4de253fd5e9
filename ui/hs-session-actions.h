/* SPDX-License-Identifier: MIT */
/* The window's actions on session files: saving what is on screen, and opening it again. */
#pragma once

#include "hs-ask.h"
#include "hs-picture.h"
#include "hs-status-line.h"
#include "hs-updater.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * hs_session_actions_add:
 * @window:      gets win.save-session, win.open-session, and opens session files dropped on it;
 * must have the actions of hs-export-actions.h already
 * @status_line: says what was done
 */
void hs_session_actions_add (GtkApplicationWindow *window,
                             HsPicture *picture,
                             HsStatusLine *status_line);

/* Who runs and loads for the window, once it is known. */
void hs_session_actions_set_updater (GtkApplicationWindow *window, HsUpdater *updater);

/**
 * hs_session_actions_open:
 *
 * Reads the file and loads its model before anything on screen changes; what is wrong is said in a
 * dialog, and the screen stays. For a model that is not there one can tell where it is.
 */
void hs_session_actions_open (GtkApplicationWindow *window, const char *path);

/* A seam for tests, which put their own in place of the file chooser. */
void hs_session_actions_set_ask (GtkApplicationWindow *window, HsAsk ask);

G_END_DECLS
