/* SPDX-License-Identifier: MIT */
/* The three file writers and what they share. */
#pragma once

#include "attn-draw/pages.h"
#include "attn-draw/write.h"
#include "attn/progress.h"

#include <cairo.h>
#include <glib.h>

#include <stdbool.h>

/* What is to be written: any picture with a size. */
typedef struct {
  double width, height; /* px */
  double print_width;   /* px it is wide in print: the width, but for less than one */
  const void *picture;  /* borrowed */
  /* As attn_draw_paint_asking(). */
  bool (*paint) (const void *picture,
                 cairo_t *cr,
                 AttnProgressFunc progress,
                 void *progress_data,
                 GError **error);
} AttnDrawCanvas;

AttnDrawCanvas attn_draw_canvas_of_layout (const AttnDrawLayout *layout);

/* attn_draw_write() of any picture. */
GBytes *attn_draw_canvas_write (const AttnDrawCanvas *canvas,
                                AttnDrawFormat format,
                                double scale,
                                const AttnDrawProvenance *provenance,
                                GError **error);

/* A part of a longer work whose progress is asked for. */
typedef struct {
  AttnProgressFunc func; /* nullable */
  void *data;
  double base, span; /* where it stands in the whole */
} AttnDrawStage;

/* An AttnProgressFunc for the stage, with it for its data. */
bool attn_draw_stage_tell (double fraction, void *stage);

/* @progress: (nullable): asked between maps, and between strips of the image. */
GByteArray *attn_draw_write_png (const AttnDrawCanvas *canvas,
                                 double scale,
                                 const AttnDrawProvenance *provenance,
                                 AttnProgressFunc progress,
                                 void *progress_data,
                                 GError **error);
GByteArray *attn_draw_write_svg (const AttnDrawCanvas *canvas,
                                 double scale,
                                 const AttnDrawProvenance *provenance,
                                 AttnProgressFunc progress,
                                 void *progress_data,
                                 GError **error);
GByteArray *attn_draw_write_pdf (const AttnDrawCanvas *canvas,
                                 double scale,
                                 const AttnDrawProvenance *provenance,
                                 GError **error);

/* All pages in one PDF. @progress: (nullable): asked between pages. */
GBytes *attn_draw_write_pages (const AttnDrawPages *pages,
                               const AttnDrawProvenance *provenance,
                               AttnProgressFunc progress,
                               void *progress_data,
                               GError **error);

/* A cairo_write_func_t that appends to a GByteArray. */
cairo_status_t
attn_draw_write_append (void *closure, const unsigned char *data, unsigned int length);

/**
 * attn_draw_write_paint:
 * @surface: consumed
 * @bytes:   consumed; what the surface writes to
 * @progress: (nullable): asked between maps
 *
 * Paints the picture at a scale, finishes the surface and asks it what went wrong: Cairo tells of
 * write errors only then.
 *
 * Returns: @bytes, or NULL with @error.
 */
GByteArray *attn_draw_write_paint (const AttnDrawCanvas *canvas,
                                   double scale,
                                   cairo_surface_t *surface,
                                   GByteArray *bytes,
                                   AttnProgressFunc progress,
                                   void *progress_data,
                                   GError **error);

bool attn_draw_write_check (cairo_status_t status, const char *what, GError **error);

/* Writes a finished file's bytes to @path, whole or not at all. */
bool attn_draw_write_save (GBytes *bytes, const char *path, GError **error);

/* The ids of an SVG Cairo wrote, renumbered by first appearance; tested alone. */
GString *attn_draw_svg_renumber (const char *svg, size_t length);
