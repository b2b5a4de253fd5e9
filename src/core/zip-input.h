/* SPDX-License-Identifier: MIT */
/* A zip archive that somebody else made, opened by libzip from a descriptor of ours. */
#pragma once

#include <glib.h>
#include <zip.h>

#include <stdbool.h>
#include <stddef.h>

/* What libzip reads from, and where it read last. It must stay where it is while the archive is
 * open. */
typedef struct {
  int fd; /* borrowed */
  guint64 n_bytes;
  guint64 at;
  guint64 last_at; /* of the last read, and how much it asked for */
  guint64 last_n;
  zip_error_t fault;
} AttnZipInput;

void attn_zip_input_init (AttnZipInput *input, int fd, guint64 n_bytes);
void attn_zip_input_clear (AttnZipInput *input);

/**
 * attn_zip_open:
 * @path: for messages
 *
 * Opens for reading, with libzip's checks of the directory against the entries.
 *
 * Returns: an archive for zip_discard(), or NULL with @error FORMAT.
 */
zip_t *attn_zip_open (AttnZipInput *input, const char *path, GError **error);

/* Sets @error to what libzip says. Returns: false. */
bool attn_zip_refuse (const char *path, zip_error_t *fault, GError **error);
