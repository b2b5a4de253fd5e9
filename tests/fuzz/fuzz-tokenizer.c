/* SPDX-License-Identifier: MIT */
/* What the targets that load tokenizers do with a folder. */
#include "fuzz-tokenizer.h"

#include "fuzz.h"

#include "attn/tokenizer.h"

#include <string.h>

static void
check_tokens (const AttnTokenizer *tokenizer, const AttnTokens *tokens, size_t n_bytes)
{
  for (size_t t = 0; t < attn_tokens_get_n (tokens); t++) {
    const AttnToken *token = attn_tokens_peek (tokens, t);
    if (token->id < 0 || (size_t)token->id >= attn_tokenizer_get_vocab_size (tokenizer))
      g_error ("id %d outside the vocabulary", token->id);
    if (token->start > token->end || token->end > n_bytes)
      g_error ("a span outside the text");
  }
}

void
fuzz_load_tokenizer (const char *folder)
{
  static const char *const texts[] = {"", "hello ab zq",
                                      "Führer 我想 e\xcc\x81\xf0\x9f\x98\x81 [MASK]a  don't 12,5\n",
                                      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                                      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"};
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTokenizer) tokenizer = attn_tokenizer_load (folder, &error);
  fuzz_check_error (tokenizer != NULL, error);
  for (size_t i = 0; tokenizer != NULL && i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) fault = NULL;
    AttnTokenizerInput input = {
        .text = texts[i], .text_length = strlen (texts[i]), .max_tokens = 64};
    g_autoptr (AttnTokens) tokens = attn_tokenizer_encode (tokenizer, &input, &fault);
    fuzz_check_error (tokens != NULL, fault);
    if (tokens != NULL)
      check_tokens (tokenizer, tokens, strlen (texts[i]));
  }
}
