/* SPDX-License-Identifier: MIT */
/* What is done to single rows: activation, softmax, layer norm; ends with the table of the set.
 * Included last by a file that defines Vec, LANES, KERNELS and what stands in the table. */
#pragma once

#include "kernels-maths.h"

/* Double precision takes half the lanes. */
typedef float VecHalf __attribute__ ((vector_size (LANES * 2)));
typedef double VecDouble __attribute__ ((vector_size (LANES * 4)));

static inline float
vec_sum (Vec v)
{
  float sum = 0;
  for (size_t i = 0; i < LANES; i++)
    sum += v[i];
  return sum;
}

static void
activate (AttnActivation activation, float *x, size_t n)
{
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
    vec_store (x + i, vec_activate (activation, vec_load (x + i)));
  if (i < n) {
    float edge[LANES] = {0};
    memcpy (edge, x + i, (n - i) * sizeof *x);
    vec_store (edge, vec_activate (activation, vec_load (edge)));
    memcpy (x + i, edge, (n - i) * sizeof *x);
  }
}

/* Returns: the largest of n values; NaNs are passed over, for they show in the sum. */
static float
max_of (const float *x, size_t n)
{
  float max = -INFINITY;
  size_t i = 0;
  if (n >= LANES) {
    Vec maxima = vec_load (x);
    for (i = LANES; i + LANES <= n; i += LANES)
      maxima = vec_at_least (maxima, vec_load (x + i));
    for (size_t j = 0; j < LANES; j++)
      max = maxima[j] > max ? maxima[j] : max;
  }
  for (; i < n; i++)
    max = x[i] > max ? x[i] : max;
  return max;
}

/* Four sums side by side keep each short, and the adder busy. */
static void
softmax_row (float *x, size_t n)
{
  const Vec max = vec_of (max_of (x, n));
  Vec sums[4] = {vec_of (0), vec_of (0), vec_of (0), vec_of (0)};
  size_t i = 0;
  for (; i + 4 * LANES <= n; i += 4 * LANES)
#pragma GCC unroll 4
    for (size_t j = 0; j < 4; j++) {
      Vec e = vec_exp (vec_load (x + i + j * LANES) - max);
      vec_store (x + i + j * LANES, e);
      sums[j] += e;
    }
  for (; i + LANES <= n; i += LANES) {
    Vec e = vec_exp (vec_load (x + i) - max);
    vec_store (x + i, e);
    sums[0] += e;
  }
  if (i < n) {
    float edge[LANES];
    vec_store (edge, vec_of (-INFINITY));
    memcpy (edge, x + i, (n - i) * sizeof *x);
    Vec e = vec_exp (vec_load (edge) - max);
    vec_store (edge, e);
    memcpy (x + i, edge, (n - i) * sizeof *x);
    sums[1] += e;
  }
  const float inverse = 1 / vec_sum ((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (i = 0; i + LANES <= n; i += LANES)
    vec_store (x + i, vec_load (x + i) * inverse);
  for (; i < n; i++)
    x[i] *= inverse;
}

static inline VecDouble
load_double (const float *x)
{
  VecHalf half;
  memcpy (&half, x, sizeof half);
  return __builtin_convertvector(half, VecDouble);
}

static inline double
sum_double (VecDouble v)
{
  double sum = 0;
  for (size_t i = 0; i < LANES / 2; i++)
    sum += v[i];
  return sum;
}

/* Returns: Σ (x - shift)ᵖ, p = 1 or 2, in double precision. */
ALWAYS_INLINE double
sum_powers (const float *x, size_t n, double shift, const int power)
{
  VecDouble sums[2] = {{0}, {0}};
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
#pragma GCC unroll 2
    for (size_t j = 0; j < 2; j++) {
      VecDouble d = load_double (x + i + j * (LANES / 2)) - shift;
      sums[j] += power == 1 ? d : d * d;
    }
  double sum = sum_double (sums[0] + sums[1]);
  for (; i < n; i++) {
    double d = (double)x[i] - shift;
    sum += power == 1 ? d : d * d;
  }
  return sum;
}

static void
norm_row (const AttnNormRow *row)
{
  const double mean = sum_powers (row->x, row->width, 0, 1) / (double)row->width;
  const double variance = sum_powers (row->x, row->width, mean, 2) / (double)row->width;
  const double inverse = 1 / sqrt (variance + row->eps);
  const float *bias = row->bias;
  size_t i = 0;
  for (; i + LANES / 2 <= row->width; i += LANES / 2) {
    VecDouble y = (load_double (row->x + i) - mean) * inverse * load_double (row->gain + i);
    if (bias != NULL)
      y += load_double (bias + i);
    VecHalf half = __builtin_convertvector(y, VecHalf);
    memcpy (row->out + i, &half, sizeof half);
  }
  for (; i < row->width; i++) {
    double y = ((double)row->x[i] - mean) * inverse * (double)row->gain[i];
    row->out[i] = (float)(bias == NULL ? y : y + (double)bias[i]);
  }
}

const AttnKernels KERNELS = {
    .name = KERNELS_NAME,
    .describe = describe,
    .is_there = IS_THERE,
    .panel = PANEL,
    .tile_rows = TILE_ROWS,
    .block_rows = BLOCK_ROWS,
    .same_bits = SAME_BITS,
    .from_library = FROM_LIBRARY,
    .multiply = multiply,
    .transpose = transpose,
    .activate = activate,
    .softmax_row = softmax_row,
    .norm_row = norm_row,
    .add_distances = add_distances,
};
