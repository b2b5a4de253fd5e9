/* SPDX-License-Identifier: MIT */
/* Where an export's bytes go: text, numbers and whole maps on their way into a file. */
#pragma once

#include "attn/export.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* Where the bytes go. */
typedef struct {
  AttnWriteFunc write;
  void *data;
} AttnExportSink;

/* Layers [first_layer, end_layer) and heads likewise, a checked choice. */
typedef struct {
  size_t first_layer, end_layer, first_head, end_head;
  bool one;                           /* a single head: two dimensions instead of four */
  const AttnArrangement *arrangement; /* nullable: as AttnExportChoice has it, … */
  const AttnExportAbout *about;       /* … and likewise */
  AttnLens lens;                      /* … and likewise */
} AttnExportRange;

/* The text goes to the sink once it is worth a call, or always with @now. */
bool attn_export_flush (const AttnExportSink *sink, GString *text, bool now, GError **error);

/* Writes f32 in the file's byte order, which is little-endian. */
bool attn_export_write_floats (const AttnExportSink *sink,
                               const float *values,
                               size_t n,
                               GError **error);

/* Computes and writes the raw maps of the range in order. */
bool attn_export_write_maps (AttnMaps *maps,
                             const AttnExportRange *range,
                             const AttnExportSink *sink,
                             GError **error);
