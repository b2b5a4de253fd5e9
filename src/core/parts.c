/* SPDX-License-Identifier: MIT */
/* What a layer's attention moves from key to query, taken apart. */
#include "parts.h"

#include "linear.h"
#include "model-private.h"
#include "steps-private.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

#define TOKENS_AT_ONCE ((size_t)16) /* whose f_h (x_j) of all heads are in memory */

static float *
try_new (size_t n_rows, size_t n_columns, size_t n, GError **error)
{
  size_t size = 0;
  float *values = NULL;
  if (g_size_checked_mul (&size, n_rows, n_columns) && g_size_checked_mul (&size, size, n))
    values = g_try_new (float, size);
  if (values == NULL)
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "a layer taken apart: no memory for %zu × %zu × %zu numbers", n_rows, n_columns,
                 n);
  return values;
}

bool
attn_parts_init (AttnParts *parts, const AttnTrace *trace, size_t layer, GError **error)
{
  const AttnConfig *config = trace->model->config;
  const AttnLinear *out = &attn_steps_peek_weights (trace, layer)->out;
  const size_t D = config->d_model, d_k = config->d_k;
  *parts = (AttnParts){trace, layer, trace->n_tokens, config->n_heads, D, d_k, NULL, NULL};
  parts->out = try_new (config->n_heads, D, d_k, error);
  parts->values = parts->out != NULL ? try_new (parts->T, d_k, 1, error) : NULL;
  if (parts->values == NULL) {
    attn_parts_clear (parts);
    return false;
  }
  g_autofree float *row = g_new (float, D);
  for (size_t i = 0; i < D; i++) {
    attn_linear_read_row (out, i, row);
    for (size_t head = 0; head < config->n_heads; head++)
      memcpy (parts->out + (head * D + i) * d_k, row + head * d_k, d_k * sizeof *row);
  }
  return true;
}

void
attn_parts_clear (AttnParts *parts)
{
  g_clear_pointer (&parts->out, g_free);
  g_clear_pointer (&parts->values, g_free);
}

bool
attn_parts_fit (const AttnTrace *trace)
{
  const AttnHeadGates *gates = trace->gates;
  for (size_t i = 0; gates != NULL && i < gates->n_layers * gates->n_heads; i++)
    if (gates->gates[i] == ATTN_GATE_MEAN || gates->gates[i] == ATTN_GATE_PATCH)
      return false;
  return true;
}

float
attn_parts_get_factor (const AttnParts *parts, size_t head)
{
  const AttnHeadGates *gates = parts->trace->gates;
  if (gates == NULL)
    return 1;
  const size_t i = parts->layer * gates->n_heads + head;
  return gates->gates[i] == ATTN_GATE_ZERO ? 0 : gates->factors[i];
}

void
attn_parts_project (const AttnParts *parts, size_t head, size_t first, size_t n, float *rows)
{
  const float factor = attn_parts_get_factor (parts, head);
  size_t stride;
  const float *v =
      attn_trace_peek_tap (parts->trace, ATTN_TAP_VALUE, parts->layer, &stride) + head * parts->d_k;
  for (size_t row = 0; row < n; row++)
    for (size_t i = 0; i < parts->d_k; i++)
      parts->values[row * parts->d_k + i] = factor * v[(first + row) * stride + i];
  attn_ops_logits (parts->values, n, parts->out + head * parts->D * parts->d_k, NULL, parts->d_k,
                   parts->D, rows, NULL);
}

float *
attn_parts_try_new_maps (const AttnParts *parts, GError **error)
{
  const size_t size = parts->T * parts->T;
  float *maps = try_new (parts->H, parts->T, parts->T, error);
  for (size_t head = 0; maps != NULL && head < parts->H; head++)
    attn_trace_compute_map (parts->trace, parts->layer, head, maps + head * size);
  return maps;
}

/* The heads' outputs side by side, with their factors; of each token's own value alone, or of all.
 */
