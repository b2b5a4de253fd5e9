/* SPDX-License-Identifier: MIT */
/* One line at the bottom that says in words what the pointer is on, and how large the text is. */
#pragma once

#include "hs-panel.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_STATUS_LINE (hs_status_line_get_type ())
G_DECLARE_FINAL_TYPE (HsStatusLine, hs_status_line, HS, STATUS_LINE, HsPanel)

/* Property "session" (HsSession). */
GtkWidget *hs_status_line_new (HsSession *session);

/* Shows a short message (a file written, a picture copied) for some seconds, whatever is hovered.
 */
void hs_status_line_say (HsStatusLine *self, const char *message);

/* The same, but behind what this function has said just before: of something that is opened there
 * may be more than one thing to say. */
void hs_status_line_say_also (HsStatusLine *self, const char *message);

G_END_DECLS
