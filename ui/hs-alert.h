/* SPDX-License-Identifier: MIT */
/* A dialog that says in words what went wrong. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * hs_alert_new:
 * @title: what was to be done
 * @message: a sentence
 * @detail: the particulars; shown below it, as hs_told_dup() says them
 *
 * Takes the place of an earlier one of the same @parent, which is answered with
 * GTK_RESPONSE_DELETE_EVENT.
 *
 * Returns: (transfer none): a modal GtkDialog with a button to close it; the caller connects
 *          "response", may add more buttons, and presents it.
 */
GtkWidget *
hs_alert_new (GtkWindow *parent, const char *title, const char *message, const char *detail);

G_END_DECLS
