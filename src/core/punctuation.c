/* SPDX-License-Identifier: MIT */
/* Signs among what a text is made of. */
#include "punctuation.h"

#include "unicode.h"

bool
attn_origin_is_punctuation (const AttnOrigin *origin, const AttnTokens *tokens)
{
  if (origin->sequence < 0 || origin->start >= origin->end)
    return false;
  const char *text = attn_tokens_peek_text (tokens, origin->sequence, NULL);
  bool found = false;
  for (const char *at = text + origin->start; at < text + origin->end;
       at += g_utf8_skip[(guchar)*at]) {
    unsigned flags = attn_char_get_flags (g_utf8_get_char (at));
    if ((flags & ATTN_CHAR_PUNCTUATION) != 0)
      found = true;
    else if ((flags & (ATTN_CHAR_WHITE | ATTN_CHAR_ACCENT)) == 0)
      return false;
  }
  return found;
}
