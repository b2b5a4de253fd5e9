/* SPDX-License-Identifier: MIT */
/* Asks how the picture should be saved, saves it, and says where it is. */
#pragma once

#include "hs-picture.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_EXPORT_DIALOG (hs_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HsExportDialog, hs_export_dialog, HS, EXPORT_DIALOG, GtkWindow)

/**
 * hs_export_dialog_new:
 * @parent:  the dialog is modal to it
 * @picture: what is on screen is exported; must show something
 *
 * Signal "done" (message: string): the translated sentence that says what was done.
 */
GtkWidget *hs_export_dialog_new (GtkWindow *parent, HsPicture *picture);

/* Asks where to save; @done gets the path, or NULL when the person changed their mind. A seam for
 * tests, which put their own in place of the file chooser. */
typedef void (*HsAskSaveDone) (char *path, gpointer data);
typedef void (*HsAskSave) (GtkWindow *parent, const char *name, HsAskSaveDone done, gpointer data);
void hs_export_dialog_set_ask_save (HsExportDialog *self, HsAskSave ask_save);

G_END_DECLS
