/* SPDX-License-Identifier: MIT */
/* A picture as a PDF of one page or several, with embedded fonts, the same bytes every time. */
#include "write-formats.h"

#include "attn/error.h"

#include <cairo-pdf.h>

#define PT_PER_PX 0.75
#define MAX_SIDE_PT 14400.0 /* the format's own limit for a page: 200 inches */

/* Any fixed moment would do: a picture does not depend on when it was made. */
#define CREATE_DATE "2000-01-01T00:00:00Z"

static bool
check_size (double width, double height, GError **error)
{
  if (width <= MAX_SIDE_PT && height <= MAX_SIDE_PT)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
               "the page would be %.0f × %.0f pt, and a PDF page may be 14,400 pt a side: choose "
               "a smaller scale or width",
               width, height);
  return false;
}

static void
set_metadata (cairo_surface_t *surface, const AttnDrawProvenance *provenance)
{
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, provenance->title);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, provenance->description);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_KEYWORDS, provenance->description);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, provenance->creator);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, CREATE_DATE);
}

GByteArray *
attn_draw_write_pdf (const AttnDrawCanvas *canvas,
                     double scale,
                     const AttnDrawProvenance *provenance,
                     GError **error)
{
  double scale_pt = scale * PT_PER_PX;
  double width = canvas->width * scale_pt;
  double height = canvas->height * scale_pt;
  if (!check_size (width, height, error))
    return NULL;
  GByteArray *bytes = g_byte_array_new ();
  cairo_surface_t *surface =
      cairo_pdf_surface_create_for_stream (attn_draw_write_append, bytes, width, height);
  set_metadata (surface, provenance);
  return attn_draw_write_paint (canvas, scale_pt, surface, bytes, NULL, NULL, error);
}

GBytes *
attn_draw_write_pages (const AttnDrawPages *pages,
                       const AttnDrawProvenance *provenance,
                       AttnProgressFunc progress,
                       void *progress_data,
                       GError **error)
{
  size_t n = attn_draw_pages_get_n (pages);
  double width = attn_draw_pages_get_width_pt (pages);
  double height = attn_draw_pages_get_height_pt (pages);
  if (!check_size (width, height, error))
    return NULL;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface =
      cairo_pdf_surface_create_for_stream (attn_draw_write_append, bytes, width, height);
  set_metadata (surface, provenance);
  cairo_t *cr = cairo_create (surface);
  bool goes_on = true;
  for (size_t page = 0; page < n && goes_on; page++) {
    attn_draw_pages_paint (pages, page, cr);
    cairo_show_page (cr);
    goes_on = attn_progress_tell (progress, progress_data, (double)(page + 1) / (double)n, error);
  }
  cairo_status_t painted = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  cairo_status_t finished = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (!goes_on || !attn_draw_write_check (painted, "painting the pages", error) ||
      !attn_draw_write_check (finished, "writing the pages", error))
    return NULL;
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}
