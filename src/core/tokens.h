/* SPDX-License-Identifier: MIT */
/* Making of AttnTokens. */
#pragma once

#include "attn/tokenizer.h"
#include "attn/tokens.h"

typedef struct {
  const char *bytes; /* NULL: there is no such text */
  size_t n_bytes;
} AttnTokensText;

/**
 * attn_tokens_new:
 * @tokens: [n] copied; a text that is NULL is the piece
 * @texts:  [2] copied
 * @owner:  (nullable): owns the pieces and is kept alive; NULL where they are constants
 *
 * Returns: new tokens for attn_tokens_unref(), or NULL with @error: TOO_LARGE.
 */
AttnTokens *attn_tokens_new (const AttnToken *tokens,
                             size_t n,
                             size_t n_truncated,
                             const AttnTokensText *texts,
                             AttnTokenizer *owner,
                             GError **error);
