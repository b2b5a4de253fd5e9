/* SPDX-License-Identifier: MIT */
/* The ways to make pieces of words. */
#pragma once

#include "tokenizer-model.h"

typedef struct {
  int32_t unk_id;
  const char *prefix;    /* of every piece but a word's first, "##" */
  size_t max_word_chars; /* a longer word is unknown */
} AttnWordPieceOptions;

/* BERT's: greedily the longest pieces; what cannot be made of pieces is unknown as a whole.
 * Test: tests/core/test-tokenizer-wordpiece.c */
void attn_wordpiece_init (AttnTokenizerParts *parts, const AttnWordPieceOptions *options);

/* A word is a piece, or unknown. */
void attn_word_level_init (AttnTokenizerParts *parts, int32_t unk_id);

typedef struct {
  int32_t left, right;
  int32_t merged;
} AttnMerge;

typedef struct {
  int32_t unk_id;     /* -1: what is unknown is left out */
  const char *prefix; /* of every character but a word's first, and behind its last; "" mostly */
  const char *suffix;
  bool fuse_unk;      /* neighbours that are unknown are one piece */
  bool byte_fallback; /* what is unknown becomes pieces like <0xE4>, where all are there */
  bool ignore_merges; /* a word that is a piece is not looked into */
} AttnBpeOptions;

enum { ATTN_BPE_MAX_AFFIX_BYTES = 32 };

/**
 * attn_bpe_init:
 * @parts:  with its vocabulary
 * @merges: of AttnMerge, the first to be done first; of equal pairs the last counts
 *
 * Byte-pair encoding: of all pairs of neighbours the one with the lowest rank is merged, of equal
 * ones the first, until there is none. n characters take n log n steps.
 *
 * Test: tests/core/test-tokenizer-bpe.c
 */
void attn_bpe_init (AttnTokenizerParts *parts, const AttnBpeOptions *options, const GArray *merges);

typedef struct {
  int32_t unk_id;
  bool byte_fallback;
} AttnUnigramOptions;

/**
 * attn_unigram_init:
 * @parts:  with its vocabulary
 * @scores: of double, by id; taken
 *
 * SentencePiece's: the pieces with the greatest sum of scores. Unknown neighbours are one piece.
 *
 * Test: tests/core/test-tokenizer-unigram.c
 */
void
attn_unigram_init (AttnTokenizerParts *parts, const AttnUnigramOptions *options, GArray *scores);
