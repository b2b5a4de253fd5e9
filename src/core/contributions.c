/* SPDX-License-Identifier: MIT */
/* What heads and feed-forward parts add to one logit directly.
 *
 * From the logit back to each layer, along the residual sums alone: d_… is what a logit gains by a
 * state's numbers on this way. */
#include "layer-tail.h"
#include "model-private.h"
#include "ops-backward.h"
#include "parts.h"
#include "predict.h"
#include "steps-private.h"

#include "attn/error.h"
#include "attn/hidden.h"
#include "attn/maps.h"

#include <math.h>
#include <string.h>

/* One token on its way through a layer. */
typedef struct {
  const AttnTrace *trace;
  AttnContributions *found;
  size_t t, D;
  float *heads;    /* [H, D] what each head adds */
  float *attended; /* [D] x + attention */
  float *before;   /* [D] what the norm at the end of the layer reads */
  float *out;      /* [D] what leaves the layer */
  float *d;        /* [D] of what leaves the layer, in the end of what enters it */
} Way;

static double
multiply (const float *a, const float *b, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (double)a[i] * (double)b[i];
  return sum;
}

/* d of a norm's output to d of its input @x, with the divisor that it had. */
static void
pass_norm (float *d, const float *x, const float *gain, size_t n, double eps)
{
  double mean = 0, variance = 0, mean_d = 0;
  if (gain == NULL)
    return;
  for (size_t i = 0; i < n; i++)
    mean += (double)x[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    variance += ((double)x[i] - mean) * ((double)x[i] - mean) / (double)n;
  for (size_t i = 0; i < n; i++) {
    d[i] *= gain[i];
    mean_d += (double)d[i] / (double)n;
  }
  for (size_t i = 0; i < n; i++)
    d[i] = (float)(((double)d[i] - mean_d) / sqrt (variance + eps));
}

/* d of the last hidden state: back through the LM head. */
static void
pass_head (const Way *way)
{
  const AttnConfig *config = way->trace->model->config;
  const AttnWeights *w = &way->trace->model->weights;
  const size_t D = way->D, E = w->head_dense.panels != NULL ? w->head_dense.n_out : D;
  const float *word = w->decoder + (size_t)way->found->token * E;
  const float *hidden = way->trace->hiddens[config->n_layers] + way->t * D;
  if (w->head_dense.panels == NULL) {
    memcpy (way->d, word, D * sizeof *word);
    return;
  }
  g_autofree float *dense = g_new (float, E), *active = g_new (float, E), *row = g_new (float, D);
  g_autofree float *d = g_memdup2 (word, E * sizeof *word);
  const AttnLinearCall call = {.x = hidden, .ldx = D, .y = dense, .ldy = E, .n_rows = 1};
  attn_linear_run (&w->head_dense, &call, NULL);
  memcpy (active, dense, E * sizeof *dense);
  attn_ops_activate (config->head_activation, active, E);
  pass_norm (d, active, w->head_norm.gain, E, config->layer_norm_eps);
  attn_backward_activate (config->head_activation, d, dense, d, E);
  memset (way->d, 0, D * sizeof *way->d);
  for (size_t i = 0; i < E; i++) {
    attn_linear_read_row (&w->head_dense, i, row);
    for (size_t k = 0; k < D; k++)
      way->d[k] += d[i] * row[k];
  }
}

/* Σ_j a_tj v_j of one head, with its factor, through its columns of W_O. */
static void
fill_head (const Way *way, const AttnParts *parts, size_t head, float *map)
{
  const size_t T = parts->T, D = parts->D, d_k = parts->d_k;
  const float factor = attn_parts_get_factor (parts, head);
  g_autofree float *mixed = g_new0 (float, d_k);
  size_t stride;
  const float *v =
      attn_trace_peek_tap (parts->trace, ATTN_TAP_VALUE, parts->layer, &stride) + head * d_k;
  attn_trace_compute_map (parts->trace, parts->layer, head, map);
  for (size_t key = 0; key < T; key++)
    for (size_t i = 0; i < d_k; i++)
      mixed[i] += factor * map[way->t * T + key] * v[key * stride + i];
  for (size_t i = 0; i < D; i++)
    way->heads[head * D + i] = (float)multiply (parts->out + (head * D + i) * d_k, mixed, d_k);
}

/* The layer once more, for this token. */
static bool
run_layer (const Way *way, size_t layer, AttnPool *pool, GError **error)
{
  const size_t D = way->D, H = way->found->n_heads;
  const float *x = way->trace->hiddens[layer] + way->t * D;
  const float *bias = attn_steps_peek_weights (way->trace, layer)->out.bias;
  g_auto (AttnParts) parts = {0};
  g_auto (AttnLayerTail) tail = {0};
  g_autofree float *map =
      attn_map_try_new_weights (way->trace->n_tokens, way->trace->n_tokens, error);
  if (map == NULL || !attn_parts_init (&parts, way->trace, layer, error) ||
      !attn_layer_tail_init (&tail, way->trace, layer, 1, pool, error))
    return false;
  for (size_t i = 0; i < D; i++)
    way->attended[i] = x[i] + (bias != NULL ? bias[i] : 0);
  for (size_t head = 0; head < H; head++) {
    fill_head (way, &parts, head, map);
    for (size_t i = 0; i < D; i++)
      way->attended[i] += way->heads[head * D + i];
  }
  g_autofree float *rows = g_memdup2 (way->attended, D * sizeof *rows);
  tail.before = way->before;
  attn_layer_tail_run (&tail, rows, &way->t, 1, way->out);
  if (tail.convolved == NULL)
    return true;
  /* here the norm is followed by another sum and another norm */
  const AttnModel *model = way->trace->model;
  const AttnNormWeights *norm = &attn_steps_peek_weights (way->trace, layer)->ffn_norm;
  attn_ops_layer_norm (way->out, way->before, norm->gain, norm->bias, 1, D,
                       model->config->layer_norm_eps);
  for (size_t i = 0; i < D; i++)
    way->out[i] += tail.convolved[way->t * D + i];
  pass_norm (way->d, way->out, model->weights.convolution_norm.gain, D,
             model->config->layer_norm_eps);
  return true;
}

/* @before - @attended is what the feed-forward part adds, @attended normed where its norm comes
 * first. */
static void
pass_layer (const Way *way, size_t layer)
{
  const AttnConfig *config = way->trace->model->config;
  const AttnLayerWeights *w = attn_steps_peek_weights (way->trace, layer);
  const size_t D = way->D, H = way->found->n_heads;
  const bool after = way->trace->model->arch->norm == ATTN_NORM_AFTER;
  g_autofree float *a = g_memdup2 (way->attended, D * sizeof *a);
  if (after) {
    pass_norm (way->d, way->before, w->ffn_norm.gain, D, config->layer_norm_eps);
    attn_ops_layer_norm (a, a, w->attn_norm.gain, w->attn_norm.bias, 1, D, config->layer_norm_eps);
  }
  way->found->feed_forward[layer] = multiply (way->before, way->d, D) - multiply (a, way->d, D);
  if (after)
    pass_norm (way->d, way->attended, w->attn_norm.gain, D, config->layer_norm_eps);
  for (size_t head = 0; head < H; head++)
    way->found->heads[layer * H + head] = multiply (way->heads + head * D, way->d, D);
}

static bool
pass_layers (const Way *way, AttnPool *pool, GError **error)
{
  AttnContributions *found = way->found;
  const AttnModel *model = way->trace->model;
  pass_head (way);
  pass_norm (way->d, way->trace->last + way->t * way->D, model->weights.final_norm.gain, way->D,
             model->config->layer_norm_eps);
  for (size_t layer = found->n_layers; layer-- > 0;) {
    if (!run_layer (way, layer, pool, error))
      return false;
    pass_layer (way, layer);
  }
  found->embedding = multiply (way->trace->hiddens[0] + way->t * way->D, way->d, way->D);
  found->rest = found->logit - found->embedding;
  for (size_t i = 0; i < found->n_layers * found->n_heads; i++)
    found->rest -= found->heads[i];
  for (size_t layer = 0; layer < found->n_layers; layer++)
    found->rest -= found->feed_forward[layer];
  return true;
}

static bool
check (const AttnTrace *trace, size_t position, int32_t token, GError **error)
{
  const size_t V = trace->model->config->vocab_size;
  if (!attn_predict_check_head (trace->model, error) ||
      !attn_predict_check_position (trace, position, error))
    return false;
  if (token < 0 || (size_t)token >= V) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE, "there is no word %d: the vocabulary has %zu",
                 token, V);
    return false;
  }
  if (!attn_parts_fit (trace)) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "contributions are of runs whose heads are not replaced by their mean or by "
                 "another run's");
    return false;
  }
  return true;
}

