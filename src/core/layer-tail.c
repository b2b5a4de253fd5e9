/* SPDX-License-Identifier: MIT */
/* What follows attention in a layer, on any rows. */
#include "layer-tail.h"

#include "config-private.h"
#include "model-private.h"
#include "ops.h"
#include "steps-private.h"

#include <math.h>
#include <string.h>

#define ROWS_PER_PIECE ((size_t)16) /* of work that goes row by row */

static void
cut (AttnCutter *cutter, AttnLayerTail *tail)
{
  const AttnConfig *config = tail->trace->model->config;
  const size_t T = tail->trace->n_tokens, D = config->d_model;
  tail->normed = attn_cutter_take_matrix (cutter, tail->n_rows, D);
  tail->up = attn_cutter_take_matrix (cutter, tail->n_rows, tail->n_up);
  if (tail->layer > 0 || config->conv_width == 0)
    return;
  tail->unfolded = attn_cutter_take_matrix (cutter, T, D * config->conv_width);
  tail->convolved = attn_cutter_take_matrix (cutter, T, D);
}

/* tanh (convolution of x), which is the same whatever attention does. */
static void
convolve (AttnLayerTail *tail)
{
  const AttnConfig *config = tail->trace->model->config;
  const AttnLinear *convolution = &tail->trace->model->weights.convolution;
  const size_t T = tail->trace->n_tokens, D = config->d_model, width = config->conv_width;
  const float *x = tail->trace->hiddens[0];
  for (size_t t = 0; t < T; t++)
    for (size_t at = 0; at < width; at++) {
      const size_t other = t + at - width / 2; /* wraps before the first token */
      for (size_t i = 0; i < D; i++)
        tail->unfolded[(t * D + i) * width + at] = other < T ? x[other * D + i] : 0;
    }
  const AttnLinearCall call = {
      .x = tail->unfolded, .ldx = D * width, .y = tail->convolved, .ldy = D, .n_rows = T};
  attn_linear_run (convolution, &call, tail->pool);
  for (size_t i = 0; i < T * D; i++)
    tail->convolved[i] = tanhf (tail->convolved[i]);
}

bool
attn_layer_tail_init (AttnLayerTail *tail,
                      const AttnTrace *trace,
                      size_t layer,
                      size_t n_rows,
                      AttnPool *pool,
                      GError **error)
{
  *tail = (AttnLayerTail){
      .trace = trace,
      .weights = attn_steps_peek_weights (trace, layer),
      .layer = layer,
      .n_rows = n_rows,
      .pool = pool,
  };
  tail->n_up = tail->weights->up.n_out;
  AttnCutter cutter = {0};
  cut (&cutter, tail);
  if (!attn_block_init (&tail->block, &cutter, "the rest of a layer", false, error))
    return false;
  cutter = (AttnCutter){.base = tail->block.data};
  cut (&cutter, tail);
  if (tail->convolved != NULL)
    convolve (tail);
  return true;
}

void
attn_layer_tail_clear (AttnLayerTail *tail)
{
  attn_block_clear (&tail->block);
}

/* Rows that are worked on one by one. */
typedef struct {
  const AttnLayerTail *tail;
  const float *x;
  float *y;
  size_t n, width;
  const AttnNormWeights *norm;
  const size_t *tokens;
} RowJob;

static void
run_rows (const AttnLayerTail *tail, RowJob *job, AttnPieceFunc func)
{
  attn_pool_run (tail->pool, (job->n + ROWS_PER_PIECE - 1) / ROWS_PER_PIECE, func, job);
}

static void
norm_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  const RowJob *job = data;
  const size_t first = piece * ROWS_PER_PIECE, n = MIN (ROWS_PER_PIECE, job->n - first);
  const size_t offset = first * job->width;
  attn_ops_layer_norm (job->y + offset, job->x + offset, job->norm->gain, job->norm->bias, n,
                       job->width, job->tail->trace->model->config->layer_norm_eps);
}

/* y = norm (x); may be in place */
static void
run_norm (
    const AttnLayerTail *tail, const float *x, float *y, size_t n, const AttnNormWeights *norm)
{
  RowJob job = {tail, x, y, n, tail->trace->model->config->d_model, norm, NULL};
  if (norm->gain != NULL)
    run_rows (tail, &job, norm_piece);
  else if (y != x)
    memcpy (y, x, n * job.width * sizeof *y);
}

/* up = act (first half) × second half, in the place of the first */
static void
gate_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  const RowJob *job = data;
  const AttnConfig *config = job->tail->trace->model->config;
  const size_t first = piece * ROWS_PER_PIECE, n = MIN (ROWS_PER_PIECE, job->n - first);
  for (size_t row = first; row < first + n; row++) {
    float *x = job->y + row * job->width;
    attn_ops_activate (config->activation, x, config->d_ff);
    for (size_t i = 0; i < config->d_ff; i++)
      x[i] *= x[config->d_ff + i];
  }
}

/* out = residual + feed-forward (x) */
static void
feed_forward (
    const AttnLayerTail *tail, const float *x, const float *residual, size_t n, float *out)
{
  const bool gated = tail->trace->model->arch->gated;
  const size_t D = tail->trace->model->config->d_model;
  const AttnLinearCall up = {
      .x = x,
      .ldx = D,
      .y = tail->up,
      .ldy = tail->n_up,
      .n_rows = n,
      .after = gated ? ATTN_AFTER_NOTHING : ATTN_AFTER_ACTIVATION,
      .activation = tail->trace->model->config->activation,
  };
  attn_linear_run (&tail->weights->up, &up, tail->pool);
  RowJob job = {tail, NULL, tail->up, n, tail->n_up, NULL, NULL};
  if (gated)
    run_rows (tail, &job, gate_piece);
  const AttnLinearCall down = {
      .x = tail->up,
      .ldx = tail->n_up,
      .y = out,
      .ldy = D,
      .n_rows = n,
      .after = ATTN_AFTER_ADD,
      .add = residual,
  };
  attn_linear_run (&tail->weights->down, &down, tail->pool);
  if (tail->before != NULL)
    memcpy (tail->before, out, n * D * sizeof *out);
}

static void
add_convolution (const AttnLayerTail *tail, const size_t *tokens, size_t n, float *out)
{
  const size_t D = tail->trace->model->config->d_model;
  if (tail->convolved == NULL)
    return;
  for (size_t row = 0; row < n; row++)
    for (size_t i = 0; i < D; i++)
      out[row * D + i] += tail->convolved[tokens[row] * D + i];
  run_norm (tail, out, out, n, &tail->trace->model->weights.convolution_norm);
}

void
attn_layer_tail_run (
    const AttnLayerTail *tail, float *attended, const size_t *tokens, size_t n, float *out)
{
  switch (tail->trace->model->arch->norm) {
  case ATTN_NORM_AFTER:
    run_norm (tail, attended, attended, n, &tail->weights->attn_norm);
    feed_forward (tail, attended, attended, n, out);
    run_norm (tail, out, out, n, &tail->weights->ffn_norm);
    add_convolution (tail, tokens, n, out);
    break;
  case ATTN_NORM_BEFORE:
    run_norm (tail, attended, tail->normed, n, &tail->weights->ffn_norm);
    feed_forward (tail, tail->normed, attended, n, out);
    break;
  }
}
