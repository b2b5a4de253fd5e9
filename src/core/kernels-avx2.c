/* SPDX-License-Identifier: MIT */
/* The kernels on 8 floats at a time, for x86-64 CPUs with AVX2 and FMA. */
#include "kernels.h"

#ifdef ATTN_KERNELS_X86

#include <immintrin.h>

#pragma GCC target("avx2,fma")

#define LANES 8
#define TILE_ROWS 6
#define KERNELS attn_kernels_avx2
#define KERNELS_NAME "avx2"

typedef float Vec __attribute__ ((vector_size (32)));

static inline Vec
vec_fma (Vec a, Vec b, Vec c)
{
  return (Vec)_mm256_fmadd_ps ((__m256)a, (__m256)b, (__m256)c);
}

/* A NaN in @x stays: the instruction gives its second operand then. */
static inline Vec
vec_at_least (Vec x, Vec limit)
{
  return (Vec)_mm256_max_ps ((__m256)limit, (__m256)x);
}

static inline Vec
vec_at_most (Vec x, Vec limit)
{
  return (Vec)_mm256_min_ps ((__m256)limit, (__m256)x);
}

/* Returns: the elements of @v that @index names, each below LANES. */
#define vec_pick(v, index) ((Vec)_mm256_permutevar8x32_ps ((__m256)(v), (__m256i)(index)))
#define vec_reverse(v) __builtin_shufflevector (v, v, 7, 6, 5, 4, 3, 2, 1, 0)

#define vec_zip_low(a, b) __builtin_shufflevector (a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define vec_zip_high(a, b) __builtin_shufflevector (a, b, 4, 12, 5, 13, 6, 14, 7, 15)

static const char *
describe (void)
{
  return "own avx2 6x16";
}

#include "kernels-product.h"
#include "kernels-transpose.h"

/* on squares of those */
#include "kernels-distances.h"

/* last, with the table of the set */
#include "kernels-rows.h"

#endif
