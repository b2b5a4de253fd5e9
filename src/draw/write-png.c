/* SPDX-License-Identifier: MIT */
/* A picture as PNG: Cairo's pixels with their resolution and provenance. */
#include "png.h"
#include "write-formats.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

#define MAX_SIDE 32767.0     /* Cairo's limit */
#define MAX_PIXELS 2.5e8     /* 1 GB of pixels, far above any print */
#define PAINTING_SHARE 0.4   /* of the time a contact sheet takes */
#define PX_PER_METRE 3779.53 /* 96 px an inch */

/* iTXt: keyword NUL, not compressed, no language and no translated keyword, then UTF-8 text. */
static void
append_text (GByteArray *out, const char *keyword, const char *text)
{
  g_autoptr (GByteArray) data = g_byte_array_new ();
  g_byte_array_append (data, (const guint8 *)keyword, (guint)strlen (keyword));
  g_byte_array_append (data, (const guint8 *)"\0\0\0\0\0", 5);
  g_byte_array_append (data, (const guint8 *)text, (guint)strlen (text));
  attn_draw_png_append_chunk (out, "iTXt", data->data, data->len);
}

static void
append_resolution (GByteArray *out, double scale)
{
  g_autoptr (GByteArray) data = g_byte_array_new ();
  guint32 per_metre = (guint32)MAX (lround (scale * PX_PER_METRE), 1);
  attn_draw_png_append_be32 (data, per_metre);
  attn_draw_png_append_be32 (data, per_metre);
  g_byte_array_append (data, (const guint8 *)"\1", 1); /* the unit is the metre */
  attn_draw_png_append_chunk (out, "pHYs", data->data, data->len);
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

static void
append_header (GByteArray *out, double width, double height)
{
  g_autoptr (GByteArray) data = g_byte_array_new ();
  attn_draw_png_append_be32 (data, (guint32)width);
  attn_draw_png_append_be32 (data, (guint32)height);
  g_byte_array_append (data, (const guint8 *)"\10\2\0\0\0", 5); /* 8 bits each of R, G and B */
  attn_draw_png_append_chunk (out, "IHDR", data->data, data->len);
}

/* Returns: (nullable): the picture's pixels; for cairo_surface_destroy(). */
static cairo_surface_t *
paint (const AttnDrawCanvas *canvas,
       double scale,
       int width,
       int height,
       AttnDrawStage *stage,
       GError **error)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  bool goes_on = canvas->paint (canvas->picture, cr, attn_draw_stage_tell, stage, error);
  cairo_status_t painted = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  if (goes_on && attn_draw_write_check (painted, "painting the picture", error))
    return surface;
  cairo_surface_destroy (surface);
  return NULL;
}

static void
measure (const AttnDrawCanvas *canvas, double scale, double *width, double *height)
{
  *width = MAX (round (canvas->print_width * scale), 1);
  *height = MAX (round (canvas->height * scale), 1);
}

void
attn_draw_write_measure_png (const AttnDrawLayout *layout,
                             double scale,
                             double *width,
                             double *height)
{
  AttnDrawCanvas canvas = attn_draw_canvas_of_layout (layout);
  measure (&canvas, scale, width, height);
}

GByteArray *
attn_draw_write_png (const AttnDrawCanvas *canvas,
                     double scale,
                     const AttnDrawProvenance *provenance,
                     AttnProgressFunc progress,
                     void *progress_data,
                     GError **error)
{
  double width = 1, height = 1;
  measure (canvas, scale, &width, &height);
  if (!check_size (width, height, error))
    return NULL;
  AttnDrawStage painting = {progress, progress_data, 0, PAINTING_SHARE};
  AttnDrawStage packing = {progress, progress_data, PAINTING_SHARE, 1 - PAINTING_SHARE};
  cairo_surface_t *surface = paint (canvas, scale, (int)width, (int)height, &painting, error);
  if (surface == NULL)
    return NULL;
  GByteArray *png = g_byte_array_new ();
  g_byte_array_append (png, (const guint8 *)"\x89PNG\r\n\x1a\n", 8);
  append_header (png, width, height);
  append_resolution (png, scale);
  append_text (png, "Title", provenance->title);
  append_text (png, "Description", provenance->description);
  append_text (png, "Software", provenance->creator);
  AttnDrawPixels pixels = {
      .data = cairo_image_surface_get_data (surface),
      .width = (size_t)width,
      .height = (size_t)height,
      .stride = (size_t)cairo_image_surface_get_stride (surface),
  };
  bool done = attn_draw_png_append_pixels (png, &pixels, attn_draw_stage_tell, &packing, error);
  cairo_surface_destroy (surface);
  if (!done) {
    g_byte_array_unref (png);
    return NULL;
  }
  attn_draw_png_append_chunk (png, "IEND", NULL, 0);
  return png;
}
