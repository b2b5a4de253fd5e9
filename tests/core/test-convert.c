/* SPDX-License-Identifier: MIT */
/* Stored number formats to f32, bit by bit. */
#include "convert.h"

#include <glib.h>

#include <math.h>
#include <string.h>

static guint32
bits_of (float value)
{
  guint32 bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* The definition, in double arithmetic: no bit trick is shared with the code under test. */
static double
decode_f16 (guint32 half)
{
  double sign = half >> 15 ? -1 : 1;
  int exponent = half >> 10 & 31;
  double fraction = half & 1023;
  if (exponent == 31)
    return fraction == 0 ? sign * (double)INFINITY : (double)NAN;
  if (exponent == 0)
    return sign * ldexp (fraction, -24);
  return sign * ldexp (1024 + fraction, exponent - 25);
}

static void
assert_f16 (guint32 half, float value)
{
  double wanted = decode_f16 (half);
  if (isnan (wanted)) {
    /* the fraction moves to the upper bits, the quiet bit is set */
    guint32 nan = (half & 0x8000u) << 16 | 0x7FC00000u | (half & 0x3FFu) << 13;
    g_assert_cmphex (bits_of (value), ==, nan);
  } else {
    /* every f16 is an f32, so the bits are equal; that tells -0 from 0 as well */
    g_assert_cmphex (bits_of (value), ==, bits_of ((float)wanted));
  }
}

static void
test_f16 (void)
{
  enum { ALL = 65536 };
  g_autofree guint16 *halves = g_new (guint16, ALL);
  g_autofree float *fast = g_new (float, ALL);
  g_autofree float *portable = g_new (float, ALL);
  for (guint32 i = 0; i < ALL; i++)
    halves[i] = GUINT16_TO_LE ((guint16)i);
  attn_convert_to_f32 (ATTN_DTYPE_F16, halves, fast, ALL);
  attn_convert_f16_portable (halves, portable, ALL);
  for (guint32 i = 0; i < ALL; i++) {
    assert_f16 (i, fast[i]);
    assert_f16 (i, portable[i]);
  }
}

static void
test_bf16 (void)
{
  enum { ALL = 65536 };
  g_autofree guint16 *halves = g_new (guint16, ALL);
  g_autofree float *values = g_new (float, ALL);
  for (guint32 i = 0; i < ALL; i++)
    halves[i] = GUINT16_TO_LE ((guint16)i);
  attn_convert_to_f32 (ATTN_DTYPE_BF16, halves, values, ALL);
  for (guint32 i = 0; i < ALL; i++)
    g_assert_cmphex (bits_of (values[i]), ==, i << 16);
}

static void
test_f64 (void)
{
  const struct {
    double value;
    guint32 bits;
  } rows[] = {
      {0.0, 0x00000000},
      {-0.0, 0x80000000},
      {1.0, 0x3F800000},
      {0.1, 0x3DCCCCCD},
      {1.0 + 0x1p-24, 0x3F800000},           /* half-way: to even, down */
      {1.0 + 3 * 0x1p-24, 0x3F800002},       /* half-way: to even, up */
      {1.0 + 0x1p-24 + 0x1p-50, 0x3F800001}, /* above half-way */
      {0x1p-149, 0x00000001},                /* smallest subnormal */
      {0x1p-150, 0x00000000},
      {0x1.8p-150, 0x00000001},
      {0x1.fffffep127, 0x7F7FFFFF},
      {1e39, 0x7F800000},
      {-1e39, 0xFF800000},
      {(double)INFINITY, 0x7F800000},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    float value = 0;
    guint64 bits;
    memcpy (&bits, &rows[i].value, sizeof bits);
    bits = GUINT64_TO_LE (bits);
    attn_convert_to_f32 (ATTN_DTYPE_F64, &bits, &value, 1);
    g_assert_cmphex (bits_of (value), ==, rows[i].bits);
  }
  double nan = (double)NAN;
  float value = 0;
  attn_convert_to_f32 (ATTN_DTYPE_F64, &nan, &value, 1);
  g_assert_true (isnan (value));
}

/* Every length around the vector width, from an odd address, and nothing written behind the end. */
/* Only what F64 alone can hold counts as too large. */
static void
test_infinities (void)
{
  const double doubles[] = {1, 0x1.fffffep127, 1e39, (double)INFINITY, -3e300, (double)NAN};
  const float floats[] = {1, INFINITY, -INFINITY};
  guint64 stored[G_N_ELEMENTS (doubles)];
  float values[G_N_ELEMENTS (doubles)];
  for (size_t i = 0; i < G_N_ELEMENTS (doubles); i++) {
    memcpy (&stored[i], &doubles[i], sizeof stored[i]);
    stored[i] = GUINT64_TO_LE (stored[i]);
  }
  attn_convert_to_f32 (ATTN_DTYPE_F64, stored, values, G_N_ELEMENTS (doubles));
  AttnInfinities noted = {0}, more = {0};
  attn_convert_note_infinities (ATTN_DTYPE_F64, stored, values, 3, &noted);
  g_assert_cmpuint (noted.n_too_large, ==, 1);
  g_assert_cmpfloat (noted.largest, ==, 1e39);
  g_assert_false (noted.has_infinite);
  attn_convert_note_infinities (ATTN_DTYPE_F64, stored + 3, values + 3, 3, &more);
  g_assert_true (more.has_infinite);
  attn_convert_join_infinities (&noted, &more);
  g_assert_cmpuint (noted.n_too_large, ==, 2);
  g_assert_cmpfloat (noted.largest, ==, 3e300);
  g_assert_true (noted.has_infinite);
  AttnInfinities single = {0};
  attn_convert_note_infinities (ATTN_DTYPE_F32, floats, floats, 3, &single);
  g_assert_cmpuint (single.n_too_large, ==, 0);
  g_assert_true (single.has_infinite);
}

static void
test_lengths (void)
{
  const AttnDtype dtypes[] = {ATTN_DTYPE_F16, ATTN_DTYPE_BF16, ATTN_DTYPE_F32, ATTN_DTYPE_F64};
  enum { MAX = 19 };
  for (size_t d = 0; d < G_N_ELEMENTS (dtypes); d++) {
    size_t width = attn_convert_get_width (dtypes[d]);
    char bytes[1 + 8 * MAX] = {0};
    float whole[MAX];
    for (size_t i = 0; i < sizeof bytes; i++)
      bytes[i] = (char)(i * 37 % 61); /* small exponents: no NaN */
    attn_convert_to_f32 (dtypes[d], bytes + 1, whole, MAX);
    for (size_t n = 0; n <= MAX; n++) {
      g_autofree char *exact = g_malloc (width * n + 1);
      g_autofree float *out = g_new (float, n + 1);
      memcpy (exact + 1, bytes + 1, width * n);
      out[n] = 12345.0f;
      attn_convert_to_f32 (dtypes[d], exact + 1, out, n);
      g_assert_cmpmem (out, n * sizeof *out, whole, n * sizeof *whole);
      g_assert_cmpfloat (out[n], ==, 12345.0f);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/convert/f16", test_f16);
  g_test_add_func ("/convert/bf16", test_bf16);
  g_test_add_func ("/convert/f64", test_f64);
  g_test_add_func ("/convert/infinities", test_infinities);
  g_test_add_func ("/convert/lengths", test_lengths);
  return g_test_run ();
}
