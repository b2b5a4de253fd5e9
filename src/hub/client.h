/* SPDX-License-Identifier: MIT */
/* Asking the Hub: requests with redirects, waits and retries, and a sentence for whatever goes
 * wrong.
 *
 * For: fetch.h's parts. One client lives on one thread, which waits for every answer. The token
 * goes to the endpoint's host alone.
 *
 * Source: huggingface_hub's file_download and _http. Test: tests/hub/test-fetch-faults.c */
#pragma once

#include "attn-hub/places.h"

#include <gio/gio.h>
#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct _AttnHubClient AttnHubClient;

/* Called with a sentence while something is waited for, NULL when it goes on. */
typedef void (*AttnHubWaitFunc) (const char *sentence, void *data);

/**
 * attn_hub_client_new:
 * @places: borrowed while the client lives
 * @repo:   what messages call that which is asked for
 * @stop:   (nullable): stops all requests
 *
 * Connects to nothing yet. HEADSCOPE_RETRY_MS in @places' environment is the first wait between two
 * tries instead of 1000 ms.
 *
 * Returns: (transfer full): for attn_hub_client_free() on the same thread, or NULL with @error: IO
 *   (offline; the token or the file of certificates cannot be read), FORMAT (the token, the
 *   endpoint).
 */
AttnHubClient *attn_hub_client_new (const AttnHubPlaces *places,
                                    const char *repo,
                                    GCancellable *stop,
                                    GError **error);

void attn_hub_client_free (AttnHubClient *client);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnHubClient, attn_hub_client_free)

void attn_hub_client_set_wait_func (AttnHubClient *client, AttnHubWaitFunc func, void *data);

/* What a file's headers say, before its content is asked for. Strings are owned. */
typedef struct {
  char *commit;    /* 40 hexadecimal digits */
  char *etag;      /* without quotation marks; NULL where there is none */
  char *url;       /* where the content is */
  guint64 n_bytes; /* ATTN_HUB_UNKNOWN_SIZE where it is not told */
} AttnHubMetadata;

void attn_hub_metadata_clear (AttnHubMetadata *metadata);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnHubMetadata, attn_hub_metadata_clear)

/**
 * attn_hub_client_head:
 * @path: below the endpoint, escaped: "/owner/name/resolve/main/config.json"
 *
 * Returns: false with @error: IO, CANCELLED, FORMAT (the server is no Hub).
 */
bool attn_hub_client_head (AttnHubClient *client,
                           const char *path,
                           AttnHubMetadata *metadata,
                           GError **error);

/**
 * attn_hub_client_load:
 * @path: below the endpoint
 * @next: (out) (transfer full) (nullable) (optional): the path of a listing's next page
 *
 * Returns: (transfer full): the whole answer and a NUL behind it, or NULL with @error: IO,
 *   CANCELLED, FORMAT, TOO_LARGE (over @max_bytes).
 */
char *attn_hub_client_load (AttnHubClient *client,
                            const char *path,
                            size_t max_bytes,
                            size_t *n_bytes,
                            char **next,
                            GError **error);

/* An answer's content, while it is received. */
typedef struct {
  GInputStream *stream; /* owned */
  guint64 first;        /* of the file's bytes, the one it starts with; G_MAXUINT64: not known */
  bool is_beyond;       /* the server has no byte at the place asked for; there is no stream */
} AttnHubBody;

void attn_hub_body_clear (AttnHubBody *body);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnHubBody, attn_hub_body_clear)

/**
 * attn_hub_client_open:
 * @url:   from AttnHubMetadata
 * @first: where to start; the server may not follow: see AttnHubBody
 *
 * Only one body is open at a time. A read of the stream that fails is retried by the caller.
 *
 * Returns: false with @error: IO, CANCELLED, FORMAT.
 */
bool attn_hub_client_open (
    AttnHubClient *client, const char *url, guint64 first, AttnHubBody *body, GError **error);

/* Whether the last request was refused as one whose signed address has run out is: 401, 403, 410.
 */
bool attn_hub_client_is_expired (const AttnHubClient *client);

/* Sets @error to FORMAT: a server whose answer is none of the Hub's, as @from tells, which is
 * taken. Returns: false. */
bool attn_hub_client_refuse_content (AttnHubClient *client, GError *from, GError **error);

/* Sets @error to IO: a model that the Hub keeps to itself. Returns: false. */
bool attn_hub_refuse_disabled (AttnHubClient *client, GError **error);

/* Tells of a read's error in our words. */
void attn_hub_client_explain (AttnHubClient *client, const GError *from, GError **error);

/* Waits before try number @n, from 1. Returns: false with @error: CANCELLED. */
bool attn_hub_client_wait (AttnHubClient *client, unsigned n, const char *why, GError **error);

/* How often something is tried in a row. */
#define ATTN_HUB_MAX_TRIES 5
