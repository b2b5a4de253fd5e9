/* SPDX-License-Identifier: MIT */
/* The parts of a PNG file: chunks, and pixels packed in them.
 *
 * Source: Portable Network Graphics, second edition (ISO/IEC 15948). Test: tests/draw/test-png.c */
#pragma once

#include "attn/progress.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* An image as Cairo keeps it: 0x00RRGGBB in the machine's byte order, rows @stride bytes apart. */
typedef struct {
  const guint8 *data;
  size_t width, height, stride;
} AttnDrawPixels;

void attn_draw_png_append_be32 (GByteArray *out, guint32 value);

/* @type: four letters; @data: [n_bytes], NULL where there are none. */
void
attn_draw_png_append_chunk (GByteArray *out, const char *type, const guint8 *data, guint n_bytes);

/**
 * attn_draw_png_append_pixels:
 * @progress: (nullable): asked between strips
 *
 * Appends the image as IDAT chunks of three bytes a pixel. A row that repeats the one above it, as
 * most do where cells are larger than a pixel, costs next to nothing; of others the differences
 * from pixel to pixel are packed.
 *
 * Returns: false with @error: CANCELLED, TOO_LARGE (no memory, or a file of 4 GB).
 */
bool attn_draw_png_append_pixels (GByteArray *out,
                                  const AttnDrawPixels *pixels,
                                  AttnProgressFunc progress,
                                  void *progress_data,
                                  GError **error);
