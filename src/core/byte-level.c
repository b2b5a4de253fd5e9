/* SPDX-License-Identifier: MIT */
/* The alphabet of byte-level vocabularies, as GPT-2 introduced it. */
#include "byte-level.h"

#include <stdbool.h>

enum {
  FIRST_MOVED = 0x100,
  N_MOVED = 68,
  N_BELOW = 0x21, /* bytes 00 to 20 are moved, */
  FIRST_MIDDLE = 0x7F,
  LAST_MIDDLE = 0xA0, /* 7F to A0, */
  SOFT_HYPHEN = 0xAD, /* and this one */
};

gunichar
attn_byte_level_get_char (guint8 byte)
{
  if (byte < N_BELOW)
    return (gunichar)FIRST_MOVED + byte;
  if (byte >= FIRST_MIDDLE && byte <= LAST_MIDDLE)
    return (gunichar)FIRST_MOVED + N_BELOW + (byte - FIRST_MIDDLE);
  return byte == SOFT_HYPHEN ? (gunichar)FIRST_MOVED + N_MOVED - 1 : byte;
}

int
attn_byte_level_get_byte (gunichar c)
{
  if (c < FIRST_MOVED) {
    bool itself = c >= N_BELOW && !(c >= FIRST_MIDDLE && c <= LAST_MIDDLE) && c != SOFT_HYPHEN;
    return itself ? (int)c : -1;
  }
  gunichar moved = c - FIRST_MOVED;
  if (moved < N_BELOW)
    return (int)moved;
  if (moved < N_MOVED - 1)
    return (int)(moved - N_BELOW) + FIRST_MIDDLE;
  return moved == N_MOVED - 1 ? SOFT_HYPHEN : -1;
}

void
attn_byte_level_write (const AttnChar *chars, size_t n, AttnCharText *out)
{
  for (size_t i = 0; i < n && !out->failed; i++) {
    char bytes[6];
    int n_bytes = g_unichar_to_utf8 (chars[i].c, bytes);
    for (int k = 0; k < n_bytes; k++)
      attn_char_text_append (out, attn_byte_level_get_char ((guint8)bytes[k]), chars[i].start,
                             chars[i].end);
  }
}
