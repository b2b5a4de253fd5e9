/* SPDX-License-Identifier: MIT */
/* The life of a tokenizer's parts, and the tokens it is given beside its vocabulary. */
#include "file.h"
#include "piece-text.h"
#include "tokenizer-model.h"
#include "warnings.h"

#include <string.h>

void
attn_tokenizer_parts_init (AttnTokenizerParts *parts)
{
  *parts = (AttnTokenizerParts){
      .normalizer = attn_normalizer_new (),
      .pre_tokenizer = attn_pre_tokenizer_new (),
      .raw_tokens = attn_added_tokens_new (),
      .normalized_tokens = attn_added_tokens_new (),
      .registered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
      .single = g_array_new (FALSE, FALSE, sizeof (AttnTemplateItem)),
      .pair = g_array_new (FALSE, FALSE, sizeof (AttnTemplateItem)),
      .chunk = g_string_chunk_new (1024),
      .max_tokens = G_MAXSIZE,
      .mask_id = -1,
      .warnings = g_ptr_array_new_with_free_func (g_free),
  };
}

void
attn_tokenizer_parts_clear (AttnTokenizerParts *parts)
{
  if (parts->model != NULL)
    parts->kind->free (parts->model);
  g_clear_pointer (&parts->vocab, attn_vocab_free);
  attn_normalizer_free (parts->normalizer);
  attn_pre_tokenizer_free (parts->pre_tokenizer);
  attn_added_tokens_free (parts->raw_tokens);
  attn_added_tokens_free (parts->normalized_tokens);
  g_hash_table_unref (parts->registered);
  g_array_unref (parts->single);
  g_array_unref (parts->pair);
  g_string_chunk_free (parts->chunk);
  g_free (parts->texts);
  g_ptr_array_unref (parts->warnings);
}

void
attn_tokenizer_parts_seal (AttnTokenizerParts *parts)
{
  AttnPieceAlphabet alphabet = {
      .by_bytes = attn_normalizer_writes_bytes (parts->normalizer) ||
                  attn_pre_tokenizer_writes_bytes (parts->pre_tokenizer),
      .space = attn_pre_tokenizer_get_space (parts->pre_tokenizer),
  };
  if (alphabet.space == 0)
    alphabet.space = attn_normalizer_get_space (parts->normalizer);
  attn_added_tokens_seal (parts->raw_tokens);
  attn_added_tokens_seal (parts->normalized_tokens);
  attn_warnings_limit (parts->warnings);
  parts->texts = attn_piece_texts_new (parts->vocab, &alphabet, parts->registered, parts->chunk);
}

/* Has a token found in texts as a whole. */
static void
register_token (AttnTokenizerParts *parts, const AttnConfigToken *token, int32_t id)
{
  AttnAddedToken added = {.id = id,
                          .single_word = token->single_word,
                          .lstrip = token->lstrip,
                          .rstrip = token->rstrip};
  g_auto (AttnCharText) raw = {0};
  g_auto (AttnCharText) normalized = {0};
  g_auto (AttnCharText) spare = {0};
  if (!g_hash_table_add (parts->registered, g_strdup (token->content)))
    return;
  attn_char_text_decode (&raw, token->content, strlen (token->content));
  if (!token->normalized) {
    attn_added_tokens_add (parts->raw_tokens, &raw, &added);
    return;
  }
  normalized.limit = spare.limit = attn_char_text_get_ceiling (raw.n);
  attn_normalizer_run (parts->normalizer, raw.chars, raw.n, &normalized, &spare);
  if (normalized.n > 0 && !normalized.failed) /* no text can hold what may not be made of it */
    attn_added_tokens_add (parts->normalized_tokens, &normalized, &added);
}

void
attn_tokenizer_parts_add_token (AttnTokenizerParts *parts,
                                const AttnConfigToken *token,
                                const char *path)
{
  int32_t id = attn_vocab_add (parts->vocab, token->content);
  register_token (parts, token, id);
  if (token->id < 0 || (int32_t)token->id == id)
    return;
  g_autofree char *shown = attn_file_dup_shown (token->content, strlen (token->content));
  g_ptr_array_add (parts->warnings,
                   g_strdup_printf ("%s: token \"%s\" should have the id %.0f, but by the "
                                    "vocabulary it is %d, which counts",
                                    path, shown, token->id, id));
}

int32_t
attn_tokenizer_parts_find_token (AttnTokenizerParts *parts, const AttnConfigToken *token)
{
  int32_t id = attn_vocab_find (parts->vocab, token->content, strlen (token->content));
  if (id >= 0)
    register_token (parts, token, id);
  return id;
}
