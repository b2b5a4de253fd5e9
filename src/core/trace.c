/* SPDX-License-Identifier: MIT */
/* What a forward pass left behind, and the maps computed from it. */
#include "attn/trace.h"

#include "config-private.h"
#include "distances.h"
#include "model-private.h"
#include "ops.h"
#include "trace-private.h"

#include <math.h>

static float *
at_row (float *rows, size_t row, size_t width)
{
  return rows != NULL ? rows + row * width : NULL;
}

/* What a text's score rule depends on besides weights: its length. */
static void
cut_tables (AttnCutter *cutter, AttnTrace *trace)
{
  const AttnModel *model = trace->model;
  const size_t n_distances = 2 * trace->n_tokens - 1;
  switch (model->arch->score) {
  case ATTN_SCORE_SCALED_DOT:
    break;
  case ATTN_SCORE_BUCKETS:
    trace->bias = attn_cutter_take_matrix (cutter, model->config->n_heads, n_distances);
    break;
  case ATTN_SCORE_DISENTANGLED:
    if (model->distances.keys != NULL || model->distances.queries != NULL)
      trace->distance_rows =
          (int32_t *)(void *)attn_cutter_take (cutter, n_distances + 2 * ATTN_DISTANCE_MARGIN);
    break;
  }
}

/* Layer by layer in the order of the pass: input, then the queries, keys and values made of it. */
static void
cut_traces (AttnCutter *cutter, AttnTrace **traces, size_t n_traces, size_t n_rows)
{
  const AttnModel *model = traces[0]->model;
  const size_t L = model->config->n_layers, D = model->config->d_model;
  for (size_t l = 0; l <= L; l++) {
    float *hidden = attn_cutter_take_matrix (cutter, n_rows, D);
    float *qkv = l < L ? attn_cutter_take_matrix (cutter, n_rows, 3 * D) : NULL;
    float *last = hidden;
    if (l == L && model->weights.final_norm.gain != NULL)
      last = attn_cutter_take_matrix (cutter, n_rows, D);
    for (size_t i = 0, row = 0; i < n_traces; row += traces[i++]->n_tokens) {
      traces[i]->hiddens[l] = at_row (hidden, row, D);
      traces[i]->last = at_row (last, row, D);
      if (l < L)
        traces[i]->qkvs[l] = at_row (qkv, row, 3 * D);
    }
  }
  for (size_t i = 0; i < n_traces; i++)
    cut_tables (cutter, traces[i]);
}

static AttnTrace *
new_empty (AttnModel *model, const AttnTraceText *text)
{
  const size_t L = model->config->n_layers;
  AttnTrace *trace = g_new0 (AttnTrace, 1);
  g_atomic_ref_count_init (&trace->ref_count);
  trace->model = attn_model_ref (model);
  trace->tokens = text->tokens != NULL ? attn_tokens_ref (text->tokens) : NULL;
  trace->n_tokens = text->n_tokens;
  trace->ids = g_memdup2 (text->ids, text->n_tokens * sizeof *text->ids);
  trace->hiddens = g_new0 (float *, L + 1);
  trace->qkvs = g_new0 (float *, L);
  return trace;
}

static void
fill_tables (AttnTrace *trace)
{
  const AttnModel *model = trace->model;
  const size_t n = trace->n_tokens;
  if (trace->bias != NULL)
    for (size_t head = 0; head < model->config->n_heads; head++)
      attn_distance_fill_bias (&model->weights, head, n, trace->bias + head * (2 * n - 1));
  if (trace->distance_rows != NULL)
    attn_distance_fill_rows (&model->config->relative, n,
                             trace->distance_rows + ATTN_DISTANCE_MARGIN);
}

static void
clear_memory (void *memory)
{
  attn_block_clear (memory);
}

size_t
attn_trace_count_bytes (const AttnConfig *config, size_t n_tokens)
{
  return 4 * config->n_layers * n_tokens * config->d_model * sizeof (float);
}

bool
attn_traces_new (AttnModel *model,
                 const AttnTraceText *texts,
                 size_t n_texts,
                 AttnTrace **traces,
                 GError **error)
{
  size_t n_rows = 0;
  AttnCutter cutter = {0};
  AttnBlock *memory = g_atomic_rc_box_new0 (AttnBlock);
  for (size_t i = 0; i < n_texts; i++) {
    traces[i] = new_empty (model, &texts[i]);
    traces[i]->memory = i > 0 ? g_atomic_rc_box_acquire (memory) : memory;
    cutter.overflow |= !g_size_checked_add (&n_rows, n_rows, texts[i].n_tokens);
  }
  cut_traces (&cutter, traces, n_texts, n_rows);
  if (!attn_block_init (memory, &cutter, "the run's hidden states", false, error)) {
    for (size_t i = 0; i < n_texts; i++)
      attn_trace_unref (traces[i]);
    return false;
  }
  cutter = (AttnCutter){.base = memory->data};
  cut_traces (&cutter, traces, n_texts, n_rows);
  for (size_t i = 0; i < n_texts; i++)
    fill_tables (traces[i]);
  return true;
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
  g_clear_pointer (&trace->gates, attn_head_gates_free);
  g_clear_pointer (&trace->patterns, attn_trace_unref);
  g_clear_pointer (&trace->patch, attn_trace_unref);
  g_free (trace->ids);
  g_free (trace->hiddens);
  g_free (trace->qkvs);
  g_atomic_rc_box_release_full (trace->memory, clear_memory);
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
  size_t n = tap == ATTN_TAP_HIDDEN ? config->n_layers + 1 : config->n_layers;
  g_return_val_if_fail (index < (tap == ATTN_TAP_LAST ? 1 : n), NULL);
  *stride = tap == ATTN_TAP_HIDDEN || tap == ATTN_TAP_LAST ? D : 3 * D;
  switch (tap) {
  case ATTN_TAP_HIDDEN:
    return trace->hiddens[index];
  case ATTN_TAP_LAST:
    return trace->last;
  case ATTN_TAP_QUERY:
    return trace->qkvs[index];
  case ATTN_TAP_KEY:
    return trace->qkvs[index] + D;
  case ATTN_TAP_VALUE:
    return trace->qkvs[index] + 2 * D;
  }
  g_return_val_if_reached (NULL);
}

