/* SPDX-License-Identifier: MIT */
/* How a tokenizer cuts normalised text into words, none of which a piece may leave: steps in a row.
 */
#pragma once

#include "char-text.h"
#include "pattern.h"

#include "attn/json.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct _AttnPreTokenizer AttnPreTokenizer;

/* What becomes of the places a step finds. */
typedef enum {
  ATTN_CUT_REMOVED,
  ATTN_CUT_ISOLATED,             /* each is a word */
  ATTN_CUT_CONTIGUOUS,           /* neighbours are a word together */
  ATTN_CUT_MERGED_WITH_PREVIOUS, /* joins the word before */
  ATTN_CUT_MERGED_WITH_NEXT,     /* joins the word behind */
} AttnCut;

typedef enum { ATTN_PREPEND_ALWAYS, ATTN_PREPEND_FIRST, ATTN_PREPEND_NEVER } AttnPrepend;

/* Returns: a pre-tokenizer without steps, for attn_pre_tokenizer_free(): all is one word. */
AttnPreTokenizer *attn_pre_tokenizer_new (void);
void attn_pre_tokenizer_free (AttnPreTokenizer *pre);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnPreTokenizer, attn_pre_tokenizer_free)

/* Each appends a step. */
void attn_pre_tokenizer_add_bert (AttnPreTokenizer *pre);
void attn_pre_tokenizer_add_white (AttnPreTokenizer *pre); /* WhitespaceSplit */
void attn_pre_tokenizer_add_words (AttnPreTokenizer *pre); /* Whitespace: \w+|[^\w\s]+ */
void attn_pre_tokenizer_add_digits (AttnPreTokenizer *pre, bool individual);
void attn_pre_tokenizer_add_punctuation (AttnPreTokenizer *pre, AttnCut cut);
void attn_pre_tokenizer_add_delimiter (AttnPreTokenizer *pre, gunichar delimiter);

/* GPT-2's: a space in front where @prefix_space and there is none, then (@by_pattern) its pattern,
 * then its alphabet of bytes. */
void attn_pre_tokenizer_add_byte_level (AttnPreTokenizer *pre, bool prefix_space, bool by_pattern);

/* SentencePiece's: spaces become @replacement, which begins words. */
void attn_pre_tokenizer_add_metaspace (AttnPreTokenizer *pre,
                                       gunichar replacement,
                                       AttnPrepend prepend,
                                       bool split);

/* @pattern: taken  @invert: what is found are the words, the rest is what parts them */
void attn_pre_tokenizer_add_split (AttnPreTokenizer *pre,
                                   AttnPattern *pattern,
                                   AttnCut cut,
                                   bool invert);

/**
 * attn_pre_tokenizer_read:
 * @value: the "pre_tokenizer" of a tokenizer.json, or NULL or null for none
 * @pre:   steps are appended
 *
 * Returns: false with @error: FORMAT, UNSUPPORTED (a step of a kind that is not known, which the
 *   message names).
 */
bool
attn_pre_tokenizer_read (json_t *value, AttnPreTokenizer *pre, const char *path, GError **error);

/* Returns: whether its characters stand for bytes. */
bool attn_pre_tokenizer_writes_bytes (const AttnPreTokenizer *pre);

/* Returns: the character it puts in the place of spaces, or 0. */
gunichar attn_pre_tokenizer_get_space (const AttnPreTokenizer *pre);

/**
 * attn_pre_tokenizer_run:
 * @chars: [n], must live as long as @words are used
 * @words: overwritten
 * @spare: for the steps between
 *
 * Test: tests/core/test-pre-tokenizer.c
 */
void attn_pre_tokenizer_run (const AttnPreTokenizer *pre,
                             const AttnChar *chars,
                             size_t n,
                             AttnWords *words,
                             AttnWords *spare);
