/* SPDX-License-Identifier: MIT */
/* What the writers of the export formats share. */
#pragma once

#include "export-sink.h"

#include "attn/export.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* Writes a layer's and a head's names as they stand in CSV: numbers from 1, or "all" and "mean". */
enum { ATTN_EXPORT_NAME_SIZE = 24 };
typedef struct {
  char layer[ATTN_EXPORT_NAME_SIZE], head[ATTN_EXPORT_NAME_SIZE];
} AttnExportNames;
AttnExportNames attn_export_name (const AttnExportRange *range, size_t layer, size_t head);

/* Appends the JSON object "arrangement" and a comma; nothing for a plain one. */
void attn_export_append_arrangement (GString *text, const AttnArrangement *arrangement);

/* Returns: (transfer full) (nullable): the JSON object "about" of these maps; NULL where it is not
 * wanted. For g_free(). */
char *attn_export_dup_about (AttnMaps *maps, const AttnExportRange *range);

bool attn_export_json (AttnMaps *maps,
                       const AttnExportRange *range,
                       const AttnExportSink *sink,
                       GError **error);
bool attn_export_csv (AttnMaps *maps,
                      const AttnExportRange *range,
                      const AttnExportSink *sink,
                      GError **error);
bool attn_export_npy (AttnMaps *maps,
                      const AttnExportRange *range,
                      const AttnExportSink *sink,
                      GError **error);
bool attn_export_npz (AttnMaps *maps,
                      const AttnExportRange *range,
                      const AttnExportSink *sink,
                      GError **error);

/* Appends what stands before an array's values: @dtype as NumPy names it, @shape as Python writes
 * a tuple's inside. */
void attn_export_append_npy_header (GString *out, const char *dtype, const char *shape);

/* One text of a safetensors file: what its header says before anything is computed. */
typedef struct {
  char *prefix; /* owned */
  AttnExportRange range;
  size_t n_queries, n_keys;
  size_t n_ids;    /* tokens of input_ids; 0 leaves it out */
  size_t n_hidden; /* layers of hidden_states; 0 leaves it out */
  size_t d_model;
  size_t n_logits; /* vocabulary of logits; 0 leaves it out */
} AttnExportPart;

/* Returns: (transfer full): the maps of part @index, or NULL with @error. */
typedef AttnMaps *(*AttnExportOpen) (size_t index, void *data, GError **error);

/* Returns: (transfer full): the header's object of strings: the tokens of both sides, each as a
 * JSON list, and where the maps come from, where that is wanted. */
char *attn_export_dup_metadata (AttnMaps *maps, const AttnExportRange *range);

/* Returns: (transfer full): the same of many texts: "0.tokens" and so on, each a JSON list. */
char *attn_export_dup_texts_metadata (AttnTokens *const *tokens, size_t n_texts);

/* @metadata: (nullable): a JSON object of strings for the header */
bool attn_export_safetensors (const AttnExportPart *parts,
                              size_t n_parts,
                              const char *metadata,
                              AttnExportOpen open,
                              void *open_data,
                              AttnPool *pool,
                              const AttnExportSink *sink,
                              GError **error);
