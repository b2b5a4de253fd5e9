/* SPDX-License-Identifier: MIT */
/* What the writers of all formats share: painting onto a surface, and asking it what went wrong. */
#include "write-formats.h"

#include "attn-draw/paint.h"
#include "attn/error.h"

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
attn_draw_write_paint (const AttnDrawCanvas *canvas,
                       double scale,
                       cairo_surface_t *surface,
                       GByteArray *bytes,
                       AttnProgressFunc progress,
                       void *progress_data,
                       GError **error)
{
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  bool goes_on = canvas->paint (canvas->picture, cr, progress, progress_data, error);
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

static bool
paint_layout (
    const void *layout, cairo_t *cr, AttnProgressFunc progress, void *progress_data, GError **error)
{
  return attn_draw_paint_asking (layout, cr, progress, progress_data, error);
}

AttnDrawCanvas
attn_draw_canvas_of_layout (const AttnDrawLayout *layout)
{
  return (AttnDrawCanvas){
      .width = attn_draw_layout_get_width (layout),
      .height = attn_draw_layout_get_height (layout),
      .print_width = attn_draw_layout_get_print_width (layout),
      .picture = layout,
      .paint = paint_layout,
  };
}
