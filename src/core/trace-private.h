/* SPDX-License-Identifier: MIT */
/* Inside a trace, for the forward pass that fills it. */
#pragma once

#include "block.h"
#include "ops.h"

#include "attn/trace.h"

#include <glib.h>

struct _AttnTrace {
  gatomicrefcount ref_count;
  AttnModel *model;
  AttnTokens *tokens; /* NULL for bare ids */
  size_t n_tokens;
  int32_t *ids;    /* [n_tokens] */
  float **hiddens; /* [n_layers + 1] of [n_tokens, d_model], in the block */
  float **qkvs;    /* [n_layers] of [n_tokens, 3 d_model]: query, key, value side by side */
  AttnBlock block;
};

/**
 * attn_trace_new:
 * @ids:    [n_tokens]; copied
 * @tokens: (nullable): referenced
 *
 * Returns: a trace with room for everything, not yet written, or NULL with @error: TOO_LARGE.
 */
AttnTrace *attn_trace_new (
    AttnModel *model, AttnTokens *tokens, const int32_t *ids, size_t n_tokens, GError **error);

/* Returns: what attn_ops_scores() needs for one head of a trace whose queries and keys are written.
 */
AttnScoreCall attn_trace_get_score_call (const AttnTrace *trace, size_t layer, size_t head);
