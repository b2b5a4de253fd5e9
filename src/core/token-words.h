/* SPDX-License-Identifier: MIT */
/* Groups a text's tokens to words as people see them, whatever the tokenizer took for one. */
#pragma once

#include "tokens.h"

#include "attn/tokens.h"
#include "attn/word-list.h"

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
 * @list:   (nullable): words of several Han characters; none takes each by itself
 * @groups: [n], written
 *
 * A mask is a word by itself, whatever stands beside it.
 *
 * Returns: how many groups there are.
 * Test: tests/core/test-tokens.c
 */
size_t attn_token_groups_find (const AttnToken *tokens,
                               size_t n,
                               const AttnTokensText *texts,
                               const AttnWordList *list,
                               AttnTokenGroup *groups);

/* Leaves out blanks and control characters at both ends of a span, unless there is nothing else. */
void attn_token_trim_blanks (const char *text, size_t *start, size_t *end);

/* Returns: whether a word's text is what was typed; else it is called as its tokens are.
 * @first: the first of its tokens  @texts: [2] */
bool attn_token_group_shows_text (const AttnTokenGroup *group,
                                  const AttnToken *first,
                                  const AttnTokensText *texts);
