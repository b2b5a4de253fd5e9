/* SPDX-License-Identifier: MIT */
/* SHA-256 against GLib's, at every length around a block and in pieces of every size. */
#include "attn/sha256.h"

#define N 5000

static void
assert_digest (const guint8 *bytes, size_t n, size_t piece)
{
  g_auto (AttnSha256) sum;
  char hex[ATTN_SHA256_HEX_SIZE];
  attn_sha256_init (&sum);
  for (size_t at = 0; at < n; at += piece)
    attn_sha256_update (&sum, bytes + at, MIN (piece, n - at));
  attn_sha256_finish (&sum, hex);
  g_autofree char *wanted = g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes, n);
  g_assert_cmpstr (hex, ==, wanted);
}

static void
test_known (void)
{
  char hex[ATTN_SHA256_HEX_SIZE];
  g_auto (AttnSha256) nothing;
  attn_sha256_init (&nothing);
  attn_sha256_finish (&nothing, hex);
  g_assert_cmpstr (hex, ==, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  g_auto (AttnSha256) letters;
  attn_sha256_init (&letters);
  attn_sha256_update (&letters, "abc", 3);
  attn_sha256_finish (&letters, hex);
  g_assert_cmpstr (hex, ==, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void
test_lengths (void)
{
  g_autofree guint8 *bytes = g_malloc (N);
  for (guint i = 0; i < N; i++)
    bytes[i] = (guint8)(i * 2654435761u >> 13);
  for (size_t n = 0; n < 300; n++) {
    g_autofree guint8 *exact = g_memdup2 (bytes, n);
    assert_digest (exact, n, n + 1);
  }
  for (size_t piece = 1; piece < 200; piece++)
    assert_digest (bytes + piece % 7, N - piece, piece);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sha256/known", test_known);
  g_test_add_func ("/sha256/lengths", test_lengths);
  return g_test_run ();
}
