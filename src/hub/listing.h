/* SPDX-License-Identifier: MIT */
/* Which files a model has at a commit, with sizes and hashes, as the Hub lists them. */
#pragma once

#include "client.h"

#include <glib.h>

typedef struct {
  char *path;
  char *etag; /* 40 or 64 hexadecimal digits */
  guint64 n_bytes;
} AttnHubListed;

/**
 * attn_hub_listing_load:
 *
 * Names that would lead out of a folder are left out: no file of them is ever wanted.
 *
 * Returns: (transfer full): path -> AttnHubListed, or NULL with @error: IO, FORMAT, TOO_LARGE,
 *   CANCELLED.
 */
GHashTable *
attn_hub_listing_load (AttnHubClient *client, const char *repo, const char *commit, GError **error);
