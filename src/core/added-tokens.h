/* SPDX-License-Identifier: MIT */
/* Tokens that are found in the text as they stand, before it is split into words. */
#pragma once

#include "char-text.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct _AttnAddedTokens AttnAddedTokens;

typedef struct {
  int32_t id;
  bool single_word;    /* only where no letter or digit is next to it */
  bool lstrip, rstrip; /* takes the white space before or after it along */
} AttnAddedToken;

typedef struct {
  int32_t id; /* -1: the text between tokens */
  size_t first, n;
} AttnFoundToken;

AttnAddedTokens *attn_added_tokens_new (void);
void attn_added_tokens_free (AttnAddedTokens *tokens);

/* @content: the token's characters, at least one; of two equal ones the first counts. */
void attn_added_tokens_add (AttnAddedTokens *tokens,
                            const AttnCharText *content,
                            const AttnAddedToken *token);

/* To be called once, between the last token added and the first text. */
void attn_added_tokens_seal (AttnAddedTokens *tokens);

/**
 * attn_added_tokens_split:
 * @found: of AttnFoundToken, appended to: @chars from its start to its end, tokens and the text
 *   between them; no stretch is empty
 *
 * Finds tokens from left to right; of those that begin at one place the longest counts.
 */
void attn_added_tokens_split (const AttnAddedTokens *tokens,
                              const AttnChar *chars,
                              size_t n,
                              GArray *found);
