/* SPDX-License-Identifier: MIT */
/* Where models are kept and where they come from, as the environment says: the same variables that
 * Python's libraries read.
 *
 * For: every part that touches the cache or the Hub; made once and passed on. Not for: the
 * program's own data (store.h).
 *
 * Source: huggingface_hub's constants. */
#pragma once

#include <glib.h>

#include <stdbool.h>

G_BEGIN_DECLS

#define ATTN_HUB_DEFAULT_ENDPOINT "https://huggingface.co"

/* Strings are owned; paths are absolute, in the file system's encoding. */
typedef struct {
  char *home;        /* HF_HOME, else $XDG_CACHE_HOME/huggingface, else ~/.cache/huggingface */
  char *cache;       /* HF_HUB_CACHE, else HUGGINGFACE_HUB_CACHE, else hub in the home */
  char *endpoint;    /* HF_ENDPOINT without slashes at its end, else ATTN_HUB_DEFAULT_ENDPOINT */
  bool is_mirror;    /* HF_ENDPOINT names another host than the Hub's own */
  bool is_offline;   /* HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE: ask no server at all */
  bool avoids_links; /* HF_HUB_DISABLE_SYMLINKS: files are copied into snapshots */
  unsigned metadata_timeout_s; /* HF_HUB_ETAG_TIMEOUT, else 10 */
  unsigned download_timeout_s; /* HF_HUB_DOWNLOAD_TIMEOUT, else 10 */
  char *token_file;            /* HF_TOKEN_PATH, else token in the home */
  bool is_anonymous;           /* HF_HUB_DISABLE_IMPLICIT_TOKEN: send no token */
  char **environment;          /* what all this was read from */
} AttnHubPlaces;

/**
 * attn_hub_places_new:
 * @environment: (nullable): "NAME=VALUE" each, NULL-terminated; NULL for the process's
 *
 * An empty variable counts as not set. ~ at a path's start, $NAME and ${NAME} in it are expanded as
 * Python does; a timeout that is no whole number of seconds from 1 to 86,400 counts as not set.
 *
 * Returns: (transfer full): for attn_hub_places_free(); never NULL.
 * Test: tests/hub/test-places.c
 */
AttnHubPlaces *attn_hub_places_new (const char *const *environment);

void attn_hub_places_free (AttnHubPlaces *places);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnHubPlaces, attn_hub_places_free)

/**
 * attn_hub_places_load_token:
 * @token: (out) (transfer full) (nullable): the token, NULL where there is none or none may be
 *   sent; never to be printed, logged or written into the cache
 *
 * HF_TOKEN, else HUGGING_FACE_HUB_TOKEN, else the token file. Blanks and line ends around it are
 * left out.
 *
 * Returns: false with @error: IO (a token file that cannot be read), FORMAT (it holds blanks,
 *   control characters or more than ASCII inside, which no header may carry; the sentence names the
 *   place, never the value), TOO_LARGE.
 */
bool attn_hub_places_load_token (const AttnHubPlaces *places, char **token, GError **error);

G_END_DECLS
