/* SPDX-License-Identifier: MIT */
/* Grapheme clusters, rule by rule; the rules that look back keep a state instead. */
#include "grapheme.h"

#include "unicode.h"

#include <stdbool.h>

typedef struct {
  AttnCharBreak before;
  bool picture;       /* a picture and what extends it stand before (GB11) */
  bool conjunct;      /* a consonant and what extends it stand before, */
  bool linked;        /* among that a linker (GB9c) */
  size_t n_flags;     /* letters of flags before (GB12, GB13) */
  gunichar character; /* before */
} State;

static bool
joins_hangul (AttnCharBreak before, AttnCharBreak next)
{
  switch (before) {
  case ATTN_BREAK_HANGUL_L:
    return next == ATTN_BREAK_HANGUL_L || next == ATTN_BREAK_HANGUL_V ||
           next == ATTN_BREAK_HANGUL_LV || next == ATTN_BREAK_HANGUL_LVT;
  case ATTN_BREAK_HANGUL_LV:
  case ATTN_BREAK_HANGUL_V:
    return next == ATTN_BREAK_HANGUL_V || next == ATTN_BREAK_HANGUL_T;
  case ATTN_BREAK_HANGUL_LVT:
  case ATTN_BREAK_HANGUL_T:
    return next == ATTN_BREAK_HANGUL_T;
  default:
    return false;
  }
}

static bool
extends (AttnCharBreak kind)
{
  return kind == ATTN_BREAK_EXTEND || kind == ATTN_BREAK_LINKER || kind == ATTN_BREAK_ZWJ;
}

static bool
joins (const State *state, gunichar c, AttnCharBreak next)
{
  if (state->character == '\r' && c == '\n')
    return true;
  if (state->before == ATTN_BREAK_CONTROL || next == ATTN_BREAK_CONTROL)
    return false;
  if (joins_hangul (state->before, next) || extends (next) || next == ATTN_BREAK_SPACING ||
      state->before == ATTN_BREAK_PREPEND)
    return true;
  if (next == ATTN_BREAK_CONSONANT)
    return state->conjunct && state->linked;
  if (next == ATTN_BREAK_PICTURE)
    return state->picture && state->before == ATTN_BREAK_ZWJ;
  return next == ATTN_BREAK_FLAG_LETTER && state->n_flags % 2 == 1;
}

static void
step (State *state, gunichar c, AttnCharBreak kind)
{
  state->linked = kind == ATTN_BREAK_LINKER || (state->linked && extends (kind));
  state->conjunct = kind == ATTN_BREAK_CONSONANT || (state->conjunct && extends (kind));
  state->picture = kind == ATTN_BREAK_PICTURE || (state->picture && extends (kind));
  state->n_flags = kind == ATTN_BREAK_FLAG_LETTER ? state->n_flags + 1 : 0;
  state->before = kind;
  state->character = c;
}

size_t
attn_grapheme_find_end (const AttnChar *chars, size_t n, size_t at)
{
  State state = {0};
  step (&state, chars[at].c, attn_char_get_break (chars[at].c));
  for (size_t i = at + 1; i < n; i++) {
    gunichar c = chars[i].c;
    if (c < 0x80 && c >= ' ' && state.before == ATTN_BREAK_OTHER)
      return i;
    AttnCharBreak kind = attn_char_get_break (c);
    if (!joins (&state, c, kind))
      return i;
    step (&state, c, kind);
  }
  return n;
}
