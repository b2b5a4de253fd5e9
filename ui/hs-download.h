/* SPDX-License-Identifier: MIT */
/* One model on its way from the Hub: first what it would be, then, when asked, the files. */
#pragma once

#include "attn-hub/places.h"

#include <gio/gio.h>

#include <stdbool.h>

G_BEGIN_DECLS

typedef enum {
  HS_DOWNLOAD_PLANNING, /* the Hub is asked what there is */
  HS_DOWNLOAD_PLANNED,  /* size and family are known, nothing is fetched */
  HS_DOWNLOAD_QUEUED,   /* waits for others */
  HS_DOWNLOAD_RUNNING,
  HS_DOWNLOAD_PAUSED, /* what has come is kept */
  HS_DOWNLOAD_DONE,
  HS_DOWNLOAD_FAILED,
} HsDownloadState;

#define HS_TYPE_DOWNLOAD (hs_download_get_type ())
G_DECLARE_FINAL_TYPE (HsDownload, hs_download, HS, DOWNLOAD, GObject)

/**
 * hs_download_new:
 * @places: copied
 * @name:   "owner/name", or with "@revision"
 *
 * A download that is PAUSED: nothing is asked of anybody. Emits "changed" with every change of what
 * the functions below return.
 */
HsDownload *hs_download_new (const AttnHubPlaces *places, const char *name);

/* Asks for size and family; ends PLANNED, or FAILED. */
void hs_download_plan (HsDownload *self);

/* Waits to be run; from PLANNED, PAUSED or FAILED. */
void hs_download_queue (HsDownload *self);

/* Fetches; ends DONE, FAILED or PAUSED. */
void hs_download_run (HsDownload *self);

/* Whatever is under way stops; what has come is kept. */
void hs_download_pause (HsDownload *self);

HsDownloadState hs_download_get_state (HsDownload *self);

/* Whether it ended and nobody has seen that; who shows it notes that, and the signal "seen" tells.
 */
bool hs_download_is_news (HsDownload *self);
void hs_download_note_seen (HsDownload *self);

/* Returns: (transfer none): as it was asked for. */
const char *hs_download_peek_name (HsDownload *self);

/* Returns: (transfer full): one line of how it goes, translated. */
char *hs_download_dup_status (HsDownload *self);

/* Returns: 0 … 1. */
double hs_download_get_fraction (HsDownload *self);

/* Returns: (nullable) (transfer none): where the model is once it is DONE. */
const char *hs_download_peek_folder (HsDownload *self);

G_END_DECLS
