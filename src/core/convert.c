/* SPDX-License-Identifier: MIT */
/* Stored number formats to f32: F16 by hardware where there is some, by bits elsewhere. */
#include "convert.h"

#include <glib.h>

#include <math.h>
#include <string.h>

/* clang 14 cannot ask for this CPU feature by name */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define HAVE_F16C 1
#include <immintrin.h>
#else
#define HAVE_F16C 0
#endif

static guint16
load_u16 (const char *in)
{
  guint16 raw;
  memcpy (&raw, in, sizeof raw);
  return GUINT16_FROM_LE (raw);
}

static guint32
float_bits (float value)
{
  guint32 bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* F16: sign 1, exponent 5 (bias 15), fraction 10; f32: 1, 8 (bias 127), 23. */
static guint32
widen_f16 (guint16 half)
{
  const guint32 rebias = (guint32)(127 - 15) << 23;
  guint32 sign = (guint32)(half & 0x8000u) << 16;
  guint32 magnitude = half & 0x7FFFu;
  guint32 quiet = magnitude > 0x7C00u ? 0x00400000u : 0;
  guint32 normal = (magnitude << 13) + rebias;
  guint32 special = (normal + rebias) | quiet;
  guint32 subnormal = float_bits ((float)(gint32)magnitude * 0x1p-24f);
  guint32 finite = magnitude < 0x0400u ? subnormal : normal;
  return sign | (magnitude >= 0x7C00u ? special : finite);
}

void
attn_convert_f16_portable (const void *in, float *out, size_t n)
{
  const char *bytes = in;
  for (size_t i = 0; i < n; i++) {
    guint32 bits = widen_f16 (load_u16 (bytes + 2 * i));
    memcpy (&out[i], &bits, sizeof bits);
  }
}

#if HAVE_F16C
__attribute__ ((target ("avx,f16c"))) static void
convert_f16_f16c (const void *in, float *out, size_t n)
{
  const char *bytes = in;
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    __m128i halves = _mm_loadu_si128 ((const __m128i *)(const void *)(bytes + 2 * i));
    _mm256_storeu_ps (out + i, _mm256_cvtph_ps (halves));
  }
  attn_convert_f16_portable (bytes + 2 * i, out + i, n - i);
}
#endif

static void
convert_f16 (const void *in, float *out, size_t n)
{
#if HAVE_F16C
  if (__builtin_cpu_supports ("avx") && __builtin_cpu_supports ("f16c")) {
    convert_f16_f16c (in, out, n);
    return;
  }
#endif
  attn_convert_f16_portable (in, out, n);
}

static void
convert_bf16 (const void *in, float *out, size_t n)
{
  const char *bytes = in;
  for (size_t i = 0; i < n; i++) {
    guint32 bits = (guint32)load_u16 (bytes + 2 * i) << 16;
    memcpy (&out[i], &bits, sizeof bits);
  }
}

static void
convert_f32 (const void *in, float *out, size_t n)
{
  const char *bytes = in;
  for (size_t i = 0; i < n; i++) {
    guint32 bits;
    memcpy (&bits, bytes + 4 * i, sizeof bits);
    bits = GUINT32_FROM_LE (bits);
    memcpy (&out[i], &bits, sizeof bits);
  }
}

static double
read_f64 (const char *bytes)
{
  guint64 bits;
  double value;
  memcpy (&bits, bytes, sizeof bits);
  bits = GUINT64_FROM_LE (bits);
  memcpy (&value, &bits, sizeof value);
  return value;
}

static void
convert_f64 (const void *in, float *out, size_t n)
{
  const char *bytes = in;
  for (size_t i = 0; i < n; i++)
    out[i] = (float)read_f64 (bytes + 8 * i);
}

size_t
attn_convert_get_width (AttnDtype dtype)
{
  switch (dtype) {
  case ATTN_DTYPE_F32:
    return 4;
  case ATTN_DTYPE_F16:
  case ATTN_DTYPE_BF16:
    return 2;
  case ATTN_DTYPE_F64:
    return 8;
  case ATTN_DTYPE_OTHER:
  default:
    return 0;
  }
}

void
attn_convert_to_f32 (AttnDtype dtype, const void *in, float *out, size_t n)
{
  switch (dtype) {
  case ATTN_DTYPE_F32:
    convert_f32 (in, out, n);
    break;
  case ATTN_DTYPE_F16:
    convert_f16 (in, out, n);
    break;
  case ATTN_DTYPE_BF16:
    convert_bf16 (in, out, n);
    break;
  case ATTN_DTYPE_F64:
    convert_f64 (in, out, n);
    break;
  case ATTN_DTYPE_OTHER:
  default:
    g_assert_not_reached ();
  }
}

void
attn_convert_note_infinities (
    AttnDtype dtype, const void *in, const float *out, size_t n, AttnInfinities *noted)
{
  const char *bytes = in;
  for (size_t i = 0; i < n; i++) {
    if (!isinf (out[i]))
      continue;
    const double stored = dtype == ATTN_DTYPE_F64 ? read_f64 (bytes + 8 * i) : (double)out[i];
    if (isinf (stored)) {
      noted->has_infinite = true;
    } else {
      noted->n_too_large++;
      noted->largest = MAX (noted->largest, fabs (stored));
    }
  }
}

void
attn_convert_join_infinities (AttnInfinities *noted, const AttnInfinities *more)
{
  noted->n_too_large += more->n_too_large;
  noted->largest = MAX (noted->largest, more->largest);
  noted->has_infinite |= more->has_infinite;
}
