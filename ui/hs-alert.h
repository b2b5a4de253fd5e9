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

/**
 * hs_alert_offer_model:
 * @alert: of a window with the action "win.get-named-model"
 * @error: what it tells
 *
 * Where a model is wanted that can be downloaded, adds a button that leads to it. To be called
 * before "response" is connected to what destroys the alert.
 */
void hs_alert_offer_model (GtkWidget *alert, const GError *error);

G_END_DECLS
