/* SPDX-License-Identifier: MIT */
/* CRC-32: zlib's, and where the CPU multiplies without carry, four strands of 16 bytes at once. */
#include "crc32.h"

#include <string.h>
#include <zlib.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_PCLMUL 1
#include <immintrin.h>
#else
#define HAVE_PCLMUL 0
#endif

guint32
attn_crc32_portable (const void *bytes, size_t n)
{
  return (guint32)crc32_z (crc32_z (0, NULL, 0), bytes, n);
}

guint32
attn_crc32_shift (guint32 crc, guint64 n)
{
  return (guint32)crc32_combine (crc, 0, (z_off_t)n);
}

#if HAVE_PCLMUL
enum { LANE = 16, STRIDE = 4 * LANE };

/* x^512±32 and x^128±32 modulo the polynomial, bits reflected: what a strand is multiplied by to
 * stand 64 or 16 bytes further on. */
static const guint64 fold_by_64[2] = {0x0154442bd4, 0x01c6e41596};
static const guint64 fold_by_16[2] = {0x01751997d0, 0x00ccaa009e};

__attribute__ ((target ("pclmul,sse2"))) static inline __m128i
fold (__m128i strand, __m128i next, __m128i by)
{
  __m128i low = _mm_clmulepi64_si128 (strand, by, 0x00);
  __m128i high = _mm_clmulepi64_si128 (strand, by, 0x11);
  return _mm_xor_si128 (_mm_xor_si128 (low, high), next);
}

/* Folds whole strides of @bytes into 16 that have the same remainder; @n is a multiple of 64. */
__attribute__ ((target ("pclmul,sse2"))) static void
fold_strides (const char *bytes, size_t n, guint32 start, char out[LANE])
{
  const __m128i *in = (const __m128i *)(const void *)bytes;
  __m128i by = _mm_loadu_si128 ((const __m128i *)(const void *)fold_by_64);
  __m128i strand[4];
  for (size_t i = 0; i < 4; i++)
    strand[i] = _mm_loadu_si128 (in + i);
  strand[0] = _mm_xor_si128 (strand[0], _mm_cvtsi32_si128 ((int)start));
  for (size_t at = STRIDE; at < n; at += STRIDE)
    for (size_t i = 0; i < 4; i++)
      strand[i] = fold (strand[i], _mm_loadu_si128 (in + at / LANE + i), by);
  by = _mm_loadu_si128 ((const __m128i *)(const void *)fold_by_16);
  __m128i all = strand[0];
  for (size_t i = 1; i < 4; i++)
    all = fold (all, strand[i], by);
  _mm_storeu_si128 ((__m128i *)(void *)out, all);
}

static guint32
crc32_folded (const char *bytes, size_t n)
{
  char rest[LANE];
  size_t n_folded = n / STRIDE * STRIDE;
  fold_strides (bytes, n_folded, ~(guint32)0, rest);
  /* zlib inverts its start and its result; here both must be as they are */
  guint32 crc = (guint32)crc32_z (~(guint32)0, (const Bytef *)rest, LANE);
  return (guint32)crc32_z (crc, (const Bytef *)bytes + n_folded, n - n_folded);
}
#endif

guint32
attn_crc32 (const void *bytes, size_t n)
{
#if HAVE_PCLMUL
  if (n >= STRIDE && __builtin_cpu_supports ("pclmul"))
    return crc32_folded (bytes, n);
#endif
  return attn_crc32_portable (bytes, n);
}
