/* SPDX-License-Identifier: MIT */
/* The matrices that a layer's rows are multiplied by. */
#include "linear.h"
#include "model-private.h"
#include "steps-private.h"

/* Stored [out, in]; shown so that x W is the product. */
AttnMatrix *
attn_step_compute_factor (const AttnTrace *trace, AttnFactor factor, size_t layer, GError **error)
{
  const AttnLayerWeights *weights = attn_steps_peek_weights (trace, layer);
  const bool is_output = factor == ATTN_FACTOR_OUTPUT;
  const AttnLinear *linear = is_output ? &weights->out : &weights->qkv;
  const size_t n = attn_model_peek_config (trace->model)->d_model;
  const size_t first = is_output ? 0 : (size_t)factor * n;
  g_autofree float *row = g_new (float, n);
  g_autoptr (AttnMatrix) matrix = attn_matrix_new (n, n, error);
  if (matrix == NULL)
    return NULL;
  for (size_t out = 0; out < n; out++) {
    attn_linear_read_row (linear, first + out, row);
    for (size_t in = 0; in < n; in++)
      matrix->values[in * n + out] = row[in];
  }
  return g_steal_pointer (&matrix);
}
