/* SPDX-License-Identifier: MIT */
/* SHA-256 by the instructions of x86 processors, and by GLib where there are none. */
#include "attn/sha256.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#define HAS_X86
#include <cpuid.h>
#include <immintrin.h>
#endif

#ifdef HAS_X86

#define N_ROUNDS 64

/* The first bits of the cube roots' fractions of the first 64 primes … */
static const guint32 round_constants[N_ROUNDS] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u,
    0xab1c5ed5u, 0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu,
    0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu,
    0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u,
    0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu,
    0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u, 0xa2bfe8a1u, 0xa81a664bu,
    0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u,
    0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u,
    0xc67178f2u,
};

/* … and of the square roots' of the first eight. */
static const guint32 initial_state[8] = {
    0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
    0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u,
};

static gboolean
has_instructions (void)
{
  unsigned a, b, c, d;
  return __builtin_cpu_supports ("sse4.1") && __get_cpuid_count (7, 0, &a, &b, &c, &d) != 0 &&
         (b & bit_SHA) != 0;
}

/* Four rounds a step; the instructions keep the state as ABEF and CDGH, highest word first. */
__attribute__ ((target ("sha,sse4.1"))) static void
compress_x86 (guint32 state[8], const guint8 *blocks, size_t n_blocks)
{
  const __m128i bytes = _mm_set_epi64x (0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i dcba = _mm_loadu_si128 ((const __m128i *)(const void *)state);
  __m128i hgfe = _mm_loadu_si128 ((const __m128i *)(const void *)(state + 4));
  __m128i cdab = _mm_shuffle_epi32 (dcba, 0xb1), efgh = _mm_shuffle_epi32 (hgfe, 0x1b);
  __m128i abef = _mm_alignr_epi8 (cdab, efgh, 8), cdgh = _mm_blend_epi16 (efgh, cdab, 0xf0);

  for (; n_blocks > 0; n_blocks--, blocks += ATTN_SHA256_BLOCK) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; i++)
      w[i] = _mm_shuffle_epi8 (_mm_loadu_si128 ((const __m128i *)(const void *)(blocks + 16 * i)),
                               bytes);
#pragma GCC unroll 16
    for (int i = 0; i < N_ROUNDS / 4; i++) {
      const __m128i *k = (const __m128i *)(const void *)(round_constants + 4 * i);
      __m128i sums = _mm_add_epi32 (w[i & 3], _mm_loadu_si128 (k));
      cdgh = _mm_sha256rnds2_epu32 (cdgh, abef, sums);
      abef = _mm_sha256rnds2_epu32 (abef, cdgh, _mm_shuffle_epi32 (sums, 0x0e));
      __m128i older = _mm_sha256msg1_epu32 (w[i & 3], w[(i + 1) & 3]);
      __m128i newer = _mm_alignr_epi8 (w[(i + 3) & 3], w[(i + 2) & 3], 4);
      w[i & 3] = _mm_sha256msg2_epu32 (_mm_add_epi32 (older, newer), w[(i + 3) & 3]);
    }
    abef = _mm_add_epi32 (abef, abef_before);
    cdgh = _mm_add_epi32 (cdgh, cdgh_before);
  }
  __m128i feba = _mm_shuffle_epi32 (abef, 0x1b), dchg = _mm_shuffle_epi32 (cdgh, 0xb1);
  _mm_storeu_si128 ((__m128i *)(void *)state, _mm_blend_epi16 (feba, dchg, 0xf0));
  _mm_storeu_si128 ((__m128i *)(void *)(state + 4), _mm_alignr_epi8 (dchg, feba, 8));
}

/* Whole blocks; the last bytes are held back until there is a block of them. */
static void
update_x86 (AttnSha256 *sum, const guint8 *next, size_t n)
{
  size_t held = sum->n_bytes % ATTN_SHA256_BLOCK;
  sum->n_bytes += n;
  if (held > 0) {
    size_t taken = MIN (n, ATTN_SHA256_BLOCK - held);
    memcpy (sum->block + held, next, taken);
    if (held + taken < ATTN_SHA256_BLOCK)
      return;
    compress_x86 (sum->state, sum->block, 1);
    next += taken;
    n -= taken;
  }
  compress_x86 (sum->state, next, n / ATTN_SHA256_BLOCK);
  next += n - n % ATTN_SHA256_BLOCK;
  memcpy (sum->block, next, n % ATTN_SHA256_BLOCK);
}

/* A bit, zeros up to the end of a block but for eight bytes, and the number of bits there. */
static void
finish_x86 (AttnSha256 *sum, char hex[ATTN_SHA256_HEX_SIZE])
{
  static const guint8 padding[ATTN_SHA256_BLOCK] = {0x80};
  const size_t room = ATTN_SHA256_BLOCK - sizeof (guint64);
  guint64 n_bits = GUINT64_TO_BE (sum->n_bytes * 8);
  size_t held = sum->n_bytes % ATTN_SHA256_BLOCK;
  update_x86 (sum, padding, held < room ? room - held : ATTN_SHA256_BLOCK - held);
  if (held >= room)
    update_x86 (sum, padding + 1, room);
  update_x86 (sum, (const guint8 *)&n_bits, sizeof n_bits);
  for (int i = 0; i < 8; i++)
    g_snprintf (hex + 8 * i, 9, "%08x", sum->state[i]);
}

#endif

void
attn_sha256_init (AttnSha256 *sum)
{
  *sum = (AttnSha256){.glib = NULL};
#ifdef HAS_X86
  memcpy (sum->state, initial_state, sizeof initial_state);
  if (has_instructions ())
    return;
#endif
  sum->glib = g_checksum_new (G_CHECKSUM_SHA256);
}

void
attn_sha256_clear (AttnSha256 *sum)
{
  g_clear_pointer (&sum->glib, g_checksum_free);
}

void
attn_sha256_update (AttnSha256 *sum, const void *bytes, size_t n)
{
  if (sum->glib != NULL)
    g_checksum_update (sum->glib, bytes, (gssize)n);
#ifdef HAS_X86
  else
    update_x86 (sum, bytes, n);
#endif
}

void
attn_sha256_finish (AttnSha256 *sum, char hex[ATTN_SHA256_HEX_SIZE])
{
  if (sum->glib != NULL)
    g_strlcpy (hex, g_checksum_get_string (sum->glib), ATTN_SHA256_HEX_SIZE);
#ifdef HAS_X86
  else
    finish_x86 (sum, hex);
#endif
}
