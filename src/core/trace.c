/* SPDX-License-Identifier: MIT */
/* What a forward pass left behind, and the maps computed from it. */
#include "attn/trace.h"

#include "model-private.h"
#include "ops.h"
#include "trace-private.h"

#include <math.h>

/* Layer by layer in the order of the pass: input, then the queries, keys and values made of it. */
static void
cut_trace (AttnCutter *cutter, AttnTrace *trace, const AttnConfig *config)
{
  size_t T = trace->n_tokens, D = config->d_model;
  for (size_t l = 0; l < config->n_layers; l++) {
    trace->hiddens[l] = attn_cutter_take_matrix (cutter, T, D);
    trace->qkvs[l] = attn_cutter_take_matrix (cutter, T, 3 * D);
  }
  trace->hiddens[config->n_layers] = attn_cutter_take_matrix (cutter, T, D);
}

AttnTrace *
attn_trace_new (
    AttnModel *model, AttnTokens *tokens, const int32_t *ids, size_t n_tokens, GError **error)
{
  const AttnConfig *config = model->config;
  g_autoptr (AttnTrace) trace = g_new0 (AttnTrace, 1);
  g_atomic_ref_count_init (&trace->ref_count);
  trace->model = attn_model_ref (model);
  trace->tokens = tokens != NULL ? attn_tokens_ref (tokens) : NULL;
  trace->n_tokens = n_tokens;
  trace->ids = g_memdup2 (ids, n_tokens * sizeof *ids);
  trace->hiddens = g_new0 (float *, config->n_layers + 1);
  trace->qkvs = g_new0 (float *, config->n_layers);
  AttnCutter cutter = {0};
  cut_trace (&cutter, trace, config);
  if (!attn_block_init (&trace->block, &cutter, "the run's hidden states", false, error))
    return NULL;
  cutter = (AttnCutter){.base = trace->block.data};
  cut_trace (&cutter, trace, config);
  return g_steal_pointer (&trace);
}

AttnTrace *
attn_trace_ref (AttnTrace *trace)
{
  g_return_val_if_fail (trace != NULL, NULL);
  g_atomic_ref_count_inc (&trace->ref_count);
  return trace;
}

void
attn_trace_unref (AttnTrace *trace)
{
  if (trace == NULL || !g_atomic_ref_count_dec (&trace->ref_count))
    return;
  attn_model_unref (trace->model);
  g_clear_pointer (&trace->tokens, attn_tokens_unref);
  g_free (trace->ids);
  g_free (trace->hiddens);
  g_free (trace->qkvs);
  attn_block_clear (&trace->block);
  g_free (trace);
}

AttnModel *
attn_trace_peek_model (const AttnTrace *trace)
{
  return trace->model;
}

AttnTokens *
attn_trace_peek_tokens (const AttnTrace *trace)
{
  return trace->tokens;
}

size_t
attn_trace_get_n_tokens (const AttnTrace *trace)
{
  return trace->n_tokens;
}

const int32_t *
attn_trace_peek_ids (const AttnTrace *trace)
{
  return trace->ids;
}

const float *
attn_trace_peek_tap (const AttnTrace *trace, AttnTap tap, size_t index, size_t *stride)
{
  const AttnConfig *config = trace->model->config;
  size_t D = config->d_model;
  g_return_val_if_fail (index < config->n_layers + (tap == ATTN_TAP_HIDDEN ? 1 : 0), NULL);
  *stride = tap == ATTN_TAP_HIDDEN ? D : 3 * D;
  switch (tap) {
  case ATTN_TAP_HIDDEN:
    return trace->hiddens[index];
  case ATTN_TAP_QUERY:
    return trace->qkvs[index];
  case ATTN_TAP_KEY:
    return trace->qkvs[index] + D;
  case ATTN_TAP_VALUE:
    return trace->qkvs[index] + 2 * D;
  }
  g_return_val_if_reached (NULL);
}

AttnScoreCall
attn_trace_get_score_call (const AttnTrace *trace, size_t layer, size_t head)
{
  const AttnConfig *config = trace->model->config;
  AttnScoreCall call = {.n_tokens = trace->n_tokens, .d_k = config->d_k};
  call.q = attn_trace_peek_tap (trace, ATTN_TAP_QUERY, layer, &call.ldq) + head * config->d_k;
  call.k = attn_trace_peek_tap (trace, ATTN_TAP_KEY, layer, &call.ldk) + head * config->d_k;
  switch (trace->model->arch->score) {
  case ATTN_SCORE_SCALED_DOT:
    call.scale = (float)(1 / sqrt ((double)config->d_k));
    break;
  }
  return call;
}

void
attn_trace_compute_scores (const AttnTrace *trace, size_t layer, size_t head, float *scores)
{
  const AttnConfig *config = trace->model->config;
  g_return_if_fail (layer < config->n_layers && head < config->n_heads);
  AttnScoreCall call = attn_trace_get_score_call (trace, layer, head);
  attn_ops_scores (&call, scores);
}

void
attn_trace_compute_map (const AttnTrace *trace, size_t layer, size_t head, float *weights)
{
  size_t n = trace->n_tokens;
  attn_trace_compute_scores (trace, layer, head, weights);
  attn_ops_softmax_rows (weights, n, n, n);
}
