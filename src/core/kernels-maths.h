/* SPDX-License-Identifier: MIT */
/* exp and the activation functions on vectors; included by a file that defines Vec and LANES.
 *
 * The coefficients come from tests/tools/fit-kernels.py. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

typedef int32_t VecInt __attribute__ ((vector_size (LANES * 4)));

static inline Vec
vec_load (const float *x)
{
  Vec v;
  memcpy (&v, x, sizeof v);
  return v;
}

static inline void
vec_store (float *x, Vec v)
{
  memcpy (x, &v, sizeof v);
}

static inline Vec
vec_of (float x)
{
  return x - (Vec){0};
}

/* 2ⁿ for |n| ≤ 126. */
static inline Vec
vec_power_of_two (VecInt n)
{
  return (Vec)((n + 127) << 23);
}

/* e^x within 1 unit in the last place, subnormal results included; 0 for -∞, ∞ over 89, NaN for
 * NaN. x = n ln 2 + r, and e^r by a polynomial; adding 1.5·2²³ rounds to a whole number. */
static inline Vec
vec_exp (Vec x)
{
  const Vec magic = vec_of (12582912.0f);
  x = vec_at_most (vec_at_least (x, vec_of (-105)), vec_of (90));
  Vec shifted = vec_fma (x, vec_of (1.442695f), magic);
  Vec n = shifted - magic;
  Vec r = vec_fma (n, vec_of (-0.693145751953125f), x);
  r = vec_fma (n, vec_of (-1.4286068e-06f), r);
  Vec p = vec_of (0.0013813144760206342f);
  p = vec_fma (p, r, vec_of (0.008369418792426586f));
  p = vec_fma (p, r, vec_of (0.04166845604777336f));
  p = vec_fma (p, r, vec_of (0.16666515171527863f));
  p = vec_fma (p, r, vec_of (0.4999999403953552f));
  p = vec_fma (p, r * r, r) + 1;
  /* 2ⁿ in two factors: n may be -151 or 130, more than one exponent holds */
  VecInt whole = (VecInt)shifted - (VecInt)magic;
  VecInt half = whole >> 1;
  return p * vec_power_of_two (half) * vec_power_of_two (whole - half);
}

/* x/2 (1 + erf (x/√2)) = max (x, 0) - |x|/2 erfc (|x|/√2), with log erfc as a polynomial whose
 * error in the result is below 4e-9. From 15 on erfc is 0 in single precision. */
static inline Vec
vec_gelu (Vec x)
{
  Vec size = (Vec)((VecInt)x & INT32_MAX);
  size = vec_at_most (size, vec_of (15));
  Vec p = vec_of (-1.1017737833185492e-08f);
  p = vec_fma (p, size, vec_of (4.0739755036156566e-07f));
  p = vec_fma (p, size, vec_of (-6.009123353578616e-06f));
  p = vec_fma (p, size, vec_of (4.567673386191018e-05f));
  p = vec_fma (p, size, vec_of (-0.00017347835819236934f));
  p = vec_fma (p, size, vec_of (-3.568395914044231e-05f));
  p = vec_fma (p, size, vec_of (0.0048538995906710625f));
  p = vec_fma (p, size, vec_of (-0.03637358173727989f));
  p = vec_fma (p, size, vec_of (-0.3183003067970276f));
  p = vec_fma (p, size, vec_of (-0.7978853583335876f));
  Vec erfc = vec_exp (p * size);
  return vec_at_least (x, vec_of (0)) - size * erfc * 0.5f;
}

/* x/2 (1 + tanh u) = x / (1 + e^(-2u)), u = √(2/π) (x + 0.044715 x³). */
static inline Vec
vec_gelu_tanh (Vec x)
{
  Vec u = vec_fma (x * x * x, vec_of (0.044715f), x) * 0.7978845608028654f;
  return x / (1 + vec_exp (u * -2));
}

static inline Vec
vec_activate (AttnActivation activation, Vec x)
{
  switch (activation) {
  case ATTN_ACTIVATION_GELU:
    return vec_gelu (x);
  case ATTN_ACTIVATION_GELU_TANH:
    return vec_gelu_tanh (x);
  case ATTN_ACTIVATION_RELU:
    return vec_at_least (x, vec_of (0));
  case ATTN_ACTIVATION_SILU:
    return x / (1 + vec_exp (-x));
  }
  return x;
}
