/* SPDX-License-Identifier: MIT */
/* The text of a tokenizer.json: what is small as a tree, vocabulary and merges pulled. */
#pragma once

#include "vocab.h"

#include "attn/json.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* Larger ones are refused. */
enum { ATTN_TOKENIZER_MAX_FILE_BYTES = 128 << 20 };

/* Where a value stands in the text. */
typedef struct {
  size_t begin, end; /* 0 and 0: there is none */
} AttnTextSpan;

typedef struct {
  char *path; /* fit for messages */
  char *text; /* [n], and a NUL; strings in it are decoded while they are pulled */
  size_t n;
  const char *vocab_name;     /* in messages */
  json_t *root;               /* all but the two below, which are null in it */
  AttnTextSpan vocab, merges; /* of "model" */
} AttnTokenizerText;

/* Returns: false with @error: IO, FORMAT, TOO_LARGE. */
bool attn_tokenizer_text_load (AttnTokenizerText *text, const char *path, GError **error);

/* The same for a vocab.json, which is a vocabulary alone; there is no root. */
bool attn_tokenizer_text_load_vocab (AttnTokenizerText *text, const char *path, GError **error);

void attn_tokenizer_text_clear (AttnTokenizerText *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnTokenizerText, attn_tokenizer_text_clear)

/* Reads the vocabulary as an object, ids by pieces; what lies between ids stays free. Each of the
 * three may be called once. Returns: false with @error: FORMAT, TOO_LARGE, SHAPE. */
bool attn_tokenizer_text_pull_ids (AttnTokenizerText *text, AttnVocab *vocab, GError **error);

/* Reads the vocabulary as a list of pieces with their scores, which are doubles. */
bool attn_tokenizer_text_pull_scores (AttnTokenizerText *text,
                                      AttnVocab *vocab,
                                      GArray *scores,
                                      GError **error);

/* One merge as it stands there; @left and @right live until the next one. Returns: false with
 * @error to stop. */
typedef bool (*AttnMergeFunc) (const char *left, const char *right, void *data, GError **error);

/* Reads merges, as "left right" or ["left", "right"]. */
bool attn_tokenizer_text_pull_merges (AttnTokenizerText *text,
                                      AttnMergeFunc take,
                                      void *data,
                                      GError **error);
