/* SPDX-License-Identifier: MIT */
/* What a character is to the fast tokenizers.
 *
 * Their tables are of different Unicode versions; ours are theirs, so that a newer GLib changes no
 * id. GLib gives only what can never change for a character: its decomposition, its combining
 * class. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  ATTN_CHAR_CONTROL = 1 << 0,     /* removed: control, format and private use characters, U+FFFD */
  ATTN_CHAR_WHITE = 1 << 1,       /* White_Space; some of it is removed as control first */
  ATTN_CHAR_PUNCTUATION = 1 << 2, /* a word of its own: category P, or ASCII's symbols */
  ATTN_CHAR_ACCENT = 1 << 3,      /* category Mn */
  ATTN_CHAR_IDEOGRAPH = 1 << 4,   /* set apart by spaces */
  ATTN_CHAR_DECOMPOSES = 1 << 5,  /* has a canonical decomposition */
  ATTN_CHAR_REORDERS = 1 << 6,    /* has a combining class other than 0 */
} AttnCharFlags;

enum { ATTN_CHAR_MAX_DECOMPOSED = 4 };

/* Both for characters above ASCII only. */
unsigned attn_char_find_flags (gunichar c);
gunichar attn_char_find_lower (gunichar c);

/* Returns: bits of AttnCharFlags. */
static inline unsigned
attn_char_get_flags (gunichar c)
{
  if (c >= 0x80)
    return attn_char_find_flags (c);
  if (c > ' ')
    return g_ascii_isalnum ((char)c) ? 0 : c == 0x7F ? ATTN_CHAR_CONTROL : ATTN_CHAR_PUNCTUATION;
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
    return ATTN_CHAR_WHITE;
  return c == '\v' || c == '\f' ? ATTN_CHAR_CONTROL | ATTN_CHAR_WHITE : ATTN_CHAR_CONTROL;
}

/* Returns: the small letter, regardless of context; @c itself where there is none. U+0130 gives
 * "i", and the caller adds U+0307. */
static inline gunichar
attn_char_lower (gunichar c)
{
  if (c >= 0x80)
    return attn_char_find_lower (c);
  return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/**
 * attn_char_decompose:
 * @out: [ATTN_CHAR_MAX_DECOMPOSED], written
 *
 * Returns: how many characters @c's full canonical decomposition has; 1 for @c itself.
 */
size_t attn_char_decompose (gunichar c, unsigned flags, gunichar *out);

/* Returns: whether the bytes are UTF-8, U+0000 included; if not, @at is the first wrong byte. */
bool attn_utf8_check (const char *text, size_t n_bytes, size_t *at);
