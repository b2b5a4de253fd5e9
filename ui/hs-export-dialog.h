/* SPDX-License-Identifier: MIT */
/* Asks what should be saved and how, shows what the file will be, saves it, and says where it is.
 */
#pragma once

#include "hs-ask.h"
#include "hs-export.h"
#include "hs-picture.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_EXPORT_DIALOG (hs_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HsExportDialog, hs_export_dialog, HS, EXPORT_DIALOG, GtkWindow)

/**
 * hs_export_dialog_new:
 * @parent:  the dialog is modal to it
 * @picture: what is on screen is exported; must show something
 * @options: what to begin with
 *
 * Signal "done" (message: string): the translated sentence that says what was done.
 */
GtkWidget *
hs_export_dialog_new (GtkWindow *parent, HsPicture *picture, const HsExportOptions *options);

/* What was chosen for pictures, for the next time. */
void hs_export_dialog_get_options (HsExportDialog *self, HsExportOptions *options);

/* A seam for tests, which put their own in place of the file chooser. */
void hs_export_dialog_set_ask (HsExportDialog *self, HsAsk ask);

G_END_DECLS
