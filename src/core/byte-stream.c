/* SPDX-License-Identifier: MIT */
/* Bytes one after the other, from a stretch of a file or an entry of a zip archive. */
#include "byte-stream.h"

#include "file.h"

#include "attn/error.h"

void
attn_byte_stream_clear (AttnByteStream *stream)
{
  g_clear_pointer (&stream->zip, zip_fclose);
}

static bool
refuse_zip (AttnByteStream *stream, GError **error)
{
  g_autofree char *reason = g_utf8_make_valid (zip_file_strerror (stream->zip), -1);
  return attn_file_refuse (stream->what, ATTN_ERROR_FORMAT, error,
                           "cannot be unpacked (%s); the file is damaged", reason);
}

static bool
read_zip (AttnByteStream *stream, void *out, size_t n, GError **error)
{
  char *to = out;
  while (n > 0) {
    zip_int64_t n_now = zip_fread (stream->zip, to, n);
    if (n_now < 0)
      return refuse_zip (stream, error);
    if (n_now == 0)
      return attn_file_refuse (stream->what, ATTN_ERROR_FORMAT, error,
                               "ends %zu bytes too early; the file is damaged", n);
    to += n_now;
    n -= MIN ((size_t)n_now, n);
  }
  return true;
}

bool
attn_byte_stream_read (AttnByteStream *stream, void *out, size_t n, GError **error)
{
  if (n > stream->n_left)
    return attn_file_refuse (stream->what, ATTN_ERROR_FORMAT, error,
                             "the file is cut short: found %" G_GUINT64_FORMAT
                             " more bytes, wanted %zu",
                             stream->n_left, n);
  bool done = stream->zip != NULL
                  ? read_zip (stream, out, n, error)
                  : attn_file_read_at (stream->fd, stream->at, out, n, stream->what, error);
  stream->at += n;
  stream->n_left -= n;
  return done;
}

bool
attn_byte_stream_finish (AttnByteStream *stream, GError **error)
{
  char byte;
  if (stream->zip == NULL)
    return true;
  zip_int64_t n = zip_fread (stream->zip, &byte, 1);
  if (n < 0)
    return refuse_zip (stream, error);
  return n == 0 || attn_file_refuse (stream->what, ATTN_ERROR_FORMAT, error,
                                     "found more bytes than its size says; the file is damaged");
}
