/* SPDX-License-Identifier: MIT */
/* Tokens with the mask in place of some of them. */
#include "tokenizer-private.h"
#include "tokens.h"

#include "attn/error.h"

static bool
check_masked (const AttnTokenizer *tokenizer,
              const AttnTokens *tokens,
              const size_t *positions,
              size_t n,
              GError **error)
{
  if (tokenizer->parts.mask_id < 0) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "the model's vocabulary has no mask to put in a token's place");
    return false;
  }
  for (size_t i = 0; i < n; i++)
    if (positions[i] >= attn_tokens_get_n (tokens)) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                   "token %zu cannot be masked: the text has tokens 0 to %zu", positions[i],
                   attn_tokens_get_n (tokens) - 1);
      return false;
    }
  return true;
}

AttnTokens *
attn_tokenizer_mask_tokens (
    AttnTokenizer *tokenizer, AttnTokens *tokens, const size_t *positions, size_t n, GError **error)
{
  if (!check_masked (tokenizer, tokens, positions, n, error))
    return NULL;
  const AttnTokenizerParts *parts = &tokenizer->parts;
  const size_t n_tokens = attn_tokens_get_n (tokens);
  g_autofree AttnToken *masked = g_new (AttnToken, MAX (n_tokens, 1));
  for (size_t t = 0; t < n_tokens; t++)
    masked[t] = *attn_tokens_peek (tokens, t);
  for (size_t i = 0; i < n; i++) {
    AttnToken *token = &masked[positions[i]];
    token->id = parts->mask_id;
    token->piece = attn_vocab_peek (parts->vocab, parts->mask_id);
    token->text = parts->texts[parts->mask_id];
    token->mask = true;
  }
  AttnTokensText texts[2];
  for (int sequence = 0; sequence < 2; sequence++)
    texts[sequence].bytes = attn_tokens_peek_text (tokens, sequence, &texts[sequence].n_bytes);
  return attn_tokens_new (masked, n_tokens, attn_tokens_get_n_truncated (tokens), texts, tokenizer,
                          error);
}
