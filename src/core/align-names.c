/* SPDX-License-Identifier: MIT */
/* By what names the tokens of two lists are compared. */
#include "align-names.h"

#include "attn/tokenizer.h"
#include "attn/trace.h"

#include <stdbool.h>
#include <string.h>

#define NO_TEXT "\001" /* before a piece, so that it is no text that can be typed */

/* Returns: (nullable) */
static AttnTokens *
peek_tokens (const AttnMaps *maps)
{
  AttnTrace *trace = attn_maps_peek_trace (maps);
  return trace != NULL ? attn_trace_peek_tokens (trace) : NULL;
}

static AttnTokenizer *
peek_tokenizer (const AttnMaps *maps)
{
  return attn_model_peek_tokenizer (attn_trace_peek_model (attn_maps_peek_trace (maps)));
}

/* Whether these tokens are the same ids of both vocabularies. */
static bool
has_pieces (AttnTokens *tokens, const AttnTokenizer *tokenizer)
{
  for (size_t i = 0; i < attn_tokens_get_n (tokens); i++) {
    const AttnToken *token = attn_tokens_peek (tokens, i);
    if (g_strcmp0 (attn_tokenizer_peek_piece (tokenizer, token->id), token->piece) != 0)
      return false;
  }
  return true;
}

/* True also where nothing tells: numbers from a file have labels alone. */
static bool
share_vocabulary (const AttnMaps *const maps[2])
{
  AttnTokens *a = peek_tokens (maps[0]), *b = peek_tokens (maps[1]);

  if (a == NULL || b == NULL)
    return true;
  AttnTokenizer *tokenizers[] = {peek_tokenizer (maps[0]), peek_tokenizer (maps[1])};
  if (tokenizers[0] == tokenizers[1] || tokenizers[0] == NULL || tokenizers[1] == NULL)
    return true;
  return has_pieces (a, tokenizers[1]) && has_pieces (b, tokenizers[0]);
}

/* Several tokens of one character cannot each stand for it. */
static bool
overlaps (const AttnMaps *maps, AttnSide side, size_t index, const AttnOrigin *origin)
{
  AttnOrigin other;

  if (index > 0 && attn_maps_get_origin (maps, side, index - 1, &other) &&
      other.sequence == origin->sequence && other.end > origin->start)
    return true;
  return index + 1 < attn_maps_get_n (maps, side) &&
         attn_maps_get_origin (maps, side, index + 1, &other) &&
         other.sequence == origin->sequence && other.start < origin->end;
}

/* Returns: (transfer full) (nullable): NULL where it stands for no text of its own. */
static char *
dup_text (const AttnMaps *maps, AttnSide side, size_t index)
{
  AttnOrigin origin;

  if (!attn_maps_get_origin (maps, side, index, &origin) || origin.sequence < 0 ||
      origin.end <= origin.start || overlaps (maps, side, index, &origin))
    return NULL;
  const char *text = attn_tokens_peek_text (peek_tokens (maps), origin.sequence, NULL);
  char *part = g_strstrip (g_strndup (text + origin.start, origin.end - origin.start));
  if (*part != '\0')
    return part;
  g_free (part);
  return NULL;
}

GPtrArray *
attn_align_names_new (const AttnMaps *const maps[2], AttnSide side)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  bool by_piece = share_vocabulary (maps);

  for (int of = 0; of < 2; of++)
    for (size_t i = 0; i < attn_maps_get_n (maps[of], side); i++) {
      const char *piece = attn_maps_peek_piece (maps[of], side, i);
      char *text = by_piece ? NULL : dup_text (maps[of], side, i);
      g_ptr_array_add (names, text != NULL ? text
                              : by_piece   ? g_strdup (piece)
                                           : g_strconcat (NO_TEXT, piece, NULL));
    }
  return names;
}
