/* SPDX-License-Identifier: MIT */
/* The two hashes that blobs are called by. */
#include "blob-hash.h"

#include "attn/error.h"
#include "attn/quote.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define MAX_ETAG 128

AttnHubHash
attn_hub_hash_of_etag (const char *etag)
{
  g_return_val_if_fail (etag != NULL, ATTN_HUB_HASH_NONE);
  size_t n = strlen (etag);
  if (strspn (etag, "0123456789abcdef") != n)
    return ATTN_HUB_HASH_NONE;
  return n == 64 ? ATTN_HUB_HASH_SHA256 : n == 40 ? ATTN_HUB_HASH_GIT : ATTN_HUB_HASH_NONE;
}

bool
attn_hub_check_etag (const char *etag, GError **error)
{
  g_return_val_if_fail (etag != NULL, false);
  size_t n = strlen (etag);
  bool good = n > 0 && n <= MAX_ETAG;
  for (const char *p = etag; *p != '\0'; p++)
    good &= g_ascii_isalnum (*p) || *p == '-' || *p == '_';
  if (good)
    return true;
  g_autofree char *shown = attn_file_dup_shown (etag, n);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "found the etag \"%s\", wanted 1 to %d letters, digits, - and _", shown, MAX_ETAG);
  return false;
}

bool
attn_hub_read_pieces (int fd, guint64 n_bytes, AttnHubPieceFunc func, void *data)
{
  g_autofree char *piece = g_malloc (ATTN_HUB_PIECE);
  for (guint64 at = 0; at < n_bytes;) {
    ssize_t n = pread (fd, piece, (size_t)MIN (n_bytes - at, ATTN_HUB_PIECE), (off_t)at);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      errno = n == 0 ? EIO : errno;
      return false;
    }
    if (!func (piece, (size_t)n, data)) {
      errno = ECANCELED;
      return false;
    }
    at += (guint64)n;
  }
  return true;
}

/* A file being hashed. */
typedef struct {
  AttnSha256 sha256;
  GChecksum *sha1; /* or NULL */
  bool (*tell) (guint64 n_more, void *data);
  void *data;
} Hashing;

static bool
hash_piece (const void *bytes, size_t n, void *data)
{
  Hashing *hashing = data;
  if (hashing->sha1 != NULL)
    g_checksum_update (hashing->sha1, bytes, (gssize)n);
  else
    attn_sha256_update (&hashing->sha256, bytes, n);
  return hashing->tell == NULL || hashing->tell (n, hashing->data);
}

bool
attn_hub_hash_file (int fd,
                    guint64 n_bytes,
                    AttnHubHash kind,
                    bool (*tell) (guint64 n_more, void *data),
                    void *data,
                    char hex[ATTN_SHA256_HEX_SIZE])
{
  hex[0] = '\0';
  if (kind == ATTN_HUB_HASH_NONE)
    return true;
  g_autoptr (GChecksum) sha1 = kind == ATTN_HUB_HASH_GIT ? g_checksum_new (G_CHECKSUM_SHA1) : NULL;
  Hashing hashing = {.sha1 = sha1, .tell = tell, .data = data};
  attn_sha256_init (&hashing.sha256);
  if (sha1 != NULL) {
    g_autofree char *head = g_strdup_printf ("blob %" G_GUINT64_FORMAT, n_bytes);
    g_checksum_update (sha1, (const guchar *)head, (gssize)strlen (head) + 1);
  }
  bool done = attn_hub_read_pieces (fd, n_bytes, hash_piece, &hashing);
  if (done && sha1 != NULL)
    g_strlcpy (hex, g_checksum_get_string (sha1), ATTN_SHA256_HEX_SIZE);
  else if (done)
    attn_sha256_finish (&hashing.sha256, hex);
  int reason = errno;
  attn_sha256_clear (&hashing.sha256);
  errno = reason;
  return done;
}
