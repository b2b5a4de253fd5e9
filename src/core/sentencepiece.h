/* SPDX-License-Identifier: MIT */
/* SentencePiece's model files: pieces with scores and kinds, and a map of characters. */
#pragma once

#include "charsmap.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  ATTN_SENTENCEPIECE_NORMAL = 1,
  ATTN_SENTENCEPIECE_UNKNOWN = 2,
  ATTN_SENTENCEPIECE_CONTROL = 3,
  ATTN_SENTENCEPIECE_USER_DEFINED = 4,
} AttnSentencePieceType;

typedef struct {
  const char *text; /* [n_bytes], without NUL behind it; owned by the model */
  size_t n_bytes;
  float score;
  int type; /* of AttnSentencePieceType, or another */
} AttnSentencePiece;

typedef struct {
  char *bytes;    /* the file */
  GArray *pieces; /* of AttnSentencePiece, by id */
  int32_t unk_id;
  AttnCharsmap *charsmap; /* NULL for none */
} AttnSentencePieceModel;

/**
 * attn_sentencepiece_load:
 * @model: zeroed; filled in, on error in part
 *
 * Returns: false with @error: IO, FORMAT, TOO_LARGE, UNSUPPORTED (a model that is not Unigram).
 * Test: tests/core/test-tokenizer-sentencepiece.c
 */
bool attn_sentencepiece_load (AttnSentencePieceModel *model, const char *path, GError **error);

void attn_sentencepiece_clear (AttnSentencePieceModel *model);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnSentencePieceModel, attn_sentencepiece_clear)
