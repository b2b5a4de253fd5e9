/* SPDX-License-Identifier: MIT */
/* Attention maps as files: JSON, CSV, NPY and safetensors. */
#pragma once

#include "attn/maps.h"
#include "attn/pool.h"
#include "attn/progress.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_EXPORT_JSON, /* {"tokens","maps":[{"layer","head","weights"}]}, layer and head from 1 */
  ATTN_EXPORT_CSV,  /* layer,head,query,key,query_token,key_token,weight (RFC 4180) */
  ATTN_EXPORT_NPY,  /* f32 [layers, heads, query, key], or [query, key] of one head */
  ATTN_EXPORT_SAFETENSORS, /* tensor `attentions` likewise, `input_ids`, and what `with` asks for */
} AttnExportFormat;

typedef struct {
  AttnMaps *maps;
  bool all_layers, all_heads; /* else the one below */
  size_t layer, head;         /* from 0 */
  bool with_hidden;           /* safetensors: hidden_states [layers+1, tokens, d_model] */
  bool with_logits;           /* safetensors: logits [tokens, vocab]; left out without an LM head */
  const char *prefix;         /* safetensors: put before each name ("0."); NULL for none */
  AttnPool *pool;             /* nullable */
} AttnExportItem;

/* Returns: false with *error to stop writing. */
typedef bool (*AttnWriteFunc) (const void *bytes, size_t n_bytes, void *data, GError **error);

/**
 * attn_export:
 * @items:   [n_items]; more than one only for safetensors
 * @write:   called with the file's bytes in order; maps are computed one at a time
 *
 * Returns: false with @error: UNSUPPORTED (a combination that does not exist), TOO_LARGE, or what
 *   @write said.
 * Test: tests/core/test-export.c
 */
bool attn_export (const AttnExportItem *items,
                  size_t n_items,
                  AttnExportFormat format,
                  AttnWriteFunc write,
                  void *data,
                  GError **error);

/**
 * attn_export_to_file:
 *
 * attn_export() into a file beside @path that takes its place when complete.
 *
 * Returns: false with @error, IO too; @path is then as it was.
 */
bool attn_export_to_file (const AttnExportItem *items,
                          size_t n_items,
                          AttnExportFormat format,
                          const char *path,
                          GError **error);

G_END_DECLS
