/* SPDX-License-Identifier: MIT */
/* Saving what is on screen as a session file. */
#pragma once

#include "hs-ask.h"
#include "hs-export.h"
#include "hs-status-line.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @action: of a file chooser. Returns: what to ask for one session file; the strings are static. */
HsQuestion hs_session_question (GtkFileChooserAction action, const char *title, const char *accept);

/**
 * hs_session_saving_begin:
 * @session:     what it shows now is saved; nothing is where it shows nothing
 * @options:     how it is exported, which a session keeps
 * @status_line: of @window; says where it was saved
 *
 * Asks for a path and writes the file on another thread. What is wrong is said in a dialog.
 */
void hs_session_saving_begin (HsSession *session,
                              const HsExportOptions *options,
                              HsStatusLine *status_line,
                              HsAsk ask);

G_END_DECLS
