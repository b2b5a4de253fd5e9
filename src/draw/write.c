/* SPDX-License-Identifier: MIT */
/* Choosing the writer of a picture's format, and what the writers share. */
#include "attn-draw/write.h"

#include "write-formats.h"

#include "attn-draw/paint.h"
#include "attn/error.h"
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

cairo_status_t
attn_draw_write_append (void *closure, const unsigned char *data, unsigned int length)
{
  GByteArray *bytes = closure;
  if (length > G_MAXUINT - 1 - bytes->len)
    return CAIRO_STATUS_WRITE_ERROR;
  g_byte_array_append (bytes, data, length);
  return CAIRO_STATUS_SUCCESS;
}

bool
attn_draw_stage_tell (double fraction, void *data)
{
  const AttnDrawStage *stage = data;
  return stage->func == NULL || stage->func (stage->base + fraction * stage->span, stage->data);
}

bool
attn_draw_write_check (cairo_status_t status, const char *what, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return true;
  AttnError code = status == CAIRO_STATUS_NO_MEMORY ? ATTN_ERROR_TOO_LARGE : ATTN_ERROR_IO;
  g_set_error (error, ATTN_ERROR, code, "%s: %s", what, cairo_status_to_string (status));
  return false;
}

GByteArray *
attn_draw_write_paint (const AttnDrawLayout *layout,
                       double scale,
                       cairo_surface_t *surface,
                       GByteArray *bytes,
                       AttnProgressFunc progress,
                       void *progress_data,
                       GError **error)
{
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  bool goes_on = attn_draw_paint_asking (layout, cr, progress, progress_data, error);
  cairo_status_t painted = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  cairo_status_t finished = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (goes_on && attn_draw_write_check (painted, "painting the picture", error) &&
      attn_draw_write_check (finished, "writing the picture", error))
    return bytes;
  g_byte_array_unref (bytes);
  return NULL;
}

GBytes *
attn_draw_write (const AttnDrawLayout *layout,
                 AttnDrawFormat format,
                 double scale,
                 const AttnDrawProvenance *provenance,
                 GError **error)
{
  g_return_val_if_fail (isfinite (scale) && scale > 0, NULL);
  GByteArray *bytes = NULL;
  switch (format) {
  case ATTN_DRAW_PNG:
    bytes = attn_draw_write_png (layout, scale, provenance, NULL, NULL, error);
    break;
  case ATTN_DRAW_SVG:
    bytes = attn_draw_write_svg (layout, scale, provenance, NULL, NULL, error);
    break;
  case ATTN_DRAW_PDF:
  default:
    bytes = attn_draw_write_pdf (layout, scale, provenance, error);
    break;
  }
  return bytes == NULL ? NULL : g_byte_array_free_to_bytes (bytes);
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