AttnContributions *
attn_contributions_new (
    const AttnTrace *trace, size_t position, int32_t token, AttnPool *pool, GError **error)
{
  const AttnConfig *config = trace->model->config;
  const size_t L = config->n_layers, H = config->n_heads, D = config->d_model;
  if (!check (trace, position, token, error))
    return NULL;
  g_autofree float *logits = g_new (float, config->vocab_size);
  if (!attn_hidden_compute_logits (trace, L, &position, 1, logits, pool, error))
    return NULL;
  g_autoptr (AttnContributions) found = g_new (AttnContributions, 1);
  *found = (AttnContributions){
      .n_layers = L,
      .n_heads = H,
      .position = position,
      .token = token,
      .logit = (double)logits[token],
      .heads = g_new0 (double, L *H),
      .feed_forward = g_new0 (double, L),
  };
  g_autofree float *memory = g_new (float, (H + 4) * D);
  const Way way = {
      .trace = trace,
      .found = found,
      .t = position,
      .D = D,
      .heads = memory,
      .attended = memory + H * D,
      .before = memory + (H + 1) * D,
      .out = memory + (H + 2) * D,
      .d = memory + (H + 3) * D,
  };
  return pass_layers (&way, pool, error) ? g_steal_pointer (&found) : NULL;
}

void
attn_contributions_free (AttnContributions *contributions)
{
  if (contributions == NULL)
    return;
  g_free (contributions->heads);
  g_free (contributions->feed_forward);
  g_free (contributions);
}
