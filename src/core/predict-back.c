/* SPDX-License-Identifier: MIT */
/* From the loss at labels back to the hidden states they are guessed from. */
#include "predict-back.h"

#include "block.h"
#include "config-private.h"
#include "loss-private.h"
#include "model-private.h"
#include "ops-backward.h"
#include "ops.h"
#include "trace-private.h"

#include <string.h>

#define ROWS_AT_ONCE ((size_t)64) /* of logits, which have a whole vocabulary each */

/* Rows of labels on their way. */
typedef struct {
  const AttnModel *model;
  size_t n_rows;
  size_t D, E, V;
  float *hidden; /* [n_rows, D], later dL/d of them */
  float *dense;  /* [n_rows, E] before the activation */
  float *active; /* [n_rows, E] */
  float *normed; /* [n_rows, E], later dL/d of them */
  float *logits; /* [n_rows, V], later dL/d of them */
} Rows;

static void
cut_rows (AttnCutter *cutter, Rows *rows)
{
  rows->hidden = attn_cutter_take_matrix (cutter, rows->n_rows, rows->D);
  rows->dense = attn_cutter_take_matrix (cutter, rows->n_rows, rows->E);
  rows->active = attn_cutter_take_matrix (cutter, rows->n_rows, rows->E);
  rows->normed = attn_cutter_take_matrix (cutter, rows->n_rows, rows->E);
  rows->logits = attn_cutter_take_matrix (cutter, rows->n_rows, rows->V);
}

/* The head on n hidden states, with everything in between kept. */
static void
run_there (const Rows *rows, size_t n, AttnPool *pool)
{
  const AttnWeights *w = &rows->model->weights;
  const AttnConfig *config = rows->model->config;
  const float *x = rows->hidden;
  if (w->head_dense.panels != NULL) {
    const AttnLinearCall call = {
        .x = x, .ldx = rows->D, .y = rows->dense, .ldy = rows->E, .n_rows = n};
    attn_linear_run (&w->head_dense, &call, pool);
    memcpy (rows->active, rows->dense, n * rows->E * sizeof (float));
    attn_ops_activate (config->head_activation, rows->active, n * rows->E);
    attn_ops_layer_norm (rows->normed, rows->active, w->head_norm.gain, w->head_norm.bias, n,
                         rows->E, config->layer_norm_eps);
    x = rows->normed;
  }
  attn_ops_logits (x, n, w->decoder, w->decoder_bias, rows->E, rows->V, rows->logits, pool);
}

/* From dL/d(logits) to dL/d(hidden states), which are overwritten. */
static void
run_back (const Rows *rows, size_t n, float *scratch, AttnPool *pool)
{
  const AttnWeights *w = &rows->model->weights;
  const AttnConfig *config = rows->model->config;
  const bool dense = w->head_dense.panels != NULL;
  AttnLinearBack call = {
      .d_y = rows->logits,
      .d_x = dense ? rows->normed : rows->hidden,
      .n_rows = n,
      .scratch = scratch,
  };
  attn_linear_run_back_rows (w->decoder, rows->E, rows->V, &call, pool);
  if (!dense)
    return;
  attn_backward_layer_norm (&(AttnNormBackward){
      .x = rows->active,
      .gain = w->head_norm.gain,
      .d_y = rows->normed,
      .n_rows = n,
      .width = rows->E,
      .eps = config->layer_norm_eps,
      .d_x = rows->normed,
  });
  attn_backward_activate (config->head_activation, rows->normed, rows->dense, rows->normed,
                          n * rows->E);
  call.d_y = rows->normed;
  call.d_x = rows->hidden;
  attn_linear_run_back (&w->head_dense, &call, pool);
}

bool
attn_predict_run_back (const AttnTrace *trace,
                       const AttnTarget *target,
                       float *d_hidden,
                       float *scratch,
                       AttnPool *pool,
                       GError **error)
{
  const AttnConfig *config = trace->model->config;
  const size_t D = config->d_model, n = target->n;
  Rows rows = {
      .model = trace->model,
      .n_rows = MIN (n, ROWS_AT_ONCE),
      .D = D,
      .E = attn_config_get_d_embed (config),
      .V = config->vocab_size,
  };
  AttnCutter cutter = {0};
  cut_rows (&cutter, &rows);
  g_auto (AttnBlock) block = {0};
  if (!attn_block_init (&block, &cutter, "the language-model head", false, error))
    return false;
  cutter = (AttnCutter){.base = block.data};
  cut_rows (&cutter, &rows);
  memset (d_hidden, 0, trace->n_tokens * D * sizeof *d_hidden);
  for (size_t first = 0; first < n; first += ROWS_AT_ONCE) {
    const size_t now = MIN (ROWS_AT_ONCE, n - first), *positions = target->positions + first;
    for (size_t row = 0; row < now; row++)
      memcpy (rows.hidden + row * D, trace->hiddens[config->n_layers] + positions[row] * D,
              D * sizeof (float));
    run_there (&rows, now, pool);
    attn_backward_cross_entropy (rows.logits, rows.logits, target->labels + first, now, rows.V,
                                 1 / (double)n);
    run_back (&rows, now, scratch, pool);
    for (size_t row = 0; row < now; row++)
      for (size_t i = 0; i < D; i++)
        d_hidden[positions[row] * D + i] += rows.hidden[row * D + i];
  }
  return true;
}
