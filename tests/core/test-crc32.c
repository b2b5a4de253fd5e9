/* SPDX-License-Identifier: MIT */
/* Checksums: known ones, every length and alignment against zlib's, parts put together. */
#include "crc32.h"

#include <glib.h>

static void
test_known (void)
{
  g_assert_cmphex (attn_crc32 ("123456789", 9), ==, 0xcbf43926); /* the standard's check value */
  g_assert_cmphex (attn_crc32 ("", 0), ==, 0);
  g_autofree char *zeros = g_malloc0 (32);
  g_assert_cmphex (attn_crc32 (zeros, 32), ==, 0x190a55ad);
}

static void
test_lengths (void)
{
  enum { N = 1200 };
  g_autofree guint8 *bytes = g_malloc (N);
  for (guint i = 0; i < N; i++)
    bytes[i] = (guint8)(i * 2654435761u >> 11);
  for (guint n = 0; n < N - 16; n += n < 300 ? 1 : 61)
    for (guint begin = 0; begin < 16; begin += 5) {
      g_autofree guint8 *exact = g_memdup2 (bytes + begin, n);
      g_assert_cmphex (attn_crc32 (bytes + begin, n), ==, attn_crc32_portable (bytes + begin, n));
      g_assert_cmphex (attn_crc32 (exact, n), ==, attn_crc32_portable (exact, n));
    }
}

static void
test_parts (void)
{
  enum { N = 5000 };
  g_autofree guint8 *bytes = g_malloc (N);
  for (guint i = 0; i < N; i++)
    bytes[i] = (guint8)(i * 40503u >> 5);
  guint32 sum = 0;
  for (guint part = 10; part-- > 0;) /* from the last to the first */
    sum ^= attn_crc32_shift (attn_crc32 (bytes + part * N / 10, N / 10), N - (part + 1) * N / 10);
  g_assert_cmphex (sum, ==, attn_crc32 (bytes, N));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crc32/known", test_known);
  g_test_add_func ("/crc32/lengths", test_lengths);
  g_test_add_func ("/crc32/parts", test_parts);
  return g_test_run ();
}
