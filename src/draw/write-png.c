/* SPDX-License-Identifier: MIT */
/* A picture as PNG: Cairo's pixels, with resolution and provenance as chunks of our own. */
#include "write-formats.h"

#include "attn-draw/paint.h"
#include "attn/error.h"

#include <math.h>
#include <string.h>

#define MAX_SIDE 32767.0     /* Cairo's limit */
#define MAX_PIXELS 2.5e8     /* 1 GB of pixels, far above any print */
#define END_OF_HEADER 33     /* signature 8, IHDR chunk 4 + 4 + 13 + 4 */
#define PX_PER_METRE 3779.53 /* 96 px an inch */

static guint32
crc_of (const guint8 *bytes, size_t n_bytes)
{
  guint32 crc = 0xffffffffu;
  for (size_t i = 0; i < n_bytes; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

static void
append_be32 (GByteArray *out, guint32 value)
{
  guint32 big = GUINT32_TO_BE (value);
  g_byte_array_append (out, (const guint8 *)&big, sizeof big);
}

static void
append_chunk (GByteArray *out, const char *type, const guint8 *data, guint n_bytes)
{
  append_be32 (out, n_bytes);
  guint start = out->len;
  g_byte_array_append (out, (const guint8 *)type, 4);
  g_byte_array_append (out, data, n_bytes);
  append_be32 (out, crc_of (out->data + start, n_bytes + 4));
}

/* iTXt: keyword NUL, not compressed, no language and no translated keyword, then UTF-8 text. */
static void
append_text (GByteArray *out, const char *keyword, const char *text)
{
  g_autoptr (GByteArray) data = g_byte_array_new ();
  g_byte_array_append (data, (const guint8 *)keyword, (guint)strlen (keyword));
  g_byte_array_append (data, (const guint8 *)"\0\0\0\0\0", 5);
  g_byte_array_append (data, (const guint8 *)text, (guint)strlen (text));
  append_chunk (out, "iTXt", data->data, data->len);
}

static void
append_resolution (GByteArray *out, double scale)
{
  g_autoptr (GByteArray) data = g_byte_array_new ();
  guint32 per_metre = (guint32)MAX (lround (scale * PX_PER_METRE), 1);
  append_be32 (data, per_metre);
  append_be32 (data, per_metre);
  g_byte_array_append (data, (const guint8 *)"\1", 1); /* the unit is the metre */
  append_chunk (out, "pHYs", data->data, data->len);
}

static bool
check_size (double width, double height, GError **error)
{
  if (width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
               "the image would be %.0f × %.0f px, and a PNG may be 32,767 px a side and 250 "
               "million px in all: choose a smaller scale or width, or SVG or PDF",
               width, height);
  return false;
}

static GByteArray *
encode (cairo_surface_t *surface, GError **error)
{
  GByteArray *bytes = g_byte_array_new ();
  cairo_status_t status =
      cairo_surface_write_to_png_stream (surface, attn_draw_write_append, bytes);
  if (attn_draw_write_check (status, "writing the PNG", error) && bytes->len > END_OF_HEADER)
    return bytes;
  g_byte_array_unref (bytes);
  return NULL;
}

GByteArray *
attn_draw_write_png (const AttnDrawLayout *layout,
                     double scale,
                     const AttnDrawProvenance *provenance,
                     GError **error)
{
  double width = MAX (round (attn_draw_layout_get_width (layout) * scale), 1);
  double height = MAX (round (attn_draw_layout_get_height (layout) * scale), 1);
  if (!check_size (width, height, error))
    return NULL;
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)width, (int)height);
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  attn_draw_paint (layout, cr);
  cairo_status_t painted = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  g_autoptr (GByteArray) plain = NULL;
  if (attn_draw_write_check (painted, "painting the picture", error))
    plain = encode (surface, error);
  cairo_surface_destroy (surface);
  if (plain == NULL)
    return NULL;
  GByteArray *png = g_byte_array_sized_new (plain->len + 1024);
  g_byte_array_append (png, plain->data, END_OF_HEADER);
  append_resolution (png, scale);
  append_text (png, "Title", provenance->title);
  append_text (png, "Description", provenance->description);
  append_text (png, "Software", provenance->creator);
  g_byte_array_append (png, plain->data + END_OF_HEADER, plain->len - END_OF_HEADER);
  return png;
}
