/* SPDX-License-Identifier: MIT */
/* How maps are put together to be looked at: heads joined, tokens grouped, some left out.
 *
 * Every step gives maps again, so that pictures, numbers and exports need to know nothing of it.
 * The order is fixed: heads are combined, tokens grouped, a part of the sentence pair taken, tokens
 * hidden, rows renormalised, small weights dropped. */
#pragma once

#include "attn/maps.h"
#include "attn/pool.h"
#include "attn/word-list.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Some of a layer's heads; a plain value. None chosen means all of them. */
#define ATTN_HEAD_SET_MAX 256 /* heads from here on cannot be chosen one by one */
typedef struct {
  uint64_t bits[ATTN_HEAD_SET_MAX / 64];
} AttnHeadSet;

bool attn_head_set_is_empty (const AttnHeadSet *set);
/* Returns: whether @head is chosen; true for every head when none is. */
bool attn_head_set_has (const AttnHeadSet *set, size_t head);
void attn_head_set_put (AttnHeadSet *set, size_t head, bool chosen);
bool attn_head_set_equal (const AttnHeadSet *a, const AttnHeadSet *b);

/**
 * attn_head_set_toggle:
 * @head: below @n_heads; nothing happens to one that cannot be chosen
 *
 * Leaves the head out or takes it in again, where none chosen means all @n_heads: the first that is
 * left out chooses all others, and without the last one all are there again.
 *
 * Test: tests/core/test-arrange.c
 */
void attn_head_set_toggle (AttnHeadSet *set, size_t head, size_t n_heads);

typedef enum {
  ATTN_COMBINE_NONE, /* every head by itself */
  ATTN_COMBINE_MEAN,
  ATTN_COMBINE_MAX,
} AttnCombine;

typedef enum {
  ATTN_UNIT_TOKENS,
  ATTN_UNIT_CHARACTERS, /* a token's column split evenly over its characters, its row repeated */
  ATTN_UNIT_WORDS,      /* to a word: the sum of its columns; from a word: the mean of its rows */
} AttnUnit;

typedef enum {
  ATTN_PART_ALL,
  ATTN_PART_A_TO_A, /* queries of the first text, keys of the first */
  ATTN_PART_A_TO_B,
  ATTN_PART_B_TO_A,
  ATTN_PART_B_TO_B,
} AttnPart;

/* What is left out, of queries and of keys; flags. */
typedef enum {
  ATTN_HIDE_NOTHING = 0,
  ATTN_HIDE_CLS = 1 << 0,         /* what the template put in front of all */
  ATTN_HIDE_SEP = 1 << 1,         /* what the template added elsewhere */
  ATTN_HIDE_PUNCTUATION = 1 << 2, /* tokens (characters, words) of signs alone */
} AttnHide;

typedef enum {
  ATTN_KEEP_ALL,
  ATTN_KEEP_ABOVE, /* weights of at least the threshold; others become 0 */
  ATTN_KEEP_TOP,   /* the largest of each row (the first of equal ones); others become 0 */
} AttnKeep;

/* A plain value; all zero is the maps as they are. */
typedef struct {
  AttnCombine combine;
  bool combine_layers; /* over all layers; else each layer by itself */
  AttnHeadSet heads;   /* which of them are combined */
  AttnUnit unit;
  AttnPart part;
  unsigned hide;    /* AttnHide */
  bool renormalise; /* rows of what is left sum to 1 again; one of nothing stays 0, of NaN NaN */
  AttnKeep keep;
  double threshold; /* 0 … 1 */
  size_t n_top;     /* ≥ 1 */
} AttnArrangement;

/* Returns: whether they ask for the same; fields that another one makes idle count too. */
bool attn_arrangement_equal (const AttnArrangement *a, const AttnArrangement *b);

/* Returns: whether it changes nothing, whatever its idle fields say. */
bool attn_arrangement_is_plain (const AttnArrangement *arrangement);

/* Leaves heads out that a layer of @n_heads has not; none left means all. For a choice that was
 * made on another model. */
void attn_arrangement_limit_heads (AttnArrangement *arrangement, size_t n_heads);

/**
 * attn_maps_arrange:
 * @maps:  of whole tokens
 * @words: (nullable): words of several Han characters, for ATTN_UNIT_WORDS; none takes each
 *         character by itself
 * @pool:  (nullable): for combining all layers, which is done at once; not kept
 *
 * Combining gives maps of one head, and of one layer where layers are combined too; their queries
 * see what any of the combined ones sees.
 *
 * Tokens that have nothing but names (arrays.h) can be grouped to words and hidden all the same,
 * each side by its own list. Special are those called [CLS], [SEP], [PAD], [BOS], [EOS], <cls>,
 * <sep>, <pad>, <bos>, <eos>, <s>, </s>, <|endoftext|>, <|startoftext|>, <|begin_of_text|>,
 * <|end_of_text|>, <|im_start|>, <|im_end|>, <|eot_id|>, letters in either case: the first of all
 * is ATTN_HIDE_CLS, others are ATTN_HIDE_SEP. Names with "##" in front go on with a word; where
 * there are none and some begin with "Ġ", "▁" or a blank, these do not go on; where no name has
 * such a mark, each is a word. Signs are no part of a word, and @words joins Han characters. How
 * names lie in a text they do not tell: there are no characters and no parts of a pair.
 *
 * Returns: new maps for attn_maps_unref() (@maps itself, referenced, where nothing changes), or
 *   NULL with @error: SHAPE where no query or no key is left, a chosen head is not there, or the
 *   maps come from no text (of names: for characters and parts) and the step needs one; TOO_LARGE;
 * where all layers are combined, also why a map could not be computed. Threads: the same bits for
 * any number of them. Source: grouping as Clark et al. 2019, section 4.1. Test:
 * tests/core/test-arrange.c
 */
AttnMaps *attn_maps_arrange (AttnMaps *maps,
                             const AttnArrangement *arrangement,
                             const AttnWordList *words,
                             AttnPool *pool,
                             GError **error);

/* Names as the command line takes and gives them; find answers false for an unknown one. */
const char *attn_combine_peek_name (AttnCombine combine); /* "none", "mean", "max" */
bool attn_combine_find (const char *name, AttnCombine *combine);
const char *attn_unit_peek_name (AttnUnit unit); /* "tokens", "characters", "words" */
bool attn_unit_find (const char *name, AttnUnit *unit);
const char *attn_part_peek_name (AttnPart part); /* "all", "a-a", "a-b", "b-a", "b-b" */
bool attn_part_find (const char *name, AttnPart *part);

G_END_DECLS
