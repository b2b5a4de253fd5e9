/* SPDX-License-Identifier: MIT */
/* Packing pixels into PNG chunks. */
#include "png.h"

#include "attn/error.h"

#include <string.h>
#include <zlib.h>

#define LEVEL 5          /* 7 % larger than by 6, in little more than half the time */
#define PIECE (1u << 18) /* bytes of a chunk */
#define STRIP 64         /* rows between two questions whether to go on */
#define N_CHANNELS 3

/* Filters of a row, by the numbers of the format. */
enum { FILTER_LEFT = 1, FILTER_ABOVE = 2 };

void
attn_draw_png_append_be32 (GByteArray *out, guint32 value)
{
  guint32 big = GUINT32_TO_BE (value);
  g_byte_array_append (out, (const guint8 *)&big, sizeof big);
}

void
attn_draw_png_append_chunk (GByteArray *out, const char *type, const guint8 *data, guint n_bytes)
{
  attn_draw_png_append_be32 (out, n_bytes);
  guint start = out->len;
  g_byte_array_append (out, (const guint8 *)type, 4);
  if (n_bytes > 0)
    g_byte_array_append (out, data, n_bytes);
  attn_draw_png_append_be32 (out, (guint32)crc32 (0, out->data + start, n_bytes + 4));
}

typedef struct {
  GByteArray *out;
  z_stream stream;
  guint8 *row;   /* [1 + 3 width] filter and bytes of one row */
  guint8 *piece; /* [PIECE] packed, not yet in a chunk */
} Packer;

static const guint32 *
peek_row (const AttnDrawPixels *pixels, size_t y)
{
  return (const guint32 *)(const void *)(pixels->data + y * pixels->stride);
}

static void
filter_row (Packer *packer, const AttnDrawPixels *pixels, size_t y)
{
  const guint32 *now = peek_row (pixels, y);
  guint8 *out = packer->row;
  if (y > 0 && memcmp (now, peek_row (pixels, y - 1), pixels->width * sizeof *now) == 0) {
    *out++ = FILTER_ABOVE;
    memset (out, 0, pixels->width * N_CHANNELS);
    return;
  }
  guint32 left = 0;
  *out++ = FILTER_LEFT;
  for (size_t x = 0; x < pixels->width; x++, left = now[x - 1]) {
    *out++ = (guint8)((now[x] >> 16) - (left >> 16));
    *out++ = (guint8)((now[x] >> 8) - (left >> 8));
    *out++ = (guint8)(now[x] - left);
  }
}

/* Returns: false where the file would be too large. */
static bool
flush_piece (Packer *packer)
{
  guint n_bytes = PIECE - packer->stream.avail_out;
  if (packer->out->len > G_MAXINT - 2 * PIECE)
    return false;
  if (n_bytes > 0)
    attn_draw_png_append_chunk (packer->out, "IDAT", packer->piece, n_bytes);
  packer->stream.next_out = packer->piece;
  packer->stream.avail_out = PIECE;
  return true;
}

static bool
pack (Packer *packer, int flush)
{
  int status = Z_OK;
  do {
    if (packer->stream.avail_out == 0 && !flush_piece (packer))
      return false;
    status = deflate (&packer->stream, flush);
  } while (flush == Z_FINISH ? status == Z_OK : packer->stream.avail_in > 0);
  return flush != Z_FINISH || (status == Z_STREAM_END && flush_piece (packer));
}

static bool
pack_rows (Packer *packer,
           const AttnDrawPixels *pixels,
           AttnProgressFunc progress,
           void *progress_data,
           GError **error)
{
  bool fits = true;
  for (size_t y = 0; y < pixels->height && fits; y++) {
    double fraction = (double)y / (double)pixels->height;
    if (y % STRIP == 0 && !attn_progress_tell (progress, progress_data, fraction, error))
      return false;
    filter_row (packer, pixels, y);
    packer->stream.next_in = packer->row;
    packer->stream.avail_in = (uInt)(1 + pixels->width * N_CHANNELS);
    fits = pack (packer, Z_NO_FLUSH);
  }
  if (fits && pack (packer, Z_FINISH))
    return attn_progress_tell (progress, progress_data, 1, error);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
               "the image would be a file of more than 2 GB: choose a smaller scale or width");
  return false;
}

bool
attn_draw_png_append_pixels (GByteArray *out,
                             const AttnDrawPixels *pixels,
                             AttnProgressFunc progress,
                             void *progress_data,
                             GError **error)
{
  Packer packer = {.out = out};
  if (deflateInit (&packer.stream, LEVEL) != Z_OK) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory to pack an image");
    return false;
  }
  packer.row = g_malloc (1 + pixels->width * N_CHANNELS);
  packer.piece = g_malloc (PIECE);
  packer.stream.next_out = packer.piece;
  packer.stream.avail_out = PIECE;
  bool done = pack_rows (&packer, pixels, progress, progress_data, error);
  deflateEnd (&packer.stream);
  g_free (packer.row);
  g_free (packer.piece);
  return done;
}
