/* SPDX-License-Identifier: MIT */
/* SHA-256, at the speed of the processor's own instructions where it has them.
 *
 * For: telling whether files are what they should be. Order of calls: init, update any number of
 * times, finish, clear.
 *
 * Source: FIPS 180-4. Test: tests/core/test-sha256.c, against GLib's. */
#pragma once

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

#define ATTN_SHA256_BLOCK 64    /* bytes */
#define ATTN_SHA256_HEX_SIZE 65 /* bytes of the digest in hexadecimal digits, with its NUL */

typedef struct {
  guint32 state[8];
  guint64 n_bytes; /* so far */
  guint8 block[ATTN_SHA256_BLOCK];
  GChecksum *glib; /* does it all where the processor has no instructions; else NULL */
} AttnSha256;

/* Begins; to be cleared whether finished or not. */
void attn_sha256_init (AttnSha256 *sum);
void attn_sha256_clear (AttnSha256 *sum);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnSha256, attn_sha256_clear)

/* Adds bytes in any portions. */
void attn_sha256_update (AttnSha256 *sum, const void *bytes, size_t n);

/* Writes the digest of all bytes in lower-case digits to @hex; nothing can be added any more. */
void attn_sha256_finish (AttnSha256 *sum, char hex[ATTN_SHA256_HEX_SIZE]);

G_END_DECLS
