/* SPDX-License-Identifier: MIT */
/* A text as the model sees it: ids and pieces, each with its way back to the text. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Immutable and reference-counted; safe to share between threads. */
typedef struct _AttnTokens AttnTokens;

typedef struct {
  const char *piece; /* as in the vocabulary ("##ing", "Ġthe"), UTF-8; owned by the tokens */
  const char *text;  /* as people read it ("##ing", "␣the"); owned likewise; see
                        attn_tokenizer_peek_text() */
  int32_t id;
  int32_t type_id;   /* 0 for the first text, 1 for the second */
  int sequence;      /* 0 first text, 1 second text, -1 added by the template */
  size_t start, end; /* byte span in that text; both 0 when sequence is -1 */
  int word;          /* number of the tokenizer's word in that text; -1 when sequence is -1 */
  bool special;      /* added by the template; a typed [MASK] is not */
  bool mask;         /* stands for a word to be guessed, typed or not */
} AttnToken;

/* A word as people see it: what the tokenizer takes for one is often less ("don" and "'t"). Runs of
 * letters and digits are words, so are runs of signs, and every Han character is one. Tokens that
 * reach into two words join them. Each token is of exactly one word; those of the template are
 * words of their own. */
typedef struct {
  const char *text;  /* what was typed there; where that is nothing or blank, the tokens' texts */
  size_t first, n;   /* its tokens; at least one */
  int sequence;      /* as of its tokens */
  size_t start, end; /* byte span in that text, without blanks at its ends */
} AttnWord;

AttnTokens *attn_tokens_ref (AttnTokens *tokens);
void attn_tokens_unref (AttnTokens *tokens);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnTokens, attn_tokens_unref)

size_t attn_tokens_get_n (const AttnTokens *tokens);

/* Returns: (transfer none): token @index, below attn_tokens_get_n(). */
const AttnToken *attn_tokens_peek (const AttnTokens *tokens, size_t index);

size_t attn_tokens_get_n_words (const AttnTokens *tokens);

/* Returns: (transfer none): word @index, below attn_tokens_get_n_words(). */
const AttnWord *attn_tokens_peek_word (const AttnTokens *tokens, size_t index);

/* Returns: the index of the word that token @index, below attn_tokens_get_n(), belongs to. */
size_t attn_tokens_find_word (const AttnTokens *tokens, size_t index);

/* Returns: how many tokens of the text(s) did not fit and were left out. */
size_t attn_tokens_get_n_truncated (const AttnTokens *tokens);

/**
 * attn_tokens_peek_text:
 * @sequence: 0 or 1
 * @length:   (out) (optional): bytes, since a text may hold U+0000
 *
 * Returns: (nullable) (transfer none): the text as it was given, NUL-terminated too; NULL for the
 *   second text when there is none.
 */
const char *attn_tokens_peek_text (const AttnTokens *tokens, int sequence, size_t *length);

G_END_DECLS
