/* SPDX-License-Identifier: MIT */
/* What the front of a tokenizer (tokenizer.c) asks of the kinds behind it. */
#pragma once

#include "added-tokens.h"
#include "char-text.h"
#include "vocab.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One way to make tokens of text. @model is what the kind's loader made; nothing changes it, so it
 * may be used by many threads. */
typedef struct {
  /* appends the characters as the vocabulary writes them */
  void (*normalize) (const void *model, const AttnChar *chars, size_t n, AttnCharText *out);
  /* appends the pieces of normalised characters */
  void (*encode) (const void *model,
                  const AttnVocab *vocab,
                  const AttnChar *chars,
                  size_t n,
                  AttnPieceList *out);
  void (*free) (void *model);
} AttnTokenizerKind;

typedef struct {
  int sequence; /* 0 or 1: the text goes here; -1: a token of the template */
  int32_t id;   /* of that token */
  int32_t type_id;
} AttnTemplateItem;

enum { ATTN_TEMPLATE_MAX_ITEMS = 8 };

typedef struct {
  AttnTemplateItem items[ATTN_TEMPLATE_MAX_ITEMS];
  size_t n_items;
} AttnTemplate;

/* All of a tokenizer, filled in by a kind's loader. */
typedef struct {
  AttnVocab *vocab;
  const AttnTokenizerKind *kind;
  void *model;
  AttnAddedTokens *raw_tokens;        /* found in the text as it was typed */
  AttnAddedTokens *normalized_tokens; /* found after normalising */
  AttnTemplate single, pair;
  size_t max_tokens;   /* G_MAXSIZE: no limit */
  int32_t mask_id;     /* -1: none */
  GPtrArray *warnings; /* of owned strings */
} AttnTokenizerParts;
