/* SPDX-License-Identifier: MIT */
/* Groups a text's tokens to words as people see them, whatever the tokenizer took for one. */
#pragma once

#include "tokens.h"

#include "attn/tokens.h"

#include <stdbool.h>
#include <stddef.h>

/* A word before its text is made. */
typedef struct {
  size_t first, n;   /* tokens */
  size_t start, end; /* bytes; equal ones: no text of its own */
} AttnTokenGroup;

/**
 * attn_token_groups_find:
 * @tokens: [n], in order
 * @texts:  [2]
 * @groups: [n], written
 *
 * Returns: how many groups there are.
 * Test: tests/core/test-tokens.c
 */
size_t attn_token_groups_find (const AttnToken *tokens,
                               size_t n,
                               const AttnTokensText *texts,
                               AttnTokenGroup *groups);
