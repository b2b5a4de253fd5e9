/* SPDX-License-Identifier: MIT */
/* Bytes one after the other, from a stretch of a file or an entry of a zip archive. */
#pragma once

#include <glib.h>
#include <zip.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *what; /* begins messages: the file, and what of it is read */
  int fd;           /* borrowed; -1 for a zip entry */
  guint64 at;       /* in that file */
  zip_file_t *zip;  /* owned; NULL for a file */
  guint64 n_left;   /* bytes that may still be read */
} AttnByteStream;

void attn_byte_stream_clear (AttnByteStream *stream);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnByteStream, attn_byte_stream_clear)

/* Reads exactly @n bytes. Returns: false with @error: IO, FORMAT (fewer are left; a zip entry that
 * cannot be unpacked). */
bool attn_byte_stream_read (AttnByteStream *stream, void *out, size_t n, GError **error);

/* Once all is read: whether a zip entry ends there, and its checksum agrees. Returns: false with
 * @error FORMAT. */
bool attn_byte_stream_finish (AttnByteStream *stream, GError **error);
