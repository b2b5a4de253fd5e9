/* SPDX-License-Identifier: MIT */
/* A picture as a PNG, SVG or PDF file: the same bytes for the same layout, with where it comes from
 * inside. */
#pragma once

#include "attn-draw/layout.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum { ATTN_DRAW_PNG, ATTN_DRAW_SVG, ATTN_DRAW_PDF } AttnDrawFormat;

typedef struct {
  const char *title;       /* one line, UTF-8 */
  const char *description; /* program and version, model, text, settings; UTF-8 */
  const char *creator;     /* program and version */
} AttnDrawProvenance;

/* Returns: (transfer none): "png", "svg", "pdf"; static. */
const char *attn_draw_format_peek_name (AttnDrawFormat format);

/* Returns: whether @name (any case) is known; @format is set then. */
bool attn_draw_format_find (const char *name, AttnDrawFormat *format);

/* Writes how many pixels a PNG of @layout has; the printed width is kept to the pixel. */
void attn_draw_write_measure_png (const AttnDrawLayout *layout,
                                  double scale,
                                  double *width,
                                  double *height);

/**
 * attn_draw_write:
 * @scale: PNG: device px per px, its resolution is noted as scale × 96 dpi; SVG and PDF: printed
 * size of one px in 1/96 inch
 *
 * Returns: (transfer full): the file's bytes for g_bytes_unref(), or NULL with @error: TOO_LARGE
 * (an image over 32,767 px a side), IO (Cairo's word). Test: tests/draw/test-write.c
 */
GBytes *attn_draw_write (const AttnDrawLayout *layout,
                         AttnDrawFormat format,
                         double scale,
                         const AttnDrawProvenance *provenance,
                         GError **error);

/* attn_draw_write() into a file that takes the place of @path when complete; false with @error as
 * there, and IO. */
bool attn_draw_write_to_file (const AttnDrawLayout *layout,
                              AttnDrawFormat format,
                              double scale,
                              const AttnDrawProvenance *provenance,
                              const char *path,
                              GError **error);

G_END_DECLS
