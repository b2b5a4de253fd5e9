/* SPDX-License-Identifier: MIT */
/* Turns a text into a model's tokens, exactly as the published fast tokenizers do.
 *
 * For: encoding one text or a pair, and naming ids. Not for: running the model (run.h). */
#pragma once

#include "attn/tokens.h"

#include <glib.h>

#include <stdbool.h>

G_BEGIN_DECLS

/* Immutable and reference-counted; safe to share between threads. */
typedef struct _AttnTokenizer AttnTokenizer;

/* What gives way when a text and its pair are over the limit. */
typedef enum {
  ATTN_TRUNCATION_LONGEST_FIRST,
  ATTN_TRUNCATION_ONLY_FIRST,
  ATTN_TRUNCATION_ONLY_SECOND,
} AttnTruncation;

typedef struct {
  const char *text;
  size_t text_length; /* bytes */
  const char *pair;   /* second text, or NULL for none */
  size_t pair_length; /* bytes */
  size_t max_tokens;  /* with the template's tokens; 0 for attn_tokenizer_get_max_tokens() */
  AttnTruncation truncation;
} AttnTokenizerInput;

/**
 * attn_tokenizer_load:
 * @folder: a folder with tokenizer.json; or else vocab.txt (BERT and its kin); or else vocab.json
 *   and merges.txt (GPT-2, RoBERTa); or else a SentencePiece model (XLM-RoBERTa, CamemBERT, ALBERT,
 *   DeBERTa). Each optional: tokenizer_config.json,
 *   special_tokens_map.json, added_tokens.json, sentence_bert_config.json
 *
 * The limit is the smallest of model_max_length and max_seq_length; where neither is said, that of
 * tokenizer.json's truncation. Its padding is not used.
 *
 * Returns: a new tokenizer for attn_tokenizer_unref(), or NULL with @error: IO, FORMAT, SHAPE,
 *   TOO_LARGE (a file over its limit), UNSUPPORTED (a step, a pattern or a tokenizer_class that is
 *   not known; the message names it).
 * Test: tests/core/test-tokenizer-files.c, test-tokenizer-json.c, test-tokenizer-golden.c.
 */
AttnTokenizer *attn_tokenizer_load (const char *folder, GError **error);

/**
 * attn_tokenizer_check_files:
 *
 * Whether @folder has a file or two that a tokenizer can be made of, without reading them.
 *
 * Returns: false with @error: IO.
 * Test: tests/core/test-tokenizer-files.c
 */
bool attn_tokenizer_check_files (const char *folder, GError **error);

AttnTokenizer *attn_tokenizer_ref (AttnTokenizer *tokenizer);
void attn_tokenizer_unref (AttnTokenizer *tokenizer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnTokenizer, attn_tokenizer_unref)

/**
 * attn_tokenizer_encode:
 *
 * Splits the text(s), cuts what is over the limit (longest text first, from its end; reported by
 * attn_tokens_get_n_truncated()) and adds the template's tokens.
 *
 * Returns: new tokens for attn_tokens_unref(), or NULL with @error: INVALID_TEXT (the message gives
 *   the byte), TOO_LARGE (a limit too small for the template, or a text over 16 MiB).
 */
AttnTokens *
attn_tokenizer_encode (AttnTokenizer *tokenizer, const AttnTokenizerInput *input, GError **error);

/* Returns: entries of the vocabulary; ids are below it. */
size_t attn_tokenizer_get_vocab_size (const AttnTokenizer *tokenizer);

/* Returns: the files' model_max_length, or G_MAXSIZE where they set no limit. */
size_t attn_tokenizer_get_max_tokens (const AttnTokenizer *tokenizer);

/* Returns: (nullable) (transfer none): the piece with this id; NULL for none. */
const char *attn_tokenizer_peek_piece (const AttnTokenizer *tokenizer, int32_t id);

/**
 * attn_tokenizer_peek_text:
 *
 * A piece as people read it: bytes are characters again, a space is "␣", a line's end "↵", a tab
 * "⇥", other characters without a shape their number, as "U+00A0"; bytes that form no whole
 * character are "<E4>". "##ing" and "[CLS]" stay as they are.
 *
 * Returns: (nullable) (transfer none): the text of the piece with this id; NULL for none.
 */
const char *attn_tokenizer_peek_text (const AttnTokenizer *tokenizer, int32_t id);

/* Returns: the id of a piece, or -1. */
int32_t attn_tokenizer_find_id (const AttnTokenizer *tokenizer, const char *piece);

/* Returns: (nullable) (transfer none): how to type the mask ("[MASK]"); NULL where there is none.
 */
const char *attn_tokenizer_peek_mask (const AttnTokenizer *tokenizer);

/**
 * attn_tokenizer_mask_tokens:
 * @tokens:    of this tokenizer
 * @positions: [n] which tokens, from 0
 *
 * Returns: new tokens with the mask at these positions, each with its way back to the text that it
 *   now hides, for attn_tokens_unref(); or NULL with @error: UNSUPPORTED (there is no mask), SHAPE
 *   (a position beyond the tokens), TOO_LARGE.
 * Test: tests/core/test-passport.c
 */
AttnTokens *attn_tokenizer_mask_tokens (AttnTokenizer *tokenizer,
                                        AttnTokens *tokens,
                                        const size_t *positions,
                                        size_t n,
                                        GError **error);

/* Sentences found while loading that are no errors; warning @index below the count. */
size_t attn_tokenizer_get_n_warnings (const AttnTokenizer *tokenizer);
const char *attn_tokenizer_peek_warning (const AttnTokenizer *tokenizer, size_t index);

G_END_DECLS
