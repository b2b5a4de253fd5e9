/* SPDX-License-Identifier: MIT */
/* The downloads of all windows, one after the other. What is not finished is remembered, and goes
 * on when somebody asks for it, also after another start of the program. */
#pragma once

#include "hs-download.h"
#include "hs-models.h"

G_BEGIN_DECLS

#define HS_TYPE_DOWNLOADS (hs_downloads_get_type ())
G_DECLARE_FINAL_TYPE (HsDownloads, hs_downloads, HS, DOWNLOADS, GObject)

/**
 * hs_downloads_new:
 * @models:   read anew when a download is done; has the places
 * @settings: (nullable): whose "unfinished-downloads" come first
 *
 * Asks nobody for anything. The signal "changed" comes with every change of any of them; "ended"
 * with the HsDownload that is done or has failed.
 * Test: tests/ui/test-downloads.c
 */
HsDownloads *hs_downloads_new (HsModels *models, GSettings *settings);

/* Returns: (transfer none): of HsDownload, the newest first. */
GListModel *hs_downloads_peek_list (HsDownloads *self);

/* Returns: (transfer none): as given. */
HsModels *hs_downloads_peek_models (HsDownloads *self);

/**
 * hs_downloads_look_up:
 * @text: what a person typed: a name, or a model's address on the Hub
 *
 * Asks what there is of that name; one that is listed is not listed twice.
 *
 * Returns: false with @error: FORMAT: this is no name; nobody was asked.
 */
bool hs_downloads_look_up (HsDownloads *self, const char *text, GError **error);

/* Fetches it when its turn comes. */
void hs_downloads_start (HsDownloads *self, HsDownload *download);

void hs_downloads_pause (HsDownloads *self, HsDownload *download);

/* Stops it and takes it off the list. */
void hs_downloads_remove (HsDownloads *self, HsDownload *download);

/* Returns: (nullable) (transfer none): the one that is being fetched. */
HsDownload *hs_downloads_peek_running (HsDownloads *self);

/* Returns: (nullable) (transfer none): the oldest that waits to be resumed. */
HsDownload *hs_downloads_peek_paused (HsDownloads *self);

/* Returns: (nullable) (transfer none): the one of the model @repo that is fetched, waits or is
 * paused. */
HsDownload *hs_downloads_find_unfinished (HsDownloads *self, const char *repo);

/* Returns: (nullable) (transfer none): the newest that ended and was not seen since. */
HsDownload *hs_downloads_peek_news (HsDownloads *self);

/* Stops all; they are remembered as not finished. */
void hs_downloads_stop (HsDownloads *self);

G_END_DECLS
