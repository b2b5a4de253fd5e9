/* SPDX-License-Identifier: MIT */
/* One line of the list of downloads: how it goes, and what can be done now. */
#pragma once

#include "hs-downloads.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_DOWNLOAD_ROW (hs_download_row_get_type ())
G_DECLARE_FINAL_TYPE (HsDownloadRow, hs_download_row, HS, DOWNLOAD_ROW, GtkListBoxRow)

/* Emits "open" with the model's folder when somebody wants to see what was downloaded. */
GtkWidget *hs_download_row_new (HsDownloads *downloads, HsDownload *download);

G_END_DECLS
