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

/* What patterns and normal forms ask; apart from the flags above, which BERT alone asks. */
typedef enum {
  ATTN_CHAR_LETTER = 1 << 0,     /* \p{L} */
  ATTN_CHAR_NUMBER = 1 << 1,     /* \p{N} */
  ATTN_CHAR_NUMERIC = 1 << 2,    /* the same of a later Unicode version */
  ATTN_CHAR_WORD = 1 << 3,       /* \w */
  ATTN_CHAR_MARK = 1 << 4,       /* category M */
  ATTN_CHAR_COMPATIBLE = 1 << 5, /* its compatibility decomposition is not the canonical one */
} AttnCharClasses;

/* What a character is to the borders of grapheme clusters (Unicode's annex 29). */
typedef enum {
  ATTN_BREAK_OTHER,
  ATTN_BREAK_CONTROL, /* CR and LF too */
  ATTN_BREAK_EXTEND,
  ATTN_BREAK_LINKER, /* extends, and joins consonants */
  ATTN_BREAK_ZWJ,
  ATTN_BREAK_SPACING,
  ATTN_BREAK_PREPEND,
  ATTN_BREAK_HANGUL_L,
  ATTN_BREAK_HANGUL_V,
  ATTN_BREAK_HANGUL_T,
  ATTN_BREAK_HANGUL_LV,
  ATTN_BREAK_HANGUL_LVT,
  ATTN_BREAK_FLAG_LETTER, /* two of them are a flag */
  ATTN_BREAK_PICTURE,
  ATTN_BREAK_CONSONANT,
} AttnCharBreak;

enum { ATTN_CHAR_MAX_DECOMPOSED = 4, ATTN_CHAR_MAX_COMPATIBLE = 18 };

/* All for characters above ASCII only. */
unsigned attn_char_find_flags (gunichar c);
unsigned attn_char_find_classes (gunichar c);
AttnCharBreak attn_char_find_break (gunichar c);
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

static inline bool
attn_char_is_white (gunichar c)
{
  if (c < 0x80)
    return c == ' ' || (c >= '\t' && c <= '\r');
  return (attn_char_find_flags (c) & ATTN_CHAR_WHITE) != 0;
}

/* Returns: bits of AttnCharClasses. */
static inline unsigned
attn_char_get_classes (gunichar c)
{
  if (c >= 0x80)
    return attn_char_find_classes (c);
  if (c >= '0' && c <= '9')
    return ATTN_CHAR_NUMBER | ATTN_CHAR_NUMERIC | ATTN_CHAR_WORD;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
    return ATTN_CHAR_LETTER | ATTN_CHAR_WORD;
  return c == '_' ? ATTN_CHAR_WORD : 0;
}

static inline AttnCharBreak
attn_char_get_break (gunichar c)
{
  if (c >= 0x80)
    return attn_char_find_break (c);
  return c < ' ' || c == 0x7F ? ATTN_BREAK_CONTROL : ATTN_BREAK_OTHER;
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

/* The same for the full compatibility decomposition. @out: [ATTN_CHAR_MAX_COMPATIBLE] */
size_t attn_char_decompose_compatible (gunichar c, gunichar *out);

/* Returns: the canonical composition of two characters, or 0. */
gunichar attn_char_compose (gunichar first, gunichar second);

/* Returns: whether the bytes are UTF-8, U+0000 included; if not, @at is the first wrong byte. */
bool attn_utf8_check (const char *text, size_t n_bytes, size_t *at);

/* Returns: whether the bytes begin with the mark of UTF-16, which no UTF-8 does. */
bool attn_utf16_is_marked (const char *text, size_t n_bytes);

/* Returns: whether a character that is not seen turns the direction of writing: a text that has one
 * may read otherwise than it is. */
static inline bool
attn_char_turns_direction (gunichar c)
{
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}
