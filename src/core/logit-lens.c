/* SPDX-License-Identifier: MIT */
/* The LM head on hidden states between the layers. */
#include "model-private.h"
#include "ops.h"
#include "predict.h"
#include "trace-private.h"

#include "attn/error.h"
#include "attn/hidden.h"

#include <string.h>

bool
attn_hidden_compute_logits (const AttnTrace *trace,
                            size_t layer,
                            const size_t *positions,
                            size_t n,
                            float *logits,
                            AttnPool *pool,
                            GError **error)
{
  const AttnConfig *config = trace->model->config;
  const AttnNormWeights *norm = &trace->model->weights.final_norm;
  const size_t D = config->d_model;
  g_return_val_if_fail (layer <= config->n_layers, false);
  if (!attn_predict_check_head (trace->model, error))
    return false;
  g_autofree float *rows = g_new (float, MAX (n, 1) * D);
  for (size_t i = 0; i < n; i++) {
    if (!attn_predict_check_position (trace, positions[i], error))
      return false;
    memcpy (rows + i * D, trace->hiddens[layer] + positions[i] * D, D * sizeof *rows);
  }
  if (layer < config->n_layers && norm->gain != NULL)
    attn_ops_layer_norm (rows, rows, norm->gain, norm->bias, n, D, config->layer_norm_eps);
  return attn_predict_compute_logits (trace->model, rows, n, logits, pool, error);
}
