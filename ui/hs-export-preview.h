/* SPDX-License-Identifier: MIT */
/* Shows how a file will look: its pages one by one, or the beginning of its text. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_EXPORT_PREVIEW (hs_export_preview_get_type ())
G_DECLARE_FINAL_TYPE (HsExportPreview, hs_export_preview, HS, EXPORT_PREVIEW, GtkWidget)

/* @pages: (element-type GdkTexture): at least one; the page that is looked at stays the same one
 * where there are enough. @n_pages: of the file, maybe more. */
void hs_export_preview_show_pages (HsExportPreview *self, GPtrArray *pages, guint n_pages);

void hs_export_preview_show_text (HsExportPreview *self, const char *text);

/* While something new is made, what is shown is faded. */
void hs_export_preview_set_stale (HsExportPreview *self, gboolean stale);

/* Returns: (transfer none): the widget the picture is in, to drag it out of. */
GtkWidget *hs_export_preview_peek_picture (HsExportPreview *self);

G_END_DECLS
