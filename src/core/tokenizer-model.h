/* SPDX-License-Identifier: MIT */
/* The parts every tokenizer is made of; a folder's loader fills them in, tokenizer.c runs them. */
#pragma once

#include "added-tokens.h"
#include "char-text.h"
#include "normalizer.h"
#include "pre-tokenizer.h"
#include "tokenizer-config.h"
#include "vocab.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One way to make pieces of words: WordPiece, BPE, Unigram, WordLevel. @model is what its maker
 * made; nothing changes it, so it may be used by many threads. */
typedef struct {
  /* appends the pieces of one word, at least one character long */
  void (*encode) (const void *model,
                  const AttnVocab *vocab,
                  const AttnChar *chars,
                  size_t n,
                  AttnScratch *scratch,
                  AttnPieceList *out);
  void (*free) (void *model);
} AttnPieceKind;

typedef struct {
  int sequence; /* 0 or 1: the text goes here; -1: a token of the template */
  int32_t id;   /* of that token */
  int32_t type_id;
} AttnTemplateItem;

/* How a byte-level tokenizer takes the spaces out of its tokens' spans. */
typedef struct {
  bool trims;
  bool keeps_prefix; /* the space a text begins with was put there, so it has no place */
} AttnSpanTrim;

/* All of a tokenizer, filled in by a folder's loader. */
typedef struct {
  AttnVocab *vocab;
  AttnNormalizer *normalizer;
  AttnPreTokenizer *pre_tokenizer;
  const AttnPieceKind *kind;
  void *model;
  AttnAddedTokens *raw_tokens;        /* found in the text as it was typed */
  AttnAddedTokens *normalized_tokens; /* found after normalising */
  GHashTable *registered;             /* contents of both, owned */
  GArray *single, *pair;              /* of AttnTemplateItem */
  AttnSpanTrim trim;
  GStringChunk *chunk; /* of the texts, */
  const char **texts;  /* [vocabulary] as people read the pieces; NULL for what looks that way */
  size_t max_tokens;   /* G_MAXSIZE: no limit */
  bool cuts_start;     /* what is over the limit is cut from the start */
  int32_t mask_id;     /* -1: none */
  GPtrArray *warnings; /* of owned strings */
} AttnTokenizerParts;

/* No vocabulary, no kind, no template; everything else is there and empty. */
void attn_tokenizer_parts_init (AttnTokenizerParts *parts);
void attn_tokenizer_parts_clear (AttnTokenizerParts *parts);

/**
 * attn_tokenizer_parts_add_token:
 * @parts: with its vocabulary and normaliser
 * @path:  of the file that names the token, for warnings
 *
 * Has a token found in texts as a whole. One that the vocabulary lacks gets the next free id, as in
 * the reference; a warning tells where the file says another. Of two with the same content the
 * first counts.
 */
void attn_tokenizer_parts_add_token (AttnTokenizerParts *parts,
                                     const AttnConfigToken *token,
                                     const char *path);

/* The same for a token that is left out where the vocabulary lacks it. Returns: its id, or -1. */
int32_t attn_tokenizer_parts_find_token (AttnTokenizerParts *parts, const AttnConfigToken *token);

/* To be called when all is read: makes what reading and encoding want ready. */
void attn_tokenizer_parts_seal (AttnTokenizerParts *parts);

/* Appends to a template: one of its own tokens, or a text (@sequence 0 or 1). */
void attn_template_add_token (GArray *items, int32_t id, int32_t type_id);
void attn_template_add_text (GArray *items, int sequence, int32_t type_id);
