/* SPDX-License-Identifier: MIT */
/* The kernels on 16 floats at a time, for x86-64 CPUs with AVX-512F. */
#include "kernels.h"

#ifdef ATTN_KERNELS_X86

#include <immintrin.h>

#pragma GCC target("avx512f,avx2,fma")

#define LANES 16
#define TILE_ROWS 8
#define KERNELS attn_kernels_avx512
#define KERNELS_NAME "avx512"

typedef float Vec __attribute__ ((vector_size (64)));

static inline Vec
vec_fma (Vec a, Vec b, Vec c)
{
  return (Vec)_mm512_fmadd_ps ((__m512)a, (__m512)b, (__m512)c);
}

/* A NaN in @x stays: the instruction gives its second operand then. */
static inline Vec
vec_at_least (Vec x, Vec limit)
{
  return (Vec)_mm512_max_ps ((__m512)limit, (__m512)x);
}

static inline Vec
vec_at_most (Vec x, Vec limit)
{
  return (Vec)_mm512_min_ps ((__m512)limit, (__m512)x);
}

/* Returns: the elements of @v that @index names, each below LANES. */
#define vec_pick(v, index) ((Vec)_mm512_permutexvar_ps ((__m512i)(index), (__m512)(v)))
#define vec_reverse(v) \
  __builtin_shufflevector (v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)

#define vec_zip_low(a, b) \
  __builtin_shufflevector (a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define vec_zip_high(a, b) \
  __builtin_shufflevector (a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

static const char *
describe (void)
{
  return "own avx512 8x32";
}

#include "kernels-product.h"
#include "kernels-transpose.h"

/* on squares of those */
#include "kernels-distances.h"

/* last, with the table of the set */
#include "kernels-rows.h"

#endif