static double
find_scale (const AttnModel *model, size_t layer)
{
  const AttnConfig *config = model->config;
  double scale = config->no_scale ? 1 : 1 / sqrt ((double)config->d_k);
  if (config->scale_by_layer)
    scale /= (double)(layer + 1);
  if (model->arch->score == ATTN_SCORE_DISENTANGLED) {
    const AttnRelative *relative = &config->relative;
    int n_terms = 1 + relative->content_to_position + relative->position_to_content;
    scale /= sqrt ((double)n_terms);
  }
  return scale;
}

static AttnDistanceTerms
get_terms (const AttnTrace *trace, size_t layer, size_t head)
{
  const AttnDistances *distances = &trace->model->distances;
  const AttnConfig *config = trace->model->config;
  if (trace->distance_rows == NULL)
    return (AttnDistanceTerms){0};
  size_t index = attn_config_get_weight_layer (config, layer) * config->n_heads + head;
  size_t offset = index * distances->head_size;
  return (AttnDistanceTerms){
      .keys = distances->keys != NULL ? distances->keys + offset : NULL,
      .queries = distances->queries != NULL ? distances->queries + offset : NULL,
      .rows = trace->distance_rows + ATTN_DISTANCE_MARGIN,
  };
}

AttnScoreCall
attn_trace_get_score_call (const AttnTrace *trace, size_t layer, size_t head)
{
  if (trace->patterns != NULL)
    return attn_trace_get_score_call (trace->patterns, layer, head);
  const AttnConfig *config = trace->model->config;
  const bool local = config->local_layers != NULL && config->local_layers[layer];
  AttnScoreCall call = {
      .n_tokens = trace->n_tokens,
      .d_k = config->d_k,
      .scale = (float)find_scale (trace->model, layer),
      .causal = trace->model->arch->causal,
      .hidden_from = local ? config->hidden_from : 0,
      .terms = get_terms (trace, layer, head),
  };
  call.q = attn_trace_peek_tap (trace, ATTN_TAP_QUERY, layer, &call.ldq) + head * config->d_k;
  call.k = attn_trace_peek_tap (trace, ATTN_TAP_KEY, layer, &call.ldk) + head * config->d_k;
  if (trace->bias != NULL)
    call.bias = trace->bias + head * (2 * trace->n_tokens - 1);
  return call;
}

void
attn_trace_get_visible (
    const AttnTrace *trace, size_t layer, size_t query, size_t *first, size_t *end)
{
  g_return_if_fail (layer < trace->model->config->n_layers && query < trace->n_tokens);
  AttnScoreCall call = attn_trace_get_score_call (trace, layer, 0);
  attn_ops_get_visible (&call, query, first, end);
}

void
attn_trace_compute_scores (const AttnTrace *trace, size_t layer, size_t head, float *scores)
{
  const AttnConfig *config = trace->model->config;
  g_return_if_fail (layer < config->n_layers && head < config->n_heads);
  AttnScoreCall call = attn_trace_get_score_call (trace, layer, head);
  attn_ops_scores (&call, scores);
}

/* The same weight for every key that a query sees. */
static void
fill_uniform (const AttnScoreCall *call, float *weights)
{
  for (size_t query = 0; query < call->n_tokens; query++) {
    size_t first, end;
    attn_ops_get_visible (call, query, &first, &end);
    for (size_t key = 0; key < call->n_tokens; key++)
      weights[query * call->n_tokens + key] =
          key >= first && key < end ? 1 / (float)(end - first) : 0;
  }
}

void
attn_trace_compute_map (const AttnTrace *trace, size_t layer, size_t head, float *weights)
{
  const AttnConfig *config = trace->model->config;
  g_return_if_fail (layer < config->n_layers && head < config->n_heads);
  AttnScoreCall call = attn_trace_get_score_call (trace, layer, head);
  if (trace->gates != NULL && attn_head_gates_get (trace->gates, layer, head) == ATTN_GATE_UNIFORM)
    fill_uniform (&call, weights);
  else
    attn_ops_map (&call, weights);
}
