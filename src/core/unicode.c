/* SPDX-License-Identifier: MIT */
/* Looks characters up in the generated tables. */
#include "unicode.h"

#include "unicode-tables.h"

#include <string.h>

/* 0 for what lies in no range. */
static guint16
find_value (const AttnCharRange *ranges, size_t n, gunichar c)
{
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (c > ranges[middle].last)
      low = middle + 1;
    else
      high = middle;
  }
  return low == n || c < ranges[low].first ? 0 : ranges[low].value;
}

unsigned
attn_char_find_flags (gunichar c)
{
  return find_value (attn_char_ranges, attn_n_char_ranges, c);
}

unsigned
attn_char_find_classes (gunichar c)
{
  return find_value (attn_class_ranges, attn_n_class_ranges, c);
}

AttnCharBreak
attn_char_find_break (gunichar c)
{
  enum { FIRST_SYLLABLE = 0xAC00, LAST_SYLLABLE = 0xD7A3, N_FINALS = 28 };
  if (c >= FIRST_SYLLABLE && c <= LAST_SYLLABLE)
    return (c - FIRST_SYLLABLE) % N_FINALS == 0 ? ATTN_BREAK_HANGUL_LV : ATTN_BREAK_HANGUL_LVT;
  return (AttnCharBreak)find_value (attn_break_ranges, attn_n_break_ranges, c);
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

size_t
attn_char_decompose_compatible (gunichar c, gunichar *out)
{
  return g_unichar_fully_decompose (c, TRUE, out, ATTN_CHAR_MAX_COMPATIBLE);
}

gunichar
attn_char_compose (gunichar first, gunichar second)
{
  gunichar composed;
  if (!g_unichar_compose (first, second, &composed))
    return 0;
  /* GLib may know compositions that came later */
  return (attn_char_get_flags (composed) & ATTN_CHAR_DECOMPOSES) != 0 ? composed : 0;
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

bool
attn_utf16_is_marked (const char *text, size_t n_bytes)
{
  return n_bytes >= 2 && (memcmp (text, "\xff\xfe", 2) == 0 || memcmp (text, "\xfe\xff", 2) == 0);
}
