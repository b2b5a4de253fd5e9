/* SPDX-License-Identifier: MIT */
/* Writing a model's revision into the cache: files' names as links to blobs, and references.
 *
 * For: after the blobs are there (blob.h); links first, the reference last, so that whoever follows
 * a reference finds everything. Not for: the lists of all files in trees/, which are left out on
 * purpose: Python's library would take a model whose other formats were not fetched for incomplete.
 *
 * Source: the layout of huggingface_hub's cache. */
#pragma once

#include <glib.h>

#include <stdbool.h>

G_BEGIN_DECLS

/**
 * attn_hub_check_path:
 * @path: a file's name in a model: "1_Pooling/config.json"
 *
 * Whether it stays inside whatever folder it is put into, by the rules of POSIX and of Windows: no
 * empty part, none that is . or .., no backslash, no drive, no control characters; valid UTF-8; at
 * most 1024 bytes, 255 a part, 32 parts.
 *
 * Returns: false with @error: FORMAT.
 * Test: tests/hub/test-snapshot.c
 */
bool attn_hub_check_path (const char *path, GError **error);

/* Which snapshot of which model. */
typedef struct {
  const char *cache;  /* the cache's folder */
  const char *repo;   /* "owner/name" */
  const char *commit; /* 40 hexadecimal digits */
  bool avoids_links;  /* files instead of links (AttnHubPlaces) */
} AttnHubSnapshot;

/* Returns: (transfer full): the snapshot's folder, whether it exists or not. */
char *attn_hub_snapshot_dup_folder (const AttnHubSnapshot *snapshot);

/**
 * attn_hub_snapshot_add:
 * @path: the file's name in the model
 * @etag: the blob it is, which is there
 *
 * Makes the relative link; where there are no links (a file system of Windows), the blob itself is
 * moved there, as Python's library does. What had the name before is replaced in one step.
 *
 * Returns: false with @error: IO, FORMAT.
 */
bool attn_hub_snapshot_add (const AttnHubSnapshot *snapshot,
                            const char *path,
                            const char *etag,
                            GError **error);

/* Whether the snapshot has this file, and of this size where it is not ATTN_HUB_UNKNOWN_SIZE. A
 * link to nothing is none. */
bool attn_hub_snapshot_has (const AttnHubSnapshot *snapshot, const char *path, guint64 n_bytes);

/* Notes that the revision has no file of this name, which spares programs from asking for it.
 * Returns: false with @error: IO, FORMAT. */
bool
attn_hub_snapshot_note_missing (const AttnHubSnapshot *snapshot, const char *path, GError **error);

/* Makes the branch or tag @revision point to the snapshot; does nothing where it is the commit or
 * points there already. Returns: false with @error: IO, FORMAT. */
bool
attn_hub_snapshot_refer (const AttnHubSnapshot *snapshot, const char *revision, GError **error);

G_END_DECLS
