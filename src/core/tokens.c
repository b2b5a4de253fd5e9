/* SPDX-License-Identifier: MIT */
/* A text's tokens, the text itself with them, in one block. */
#include "tokens.h"

#include "attn/error.h"

#include <string.h>

enum { N_TEXTS = 2 };

struct _AttnTokens {
  gatomicrefcount ref_count;
  AttnTokenizer *owner; /* of the pieces; nullable */
  size_t n;
  size_t n_truncated;
  char *texts[N_TEXTS]; /* behind the tokens; the second may be NULL */
  size_t n_bytes[N_TEXTS];
  AttnToken tokens[];
};

AttnTokens *
attn_tokens_new (const AttnToken *tokens,
                 size_t n,
                 size_t n_truncated,
                 const AttnTokensText *texts,
                 AttnTokenizer *owner,
                 GError **error)
{
  size_t n_bytes = sizeof (AttnTokens), n_tokens_bytes;
  bool fits = g_size_checked_mul (&n_tokens_bytes, n, sizeof (AttnToken)) &&
              g_size_checked_add (&n_bytes, n_bytes, n_tokens_bytes);
  for (size_t i = 0; i < N_TEXTS; i++)
    fits = fits && g_size_checked_add (&n_bytes, n_bytes, texts[i].n_bytes) &&
           g_size_checked_add (&n_bytes, n_bytes, 1);
  AttnTokens *self = fits ? g_try_malloc (n_bytes) : NULL;
  if (self == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "there is no memory for %zu tokens and their text (%zu bytes)", n, n_bytes);
    return NULL;
  }
  *self = (AttnTokens){.n = n, .n_truncated = n_truncated};
  g_atomic_ref_count_init (&self->ref_count);
  self->owner = owner == NULL ? NULL : attn_tokenizer_ref (owner);
  if (n > 0)
    memcpy (self->tokens, tokens, n_tokens_bytes);
  char *at = (char *)(self->tokens + n);
  for (size_t i = 0; i < N_TEXTS; i++) {
    if (texts[i].bytes == NULL)
      continue;
    self->texts[i] = at;
    self->n_bytes[i] = texts[i].n_bytes;
    memcpy (at, texts[i].bytes, texts[i].n_bytes);
    at[texts[i].n_bytes] = '\0';
    at += texts[i].n_bytes + 1;
  }
  return self;
}

AttnTokens *
attn_tokens_ref (AttnTokens *tokens)
{
  g_return_val_if_fail (tokens != NULL, NULL);
  g_atomic_ref_count_inc (&tokens->ref_count);
  return tokens;
}

void
attn_tokens_unref (AttnTokens *tokens)
{
  g_return_if_fail (tokens != NULL);
  if (!g_atomic_ref_count_dec (&tokens->ref_count))
    return;
  if (tokens->owner != NULL)
    attn_tokenizer_unref (tokens->owner);
  g_free (tokens);
}

size_t
attn_tokens_get_n (const AttnTokens *tokens)
{
  g_return_val_if_fail (tokens != NULL, 0);
  return tokens->n;
}

const AttnToken *
attn_tokens_peek (const AttnTokens *tokens, size_t index)
{
  g_return_val_if_fail (tokens != NULL && index < tokens->n, NULL);
  return &tokens->tokens[index];
}

size_t
attn_tokens_get_n_truncated (const AttnTokens *tokens)
{
  g_return_val_if_fail (tokens != NULL, 0);
  return tokens->n_truncated;
}

const char *
attn_tokens_peek_text (const AttnTokens *tokens, int sequence, size_t *length)
{
  g_return_val_if_fail (tokens != NULL && sequence >= 0 && sequence < N_TEXTS, NULL);
  if (length != NULL)
    *length = tokens->n_bytes[sequence];
  return tokens->texts[sequence];
}
