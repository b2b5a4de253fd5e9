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

/* Of a token found as a whole, which may have taken spaces along, the text counts; of others the
 * piece. */
static void
trim_token (const AttnTokenizerParts *parts, AttnToken *token, bool first, const char *text)
{
  bool found = g_hash_table_contains (parts->registered, token->piece);
  const char *shown = found ? text + token->start : token->piece;
  size_t n_bytes = found ? token->end - token->start : strlen (token->piece);
  size_t n_leading = count_leading (shown, n_bytes), n_trailing = count_trailing (shown, n_bytes);
  /* a single space before a text's first token may be one that was put there */
  if (n_leading == 1 && parts->trim.keeps_prefix && (first || token->start == 0))
    n_leading = 0;
  const char *start = text + token->start, *end = text + token->end;
  for (; n_leading > 0 && start < end; n_leading--)
    start += g_utf8_skip[(guchar)*start];
  for (; n_trailing > 0 && end > start; n_trailing--)
    end = g_utf8_prev_char (end);
  token->start = (size_t)(start - text);
  token->end = (size_t)(end - text);
}

void
attn_span_trim_run (const AttnTokenizerParts *parts,
                    AttnToken *tokens,
                    size_t n,
                    const AttnTokensText *texts)
{
  bool seen[] = {false, false};
  for (size_t i = 0; i < n; i++) {
    int sequence = tokens[i].sequence;
    if (sequence < 0)
      continue;
    trim_token (parts, &tokens[i], !seen[sequence], texts[sequence].bytes);
    seen[sequence] = true;
  }
}
