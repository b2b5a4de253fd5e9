/* SPDX-License-Identifier: MIT */
/* Derivatives of the operations of a forward pass. Inner loops run along rows, so that compilers
 * make vectors of them. */
#include "ops-backward.h"

#include <glib.h>

#include <math.h>
#include <string.h>

/* y += a x */
static void
add_scaled (float *restrict y, const float *restrict x, float a, size_t n)
{
  for (size_t i = 0; i < n; i++)
    y[i] += a * x[i];
}

/* Eight sums side by side: one alone could not be made a vector of without changing its order. */
static float
dot (const float *x, const float *y, size_t n)
{
  float sums[8] = {0};
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t j = 0; j < 8; j++)
      sums[j] += x[i + j] * y[i + j];
  for (; i < n; i++)
    sums[i % 8] += x[i] * y[i];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

void
attn_backward_linear (const AttnLinearBackward *call)
{
  const size_t n_in = call->n_in, n_out = call->n_out;
  if (call->d_x != NULL)
    memset (call->d_x, 0, call->n_rows * n_in * sizeof *call->d_x);
  for (size_t row = 0; row < call->n_rows; row++)
    for (size_t out = 0; out < n_out; out++) {
      const float d_y = call->d_y[row * n_out + out];
      if (call->d_x != NULL)
        add_scaled (call->d_x + row * n_in, call->weights + out * n_in, d_y, n_in);
      if (call->d_weights != NULL)
        add_scaled (call->d_weights + out * n_in, call->x + row * n_in, d_y, n_in);
      if (call->d_bias != NULL)
        call->d_bias[out] += d_y;
    }
}

void
attn_backward_softmax_rows (float *d_x, const float *y, const float *d_y, size_t n_rows, size_t n)
{
  for (size_t row = 0; row < n_rows; row++, d_x += n, y += n, d_y += n) {
    const float mean = dot (y, d_y, n);
    for (size_t i = 0; i < n; i++)
      d_x[i] = y[i] * (d_y[i] - mean);
  }
}

/* With z = (x - mean) / deviation and g = gain · d_y:
 * d_x = (g - mean (g) - z · mean (g z)) / deviation. */
static void
norm_row (const AttnNormBackward *call, size_t row)
{
  const size_t n = call->width;
  const float *x = call->x + row * n, *d_y = call->d_y + row * n;
  double sum = 0, squares = 0, mean_g = 0, mean_gz = 0;
  for (size_t i = 0; i < n; i++)
    sum += (double)x[i];
  const double mean = sum / (double)n;
  for (size_t i = 0; i < n; i++)
    squares += ((double)x[i] - mean) * ((double)x[i] - mean);
  const double deviation = sqrt (squares / (double)n + call->eps);
  for (size_t i = 0; i < n; i++) {
    const double z = ((double)x[i] - mean) / deviation, g = (double)(call->gain[i] * d_y[i]);
    mean_g += g / (double)n;
    mean_gz += g * z / (double)n;
  }
  for (size_t i = 0; i < n; i++) {
    const double z = ((double)x[i] - mean) / deviation, g = (double)(call->gain[i] * d_y[i]);
    if (call->d_gain != NULL)
      call->d_gain[i] += (float)((double)d_y[i] * z);
    if (call->d_bias != NULL)
      call->d_bias[i] += d_y[i];
    call->d_x[row * n + i] = (float)((g - mean_g - z * mean_gz) / deviation);
  }
}

void
attn_backward_layer_norm (const AttnNormBackward *call)
{
  for (size_t row = 0; row < call->n_rows; row++)
    norm_row (call, row);
}

/* The derivative of the formulas at AttnActivation. */
static double
slope (AttnActivation activation, double x)
{
  switch (activation) {
  case ATTN_ACTIVATION_GELU:
    return (1 + erf (x / G_SQRT2)) / 2 + x * exp (-x * x / 2) / sqrt (2 * G_PI);
  case ATTN_ACTIVATION_GELU_TANH: {
    const double c = sqrt (2 / G_PI), t = tanh (c * (x + 0.044715 * x * x * x));
    return (1 + t) / 2 + x / 2 * (1 - t * t) * c * (1 + 3 * 0.044715 * x * x);
  }
  case ATTN_ACTIVATION_RELU:
    return x > 0;
  case ATTN_ACTIVATION_SILU: {
    const double s = 1 / (1 + exp (-x));
    return s * (1 + x * (1 - s));
  }
  }
  g_return_val_if_reached (NAN);
}

void
attn_backward_activate (
    AttnActivation activation, float *d_x, const float *x, const float *d_y, size_t n)
{
  for (size_t i = 0; i < n; i++)
    d_x[i] = (float)slope (activation, (double)x[i]) * d_y[i];
}

void
attn_backward_head (const AttnHeadBackward *call)
{
  const size_t T = call->n_tokens, n = call->d_k;
  for (size_t t = 0; t < T; t++) {
    memset (call->d_q + t * call->ld_d, 0, n * sizeof (float));
    memset (call->d_k_rows + t * call->ld_d, 0, n * sizeof (float));
    memset (call->d_v + t * call->ld_d, 0, n * sizeof (float));
  }
  for (size_t query = 0; query < T; query++)
    for (size_t key = 0; key < T; key++) {
      const float *d_out = call->d_out + query * call->ld_out;
      call->d_weights[query * T + key] = dot (d_out, call->v + key * call->ld, n);
      add_scaled (call->d_v + key * call->ld_d, d_out, call->weights[query * T + key], n);
    }
  attn_backward_softmax_rows (call->d_scores, call->weights, call->d_weights, T, T);
  for (size_t query = 0; query < T; query++)
    for (size_t key = 0; key < T; key++) {
      const float d_score = call->scale * call->d_scores[query * T + key];
      add_scaled (call->d_q + query * call->ld_d, call->k + key * call->ld, d_score, n);
      add_scaled (call->d_k_rows + key * call->ld_d, call->q + query * call->ld, d_score, n);
    }
}

double
attn_backward_cross_entropy (
    float *d_logits, const float *logits, const int *labels, size_t n_rows, size_t n, double factor)
{
  double loss = 0;
  for (size_t row = 0; row < n_rows; row++, logits += n, d_logits += n) {
    if (labels[row] < 0) {
      memset (d_logits, 0, n * sizeof *d_logits);
      continue;
    }
    double largest = -INFINITY, total = 0;
    for (size_t i = 0; i < n; i++)
      largest = fmax (largest, (double)logits[i]);
    for (size_t i = 0; i < n; i++)
      total += exp ((double)logits[i] - largest);
    loss += largest + log (total) - (double)logits[labels[row]];
    for (size_t i = 0; i < n; i++) {
      const double p = exp ((double)logits[i] - largest) / total;
      d_logits[i] = (float)(factor * (p - (i == (size_t)labels[row])));
    }
  }
  return loss;
}
