/* SPDX-License-Identifier: MIT */
/* Trims spans by the spaces at both ends of their pieces, one character of text for each. */
#include "span-trim.h"

#include "byte-level.h"
#include "unicode.h"

#include <string.h>

static bool
is_space (gunichar c)
{
  return c == attn_byte_level_get_char (' ') || attn_char_is_white (c);
}

static size_t
count_leading (const char *text, size_t n_bytes)
{
  size_t n = 0;
  for (const char *at = text; at < text + n_bytes && is_space (g_utf8_get_char (at)); n++)
    at += g_utf8_skip[(guchar)*at];
  return n;
}

static size_t
count_trailing (const char *text, size_t n_bytes)
{
  size_t n = 0;
  for (const char *end = text + n_bytes; end > text; n++) {
    end = g_utf8_prev_char (end);
    if (!is_space (g_utf8_get_char (end)))
      break;
  }
  return n;
}

void
attn_span_trim_run (const AttnTokenizerParts *parts, AttnPiece *piece, bool first, const char *text)
{
  const char *start = text + piece->start, *end = text + piece->end;
  const char *shown = attn_vocab_peek (parts->vocab, piece->id);
  size_t n_bytes = strlen (shown);
  if (piece->found) { /* it may have taken spaces along */
    shown = start;
    n_bytes = piece->end - piece->start;
  }
  size_t n_leading = count_leading (shown, n_bytes), n_trailing = count_trailing (shown, n_bytes);
  /* a single space before a text's first token may be one that was put there */
  if (n_leading == 1 && parts->trim.keeps_prefix && (first || piece->start == 0))
    n_leading = 0;
  for (; n_leading > 0 && start < end; n_leading--)
    start += g_utf8_skip[(guchar)*start];
  for (; n_trailing > 0 && end > start; n_trailing--)
    end = g_utf8_prev_char (end);
  piece->start = (guint32)(start - text);
  piece->end = (guint32)(end - text);
}
