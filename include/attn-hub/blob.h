/* SPDX-License-Identifier: MIT */
/* Writing one file's content into the cache of models, so that a download that is interrupted goes
 * on where it stopped and nobody ever finds half a file under its final name.
 *
 * For: whoever receives bytes. Not for: receiving them (fetch.h), or giving the file its name in a
 * model (snapshot.h). Order of calls: open, write until all is there, commit, free; freeing without
 * commit keeps what was written for the next time.
 *
 * What is being written is blobs/ETAG.headscope.part, beside it the size it is to have; no other
 * program's unfinished file is touched. While it is written, it and the lock that Python's library
 * takes for the same blob are locked; where locks do nothing, as on some network disks, two writers
 * write the same bytes to the same places.
 *
 * Source: the layout of huggingface_hub's cache. */
#pragma once

#include "attn/progress.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

#define ATTN_HUB_UNKNOWN_SIZE G_MAXUINT64

typedef struct _AttnHubBlob AttnHubBlob;

/* How a blob's name tells what it must contain. */
typedef enum {
  ATTN_HUB_HASH_NONE,   /* not at all */
  ATTN_HUB_HASH_GIT,    /* 40 hexadecimal digits: SHA-1 of "blob SIZE" NUL and the bytes */
  ATTN_HUB_HASH_SHA256, /* 64 hexadecimal digits */
} AttnHubHash;

/* Returns: what kind of hash an etag is. */
AttnHubHash attn_hub_hash_of_etag (const char *etag);

/* Whether an etag, without its quotation marks, is safe as a file's name: 1 to 128 of A-Z a-z 0-9 -
 * and _. Returns: false with @error: FORMAT. */
bool attn_hub_check_etag (const char *etag, GError **error);

/**
 * attn_hub_blob_open:
 * @cache:   the cache's folder, made where it does not exist, with the mark that tells backups to
 *   pass it over
 * @repo:    "owner/name"
 * @etag:    what the blob is called
 * @n_bytes: its size, or ATTN_HUB_UNKNOWN_SIZE
 * @go_on:   (nullable): asked ten times a second while another program writes the same blob, and
 *   while what is there of an interrupted download is read to be hashed
 *
 * Returns: (transfer full): for attn_hub_blob_free(), or NULL with @error: IO, FORMAT (@repo or
 *   @etag), CANCELLED.
 * Test: tests/hub/test-blob.c
 */
AttnHubBlob *attn_hub_blob_open (const char *cache,
                                 const char *repo,
                                 const char *etag,
                                 guint64 n_bytes,
                                 AttnProgressFunc go_on,
                                 void *data,
                                 GError **error);

void attn_hub_blob_free (AttnHubBlob *blob);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnHubBlob, attn_hub_blob_free)

/* Whether the blob was there already, or another program has just written it: then there is nothing
 * to write or commit. */
bool attn_hub_blob_is_there (const AttnHubBlob *blob);

/* How many bytes are written: where to go on. */
guint64 attn_hub_blob_get_n_bytes (const AttnHubBlob *blob);

/* Throws away what is written. Returns: false with @error: IO. */
bool attn_hub_blob_restart (AttnHubBlob *blob, GError **error);

/* Appends bytes. Returns: false with @error: IO (also a full disk), FORMAT (more than the size). */
bool attn_hub_blob_write (AttnHubBlob *blob, const void *bytes, size_t n, GError **error);

/**
 * attn_hub_blob_commit:
 *
 * Checks size and hash, makes sure that all is on the disk, and gives the blob its name. Bytes
 * with another hash are thrown away; the blob is empty then and may be written anew.
 *
 * Returns: false with @error: IO, FORMAT (too few bytes, which are kept, or another hash than the
 *   name tells).
 */
bool attn_hub_blob_commit (AttnHubBlob *blob, GError **error);

/* How much of a blob is there, without opening it for writing: all, the part of an interrupted
 * download, or 0. @n_bytes: its size, or ATTN_HUB_UNKNOWN_SIZE. */
guint64 attn_hub_blob_look (
    const char *cache, const char *repo, const char *etag, guint64 n_bytes, bool *is_there);

G_END_DECLS
