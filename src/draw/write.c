/* SPDX-License-Identifier: MIT */
/* Choosing the writer of a picture's format, and saving what it wrote. */
#include "attn-draw/write.h"

#include "write-formats.h"

#include "attn/output.h"

#include <math.h>

static const char *const names[] = {"png", "svg", "pdf"};

const char *
attn_draw_format_peek_name (AttnDrawFormat format)
{
  g_return_val_if_fail ((unsigned)format < G_N_ELEMENTS (names), names[0]);
  return names[format];
}

bool
attn_draw_format_find (const char *name, AttnDrawFormat *format)
{
  for (unsigned f = 0; f < G_N_ELEMENTS (names); f++)
    if (g_ascii_strcasecmp (name, names[f]) == 0) {
      *format = (AttnDrawFormat)f;
      return true;
    }
  return false;
}

GBytes *
attn_draw_canvas_write (const AttnDrawCanvas *canvas,
                        AttnDrawFormat format,
                        double scale,
                        const AttnDrawProvenance *provenance,
                        GError **error)
{
  g_return_val_if_fail (isfinite (scale) && scale > 0, NULL);
  GByteArray *bytes = NULL;
  switch (format) {
  case ATTN_DRAW_PNG:
    bytes = attn_draw_write_png (canvas, scale, provenance, NULL, NULL, error);
    break;
  case ATTN_DRAW_SVG:
    bytes = attn_draw_write_svg (canvas, scale, provenance, NULL, NULL, error);
    break;
  case ATTN_DRAW_PDF:
  default:
    bytes = attn_draw_write_pdf (canvas, scale, provenance, error);
    break;
  }
  return bytes == NULL ? NULL : g_byte_array_free_to_bytes (bytes);
}

GBytes *
attn_draw_write (const AttnDrawLayout *layout,
                 AttnDrawFormat format,
                 double scale,
                 const AttnDrawProvenance *provenance,
                 GError **error)
{
  AttnDrawCanvas canvas = attn_draw_canvas_of_layout (layout);
  return attn_draw_canvas_write (&canvas, format, scale, provenance, error);
}

bool
attn_draw_write_save (GBytes *bytes, const char *path, GError **error)
{
  gsize size = 0;
  const void *data = g_bytes_get_data (bytes, &size);
  g_autoptr (AttnOutput) output = attn_output_open (path, error);
  return output != NULL && attn_output_write (output, data, size, error) &&
         attn_output_commit (output, error);
}

bool
attn_draw_write_to_file (const AttnDrawLayout *layout,
                         AttnDrawFormat format,
                         double scale,
                         const AttnDrawProvenance *provenance,
                         const char *path,
                         GError **error)
{
  g_autoptr (GBytes) bytes = attn_draw_write (layout, format, scale, provenance, error);
  return bytes != NULL && attn_draw_write_save (bytes, path, error);
}
