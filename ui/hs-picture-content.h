/* SPDX-License-Identifier: MIT */
/* A picture on its way to another program: by the clipboard, or dragged. Its bytes are made when
 * they are asked for. */
#pragma once

#include "hs-export.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * hs_picture_content_new:
 * @export:   referenced
 * @as_file:  whether it is offered as a file too, as folders take it
 *
 * Offers PNG and SVG of the same picture; the file is of @export's own format.
 */
GdkContentProvider *hs_picture_content_new (HsExport *export, gboolean as_file);

/* Returns: (transfer full) (nullable): what @widget shows, small, for under the pointer; NULL where
 * it shows nothing. */
GdkPaintable *hs_picture_content_dup_icon (GtkWidget *widget);

/* Returns: (transfer full) (nullable): what is dragged; NULL for nothing. */
typedef HsExport *(*HsDragged) (gpointer data);

/**
 * hs_picture_content_drag_from:
 * @widget: may be dragged from now on
 * @icon:   what the pointer carries a small picture of; may be @widget
 * @data:   must live as long as @widget
 */
void
hs_picture_content_drag_from (GtkWidget *widget, GtkWidget *icon, HsDragged dragged, gpointer data);

G_END_DECLS
