/* SPDX-License-Identifier: MIT */
/* Activations, layer norm, softmax and the products of attention. */
#include "ops.h"

#include "attn/pool.h"

#include <math.h>

static float
activate (AttnActivation activation, float x)
{
  switch (activation) {
  case ATTN_ACTIVATION_GELU:
    return 0.5f * x * (1 + erff (x * (float)M_SQRT1_2));
  case ATTN_ACTIVATION_GELU_TANH:
    return 0.5f * x * (1 + tanhf (0.7978845608f * (x + 0.044715f * x * x * x)));
  case ATTN_ACTIVATION_RELU:
    return x < 0 ? 0 : x;
  case ATTN_ACTIVATION_SILU:
    return x / (1 + expf (-x));
  }
  return x;
}

void
attn_ops_activate (AttnActivation activation, float *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    x[i] = activate (activation, x[i]);
}

void
attn_ops_layer_norm (float *out,
                     const float *x,
                     const float *gain,
                     const float *bias,
                     size_t n_rows,
                     size_t width,
                     double eps)
{
  for (size_t row = 0; row < n_rows; row++, x += width, out += width) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < width; i++)
      sum += (double)x[i];
    double mean = sum / (double)width;
    for (size_t i = 0; i < width; i++)
      squares += ((double)x[i] - mean) * ((double)x[i] - mean);
    double inverse = 1 / sqrt (squares / (double)width + eps);
    for (size_t i = 0; i < width; i++) {
      float normed = (float)(((double)x[i] - mean) * inverse) * gain[i];
      out[i] = bias == NULL ? normed : normed + bias[i];
    }
  }
}

void
attn_ops_softmax_rows (float *x, size_t ldx, size_t n_rows, size_t n)
{
  for (size_t row = 0; row < n_rows; row++, x += ldx) {
    float max = -INFINITY;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
      max = fmaxf (max, x[i]);
    for (size_t i = 0; i < n; i++)
      sum += (double)(x[i] = expf (x[i] - max));
    float inverse = (float)(1 / sum);
    for (size_t i = 0; i < n; i++)
      x[i] *= inverse;
  }
}

void
attn_ops_scores (const AttnScoreCall *call, float *scores)
{
  size_t T = call->n_tokens;
  for (size_t i = 0; i < T; i++)
    for (size_t j = 0; j < T; j++) {
      float sum = 0;
      for (size_t c = 0; c < call->d_k; c++)
        sum += call->q[i * call->ldq + c] * call->k[j * call->ldk + c];
      scores[i * T + j] = sum * call->scale;
    }
}

void
attn_ops_mix_values (const float *weights,
                     const float *v,
                     size_t ldv,
                     size_t n_tokens,
                     size_t d_k,
                     float *out,
                     size_t ldo)
{
  for (size_t i = 0; i < n_tokens; i++, out += ldo) {
    for (size_t c = 0; c < d_k; c++)
      out[c] = 0;
    for (size_t j = 0; j < n_tokens; j++)
      for (size_t c = 0; c < d_k; c++)
        out[c] += weights[i * n_tokens + j] * v[j * ldv + c];
  }
}

typedef struct {
  const float *x, *rows, *bias;
  size_t n_rows, n_in, n_out;
  float *logits;
} Logits;

enum { LOGITS_PIECE = 64 };

static void
run_logits (size_t piece, size_t worker, void *data)
{
  (void)worker;
  const Logits *l = data;
  size_t end = MIN ((piece + 1) * LOGITS_PIECE, l->n_out);
  for (size_t row = 0; row < l->n_rows; row++)
    for (size_t out = piece * LOGITS_PIECE; out < end; out++) {
      float sum = 0;
      for (size_t k = 0; k < l->n_in; k++)
        sum += l->x[row * l->n_in + k] * l->rows[out * l->n_in + k];
      l->logits[row * l->n_out + out] = l->bias == NULL ? sum : sum + l->bias[out];
    }
}

void
attn_ops_logits (const float *x,
                 size_t n_rows,
                 const float *rows,
                 const float *bias,
                 size_t n_in,
                 size_t n_out,
                 float *logits,
                 AttnPool *pool)
{
  Logits l = {x, rows, bias, n_rows, n_in, n_out, logits};
  attn_pool_run (pool, (n_out + LOGITS_PIECE - 1) / LOGITS_PIECE, run_logits, &l);
}
