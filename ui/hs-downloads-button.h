/* SPDX-License-Identifier: MIT */
/* A small bar in the header: how far the downloads are. Invisible while nothing is fetched;
 * pressed it activates "win.get-model". */
#pragma once

#include "hs-downloads.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_DOWNLOADS_BUTTON (hs_downloads_button_get_type ())
G_DECLARE_FINAL_TYPE (HsDownloadsButton, hs_downloads_button, HS, DOWNLOADS_BUTTON, GtkButton)

void hs_downloads_button_set_downloads (HsDownloadsButton *self, HsDownloads *downloads);

G_END_DECLS
