/* SPDX-License-Identifier: MIT */
/* A text's characters by their first bytes. */
#include "clusters.h"

#include "char-text.h"
#include "grapheme.h"

#include "attn/error.h"

enum { BEYOND = 256 }; /* bytes read past what matters, so that its last character is whole */

static size_t
find_reach (const char *text, size_t n_bytes, size_t reaches)
{
  if (n_bytes - reaches <= BEYOND)
    return n_bytes;
  reaches += BEYOND;
  while (((guchar)text[reaches] & 0xC0) == 0x80) /* not into the midst of a code point */
    reaches--;
  return reaches;
}

bool
attn_clusters_init (
    AttnClusters *clusters, const char *text, size_t n_bytes, size_t reaches, GError **error)
{
  g_auto (AttnCharText) chars = {0};
  *clusters = (AttnClusters){0};
  attn_char_text_decode (&chars, text, find_reach (text, n_bytes, reaches));
  if (!chars.failed)
    clusters->starts = g_try_new (size_t, chars.n + 1);
  if (clusters->starts == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "a text of %zu bytes: no memory for its characters", n_bytes);
    return false;
  }
  for (size_t at = 0; at < chars.n; at = attn_grapheme_find_end (chars.chars, chars.n, at))
    clusters->starts[clusters->n++] = chars.chars[at].start;
  clusters->starts[clusters->n] = chars.n > 0 ? chars.chars[chars.n - 1].end : 0;
  return true;
}

void
attn_clusters_clear (AttnClusters *clusters)
{
  g_clear_pointer (&clusters->starts, g_free);
  clusters->n = 0;
}

size_t
attn_clusters_find (const AttnClusters *clusters, size_t at)
{
  size_t low = 0, high = clusters->n;
  while (high - low > 1) { /* the last one that begins at @at or before */
    size_t middle = (low + high) / 2;
    if (clusters->starts[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}
