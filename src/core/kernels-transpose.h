/* SPDX-License-Identifier: MIT */
/* The transposition that makes panels; included by a file that defines Vec, LANES, PANEL, and
 * vec_zip_low and vec_zip_high, which interleave the lower and the upper halves of two vectors. */
#pragma once

#include "kernels-maths.h"

/* A square of LANES × LANES: zipping the first half with the second, once per bit of an index,
 * turns rows into columns. */
ALWAYS_INLINE void
transpose_square (float *out, size_t ldo, const float *in, size_t ldi)
{
  Vec v[LANES], zipped[LANES];
#pragma GCC unroll 16
  for (size_t i = 0; i < LANES; i++)
    v[i] = vec_load (in + i * ldi);
#pragma GCC unroll 4
  for (size_t bit = 1; bit < LANES; bit *= 2) {
#pragma GCC unroll 8
    for (size_t i = 0; i < LANES / 2; i++) {
      zipped[2 * i] = vec_zip_low (v[i], v[i + LANES / 2]);
      zipped[2 * i + 1] = vec_zip_high (v[i], v[i + LANES / 2]);
    }
#pragma GCC unroll 16
    for (size_t i = 0; i < LANES; i++)
      v[i] = zipped[i];
  }
#pragma GCC unroll 16
  for (size_t i = 0; i < LANES; i++)
    vec_store (out + i * ldo, v[i]);
}

static void
transpose (float *panel, const float *rows, size_t ld, size_t n_rows, size_t n_in)
{
  for (size_t half = 0; half < PANEL; half += LANES) {
    size_t n = half >= n_rows ? 0 : n_rows - half < LANES ? n_rows - half : LANES;
    size_t k = 0;
    if (n == LANES)
      for (; k + LANES <= n_in; k += LANES)
        transpose_square (panel + k * PANEL + half, PANEL, rows + half * ld + k, ld);
    for (; k < n_in; k++)
      for (size_t i = 0; i < LANES; i++)
        panel[k * PANEL + half + i] = i < n ? rows[(half + i) * ld + k] : 0;
  }
}
