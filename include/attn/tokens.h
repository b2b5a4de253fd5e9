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
  const char *piece; /* as in the vocabulary ("##ing", "[CLS]"), UTF-8; owned by the tokens */
  int32_t id;
  int32_t type_id;   /* 0 for the first text, 1 for the second */
  int sequence;      /* 0 first text, 1 second text, -1 added by the template */
  size_t start, end; /* byte span in that text; both 0 when sequence is -1 */
  int word;          /* number of its word in that text; -1 when sequence is -1 */
  bool special;      /* added by the template; a typed [MASK] is not */
  bool mask;         /* stands for a word to be guessed, typed or not */
} AttnToken;

AttnTokens *attn_tokens_ref (AttnTokens *tokens);
void attn_tokens_unref (AttnTokens *tokens);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnTokens, attn_tokens_unref)

size_t attn_tokens_get_n (const AttnTokens *tokens);

/* Returns: (transfer none): token @index, below attn_tokens_get_n(). */
const AttnToken *attn_tokens_peek (const AttnTokens *tokens, size_t index);

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
