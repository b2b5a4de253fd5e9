/* SPDX-License-Identifier: MIT */
/* Looks characters up in the generated tables. */
#include "unicode.h"

#include "unicode-tables.h"

unsigned
attn_char_find_flags (gunichar c)
{
  size_t low = 0, high = attn_n_char_ranges;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (c > attn_char_ranges[middle].last)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == attn_n_char_ranges || c < attn_char_ranges[low].first)
    return 0;
  return attn_char_ranges[low].flags;
}

gunichar
attn_char_find_lower (gunichar c)
{
  size_t low = 0, high = attn_n_lower_ranges;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (c > attn_lower_ranges[middle].last)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == attn_n_lower_ranges || c < attn_lower_ranges[low].first)
    return c;
  const AttnLowerRange *range = &attn_lower_ranges[low];
  return (c - range->first) % range->step == 0 ? (gunichar)((gint32)c + range->distance) : c;
}

size_t
attn_char_decompose (gunichar c, unsigned flags, gunichar *out)
{
  if ((flags & ATTN_CHAR_DECOMPOSES) == 0) {
    out[0] = c;
    return 1;
  }
  return g_unichar_fully_decompose (c, FALSE, out, ATTN_CHAR_MAX_DECOMPOSED);
}

bool
attn_utf8_check (const char *text, size_t n_bytes, size_t *at)
{
  const char *rest = text, *end = text + n_bytes;
  while (!g_utf8_validate_len (rest, (size_t)(end - rest), &rest)) {
    if (*rest != '\0') {
      *at = (size_t)(rest - text);
      return false;
    }
    rest++; /* GLib stops at U+0000, which is a character like any other here */
  }
  return true;
}
