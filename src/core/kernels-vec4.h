/* SPDX-License-Identifier: MIT */
/* Vectors of 4 floats in the compiler's own terms, for every CPU; included by a file that has set
 * LANES to 4. */
#pragma once

typedef float Vec __attribute__ ((vector_size (16)));

static inline Vec
vec_fma (Vec a, Vec b, Vec c)
{
  return a * b + c;
}

/* Where the comparison holds, and with it not for NaN, the limit's bits; elsewhere the bits of x.
 */
static inline Vec
vec_at_least (Vec x, Vec limit)
{
  return (Vec)(((x < limit) & (__typeof__ (x < limit))limit) |
               (~(x < limit) & (__typeof__ (x < limit))x));
}

static inline Vec
vec_at_most (Vec x, Vec limit)
{
  return (Vec)(((x > limit) & (__typeof__ (x > limit))limit) |
               (~(x > limit) & (__typeof__ (x > limit))x));
}

/* Returns: the elements of @v that @index names, each below LANES. */
#define vec_pick(v, index) \
  ((Vec){(v)[(index)[0]], (v)[(index)[1]], (v)[(index)[2]], (v)[(index)[3]]})
#define vec_reverse(v) __builtin_shufflevector (v, v, 3, 2, 1, 0)

#define vec_zip_low(a, b) __builtin_shufflevector (a, b, 0, 4, 1, 5)
#define vec_zip_high(a, b) __builtin_shufflevector (a, b, 2, 6, 3, 7)