static void
mix (const AttnParts *parts, const float *maps, bool diagonal, float *mixed)
{
  const size_t T = parts->T, D = parts->D, d_k = parts->d_k;
  size_t stride;
  const float *v = attn_trace_peek_tap (parts->trace, ATTN_TAP_VALUE, parts->layer, &stride);
  for (size_t head = 0; head < parts->H; head++) {
    const float *map = maps + head * T * T, factor = attn_parts_get_factor (parts, head);
    float *out = mixed + head * d_k;
    if (!diagonal)
      attn_ops_mix_values (map, v + head * d_k, stride, T, d_k, out, D);
    for (size_t t = 0; t < T; t++)
      for (size_t i = 0; i < d_k; i++)
        out[t * D + i] =
            factor * (diagonal ? map[t * T + t] * v[t * stride + head * d_k + i] : out[t * D + i]);
  }
}

float *
attn_parts_try_new_sums (const AttnParts *parts, const float *maps, bool diagonal, GError **error)
{
  const size_t T = parts->T, D = parts->D;
  g_autofree float *mixed = try_new (T, D, 1, error);
  float *sums = mixed != NULL ? try_new (T, D, 1, error) : NULL;
  if (sums == NULL)
    return NULL;
  mix (parts, maps, diagonal, mixed);
  AttnLinear out = attn_steps_peek_weights (parts->trace, parts->layer)->out;
  out.bias = NULL;
  attn_linear_run (&out, &(AttnLinearCall){.x = mixed, .ldx = D, .y = sums, .ldy = D, .n_rows = T},
                   NULL);
  return sums;
}

void
attn_parts_center (float *y, const float *gain, size_t n)
{
  double mean = 0;
  for (size_t i = 0; i < n; i++)
    mean += (double)y[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    y[i] = (float)(((double)y[i] - mean) * (double)gain[i]);
}

static double
multiply (const float *a, const float *b, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (double)a[i] * (double)b[i];
  return sum;
}

/* products [n, H, H] = f_h (x_j) · f_h' (x_j) of tokens [first, first + n); @rows: [H, n, D]
 * scratch
 */
static void
fill_products (const AttnParts *parts,
               size_t first,
               size_t n,
               const float *gain,
               float *rows,
               double *products)
{
  const size_t H = parts->H, D = parts->D;
  for (size_t head = 0; head < H; head++) {
    float *own = rows + head * n * D;
    attn_parts_project (parts, head, first, n, own);
    for (size_t row = 0; row < n && gain != NULL; row++)
      attn_parts_center (own + row * D, gain, D);
  }
  for (size_t row = 0; row < n; row++)
    for (size_t a = 0; a < H; a++)
      for (size_t b = a; b < H; b++) {
        const double product = multiply (rows + (a * n + row) * D, rows + (b * n + row) * D, D);
        products[(row * H + a) * H + b] = product;
        products[(row * H + b) * H + a] = product;
      }
}

/* √(aᵀ G a) of one cell; a: the heads' weights, @size apart. Rounding may leave a little below 0.
 */
static float
compute_norm (const double *products, const float *a, size_t size, size_t H)
{
  double sum = 0;
  for (size_t i = 0; i < H; i++) {
    double row = 0;
    for (size_t j = 0; j < H; j++)
      row += products[i * H + j] * (double)a[j * size];
    sum += row * (double)a[i * size];
  }
  return sum < 0 ? 0 : (float)sqrt (sum); /* NaN is passed on */
}

float *
attn_parts_try_new_norms (const AttnParts *parts,
                          const float *maps,
                          const float *gain,
                          GError **error)
{
  const size_t T = parts->T, H = parts->H, size = T * T;
  g_autofree float *norms = try_new (T, T, 1, error);
  g_autofree float *rows = norms != NULL ? try_new (H, TOKENS_AT_ONCE, parts->D, error) : NULL;
  if (rows == NULL)
    return NULL;
  g_autofree double *products = g_new (double, TOKENS_AT_ONCE *H *H);
  for (size_t first = 0; first < T; first += TOKENS_AT_ONCE) {
    const size_t n = MIN (TOKENS_AT_ONCE, T - first);
    fill_products (parts, first, n, gain, rows, products);
    for (size_t query = 0; query < T; query++)
      for (size_t i = 0; i < n; i++) {
        const size_t cell = query * T + first + i;
        norms[cell] = compute_norm (products + i * H * H, maps + cell, size, H);
      }
  }
  return g_steal_pointer (&norms);
}
