/* SPDX-License-Identifier: MIT */
/* A home of Hugging Face's libraries for tests, with small models in it. */
#pragma once

#include "attn-hub/places.h"

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): an empty folder for HF_HOME. */
char *model_cache_new (void);

/* Removes it with all that is in it, and frees the path. */
void model_cache_free (char *home);

/* @endpoint: (nullable): HF_ENDPOINT. @offline: HF_HUB_OFFLINE. Returns: (transfer full): places
 * that know of nothing but this home. */
AttnHubPlaces *model_cache_places (const char *home, const char *endpoint, gboolean offline);

/* Copies config, weights and vocabulary of a model of the tests' data into main's snapshot.
 * @folder: "models--owner--name". Returns: (transfer full): the snapshot's path. */
char *model_cache_add (const char *home, const char *folder, const char *golden);

/* A snapshot that holds only this config.json. */
void model_cache_add_config (const char *home, const char *folder, const char *config);

G_END_DECLS
