/* SPDX-License-Identifier: MIT */
/* Which characters or words a text's tokens make up. */
#pragma once

#include "attn/arrange.h"
#include "attn/tokens.h"
#include "attn/word-list.h"

#include <glib.h>

#include <stddef.h>

/* A row or a column that is made of tokens. */
typedef struct {
  size_t first, n;   /* positions of the tokens that reach into it; at least one */
  int sequence;      /* as of its tokens */
  size_t start, end; /* byte span in that text; both 0 where it has none */
  char *label;       /* owned, valid UTF-8; NULL where it is called as its token */
} AttnUnitOf;

/* Both ways between tokens and units. A token reaches into one unit, or into several that follow
 * each other. */
typedef struct {
  AttnUnitOf *of; /* [n] */
  size_t n;
  size_t *first, *count; /* [n_tokens]: a token's units */
} AttnUnits;

/**
 * attn_units_new:
 * @unit:     ATTN_UNIT_CHARACTERS or ATTN_UNIT_WORDS
 * @indexes:  [n] tokens of @tokens, ascending
 * @n:        > 0
 * @words:    (nullable): as attn_maps_arrange() says
 *
 * Tokens of the template and masks stay themselves, and so do those without a text of their own.
 *
 * Returns: new units for attn_units_free(), or NULL with @error: TOO_LARGE.
 * Test: tests/core/test-arrange.c
 */
AttnUnits *attn_units_new (AttnUnit unit,
                           const AttnTokens *tokens,
                           const size_t *indexes,
                           size_t n,
                           const AttnWordList *words,
                           GError **error);

void attn_units_free (AttnUnits *units);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnUnits, attn_units_free)
