/* SPDX-License-Identifier: MIT */
/* The main window: text on top, then layer and head, the picture in the middle, panels beside it.
 */
#pragma once

#include "hs-downloads.h"
#include "hs-picture.h"
#include "hs-recent.h"
#include "hs-session.h"
#include "hs-updater.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_WINDOW (hs_window_get_type ())
G_DECLARE_FINAL_TYPE (HsWindow, hs_window, HS, WINDOW, GtkApplicationWindow)

/**
 * hs_window_new:
 * @application: (nullable)
 *
 * Property "session" (HsSession, construct only).
 */
GtkWidget *hs_window_new (GtkApplication *application, HsSession *session, HsUpdater *updater);

/* Texts and models looked at before, for the window's menus. */
void hs_window_set_recent (HsWindow *self, HsRecent *recent);

/* What its header tells of. */
void hs_window_set_downloads (HsWindow *self, HsDownloads *downloads);

/* Says something on the status line for a while. */
void hs_window_say (HsWindow *self, const char *message);

HsSession *hs_window_peek_session (HsWindow *self);

/* Returns: (transfer none): the picture in its middle. */
HsPicture *hs_window_peek_picture (HsWindow *self);

G_END_DECLS
