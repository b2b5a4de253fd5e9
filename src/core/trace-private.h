/* SPDX-License-Identifier: MIT */
/* Inside a trace, for the forward pass that fills it. */
#pragma once

#include "block.h"
#include "ops.h"

#include "attn/gates.h"
#include "attn/trace.h"

#include <glib.h>

struct _AttnTrace {
  gatomicrefcount ref_count;
  AttnModel *model;
  AttnTokens *tokens; /* NULL for bare ids */
  size_t n_tokens;
  int32_t *ids; /* [n_tokens] */
  float *
      *hiddens; /* [n_layers + 1] of [n_tokens, d_model]: what enters each layer, what comes out */
  float *last;  /* what leaves the last layer: hiddens[n_layers] unless a final norm follows */
  float **qkvs; /* [n_layers] of [n_tokens, 3 d_model]: query, key, value side by side */
  float *bias;  /* [n_heads, 2 n_tokens - 1] for each distance key - query, or NULL */
  int32_t *distance_rows; /* as attn_distance_fill_rows(), margin included, or NULL */
  AttnHeadGates *gates;   /* a copy; NULL: all heads are kept */
  AttnTrace *patterns;    /* nullable: whose maps it used instead of its own */
  AttnTrace *patch;       /* nullable: whose outputs patched heads have */
  AttnBlock *memory; /* all the arrays above; shared by the traces of a batch, a reference each */
};

typedef struct {
  AttnTokens *tokens; /* nullable: referenced */
  const int32_t *ids; /* [n_tokens]; copied */
  size_t n_tokens;
} AttnTraceText;

/**
 * attn_traces_new:
 * @traces: [n_texts] written
 *
 * Makes traces with room for everything. Their rows stand one after the other: an array of the
 * first trace is followed by those of the others. Only what depends on lengths alone is written.
 *
 * Returns: false with @error: TOO_LARGE; nothing is left behind then.
 */
bool attn_traces_new (AttnModel *model,
                      const AttnTraceText *texts,
                      size_t n_texts,
                      AttnTrace **traces,
                      GError **error);

/* Returns: bytes of the largest arrays of one trace: every layer's input, queries, keys, values. */
size_t attn_trace_count_bytes (const AttnConfig *config, size_t n_tokens);

/* Returns: what attn_ops_scores() needs for one head of a trace whose queries and keys are written.
 */
AttnScoreCall attn_trace_get_score_call (const AttnTrace *trace, size_t layer, size_t head);
