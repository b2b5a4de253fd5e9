/* SPDX-License-Identifier: MIT */
/* A picture as a one-page PDF with embedded fonts, the same bytes every time. */
#include "write-formats.h"

#include "attn/error.h"

#include <cairo-pdf.h>

#define PT_PER_PX 0.75
#define MAX_SIDE_PT 14400.0 /* the format's own limit for a page: 200 inches */

/* Any fixed moment would do: a picture does not depend on when it was made. */
#define CREATE_DATE "2000-01-01T00:00:00Z"

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
attn_draw_write_pdf (const AttnDrawLayout *layout,
                     double scale,
                     const AttnDrawProvenance *provenance,
                     GError **error)
{
  double scale_pt = scale * PT_PER_PX;
  double width = attn_draw_layout_get_width (layout) * scale_pt;
  double height = attn_draw_layout_get_height (layout) * scale_pt;
  if (width > MAX_SIDE_PT || height > MAX_SIDE_PT) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "the page would be %.0f × %.0f pt, and a PDF page may be 14,400 pt a side: choose "
                 "a smaller scale or width",
                 width, height);
    return NULL;
  }
  GByteArray *bytes = g_byte_array_new ();
  cairo_surface_t *surface =
      cairo_pdf_surface_create_for_stream (attn_draw_write_append, bytes, width, height);
  set_metadata (surface, provenance);
  return attn_draw_write_paint (layout, scale_pt, surface, bytes, error);
}
