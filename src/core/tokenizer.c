/* SPDX-License-Identifier: MIT */
/* The front of every tokenizer: loading it, and what its vocabulary says. */
#include "attn/tokenizer.h"

#include "tokenizer-files.h"
#include "tokenizer-private.h"

#include <string.h>

AttnTokenizer *
attn_tokenizer_load (const char *folder, GError **error)
{
  g_return_val_if_fail (folder != NULL, NULL);
  g_autoptr (AttnTokenizer) self = g_new0 (AttnTokenizer, 1);
  g_atomic_ref_count_init (&self->ref_count);
  attn_tokenizer_parts_init (&self->parts);
  if (!attn_tokenizer_files_load (folder, &self->parts, error))
    return NULL;
  attn_tokenizer_parts_seal (&self->parts);
  return g_steal_pointer (&self);
}

AttnTokenizer *
attn_tokenizer_ref (AttnTokenizer *tokenizer)
{
  g_return_val_if_fail (tokenizer != NULL, NULL);
  g_atomic_ref_count_inc (&tokenizer->ref_count);
  return tokenizer;
}

void
attn_tokenizer_unref (AttnTokenizer *tokenizer)
{
  g_return_if_fail (tokenizer != NULL);
  if (!g_atomic_ref_count_dec (&tokenizer->ref_count))
    return;
  attn_tokenizer_parts_clear (&tokenizer->parts);
  g_free (tokenizer);
}

size_t
attn_tokenizer_get_vocab_size (const AttnTokenizer *tokenizer)
{
  g_return_val_if_fail (tokenizer != NULL, 0);
  return attn_vocab_get_n (tokenizer->parts.vocab);
}

size_t
attn_tokenizer_get_max_tokens (const AttnTokenizer *tokenizer)
{
  g_return_val_if_fail (tokenizer != NULL, 0);
  return tokenizer->parts.max_tokens;
}

const char *
attn_tokenizer_peek_piece (const AttnTokenizer *tokenizer, int32_t id)
{
  g_return_val_if_fail (tokenizer != NULL, NULL);
  return attn_vocab_peek (tokenizer->parts.vocab, id);
}

const char *
attn_tokenizer_peek_text (const AttnTokenizer *tokenizer, int32_t id)
{
  g_return_val_if_fail (tokenizer != NULL, NULL);
  const char *piece = attn_vocab_peek (tokenizer->parts.vocab, id);
  if (piece == NULL || tokenizer->parts.texts[id] == NULL)
    return piece;
  return tokenizer->parts.texts[id];
}

int32_t
attn_tokenizer_find_id (const AttnTokenizer *tokenizer, const char *piece)
{
  g_return_val_if_fail (tokenizer != NULL && piece != NULL, -1);
  return attn_vocab_find (tokenizer->parts.vocab, piece, strlen (piece));
}

const char *
attn_tokenizer_peek_mask (const AttnTokenizer *tokenizer)
{
  g_return_val_if_fail (tokenizer != NULL, NULL);
  return attn_vocab_peek (tokenizer->parts.vocab, tokenizer->parts.mask_id);
}

size_t
attn_tokenizer_get_n_warnings (const AttnTokenizer *tokenizer)
{
  g_return_val_if_fail (tokenizer != NULL, 0);
  return tokenizer->parts.warnings->len;
}

const char *
attn_tokenizer_peek_warning (const AttnTokenizer *tokenizer, size_t index)
{
  g_return_val_if_fail (tokenizer != NULL && index < tokenizer->parts.warnings->len, NULL);
  return g_ptr_array_index (tokenizer->parts.warnings, index);
}
