/* SPDX-License-Identifier: MIT */
/* A head's passport: numbers that say where one map looks, and the pattern they make it.
 *
 * For: tables of heads, the atlas. Not for: what a head is good for (a pattern says where it looks
 * on this text, not why).
 *
 * Letters: T queries and as many keys, a_ij the weight of query i on key j. */
#pragma once

#include "attn/maps.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* Where the rules of patterns draw their lines; shares of weight, or of the entropy's ln T. */
#define ATTN_PATTERN_LEAST_VERTICAL 0.5
#define ATTN_PATTERN_LEAST_DIAGONAL 0.5
#define ATTN_PATTERN_LEAST_EACH 0.25
#define ATTN_PATTERN_LEAST_BOTH 0.6
#define ATTN_PATTERN_MOST_OTHER 0.1
#define ATTN_PATTERN_LEAST_BLOCK 0.6
#define ATTN_PATTERN_LEAST_BROAD 0.85

/* Patterns, after Kovaleva et al. 2019, told apart by how much weight goes where. The first rule in
 * this order that holds is the one. */
typedef enum {
  ATTN_PATTERN_VERTICAL,          /* cls + sep ≥ 0.5, and no diagonal of 0.25 */
  ATTN_PATTERN_DIAGONAL,          /* the largest of previous, next and self ≥ 0.5 */
  ATTN_PATTERN_VERTICAL_DIAGONAL, /* both ≥ 0.25, and together ≥ 0.6 */
  ATTN_PATTERN_BLOCK, /* of a pair: other sentence ≤ 0.1, entropy ≥ 0.6 of ln T; each text looks at
                         itself */
  ATTN_PATTERN_BROAD, /* entropy ≥ 0.85 of ln T */
  ATTN_PATTERN_MIXED, /* none of these */
  ATTN_PATTERN_NONE,  /* some weight is not finite, so that no rule can be asked */
  ATTN_N_PATTERNS
} AttnPattern;

/* Returns: (transfer none): "vertical", "diagonal", "vertical-diagonal", "block", "broad",
 * "mixed" or "none"; static. */
const char *attn_pattern_peek_name (AttnPattern pattern);

/* Returns: (transfer none): the rule that makes a map this pattern, in English, with its
 * thresholds; static. */
const char *attn_pattern_peek_rule (AttnPattern pattern);

/* NaN says either that there is nothing to take the mean of, as the bools tell, or that some of the
 * weights that it is of are NaN: none is left out. */
typedef struct {
  double entropy;            /* mean over i of -Σ_j a_ij ln a_ij; nats */
  double entropy_normalised; /* the same with each row's divided by the logarithm of how many keys
                                it sees; rows that see one key are left out; 0 … 1 */
  double confidence;         /* mean over i of the largest a_ij */
  double mean_distance;      /* mean over i of Σ_j a_ij |i - j|; tokens */
  double mass_self;          /* mean of a_ii */
  double mass_previous;      /* mean of a_i,i-1 over the rows that have one */
  double mass_next;          /* mean of a_i,i+1 likewise; of a causal model 0 */
  double mass_cls;           /* mean over i of the weight on what the template put in front */
  double mass_sep;           /* … on what else it added */
  double mass_punctuation;   /* … on signs of the text */
  double mass_same;          /* … on other places with the very token of i */
  double mass_other;         /* … on the other text of a pair, over rows of either text */
  AttnPattern pattern;
  size_t n_odd;        /* weights that are infinite or NaN */
  bool has_choice;     /* some query sees several keys; else there is no entropy_normalised */
  bool has_neighbours; /* T > 1; else there are no mass_previous and mass_next */
  bool has_template;   /* the maps tell what the template added; else no cls, sep, punctuation */
  bool has_pair;       /* … and there are two texts; else there is no mass_other */
} AttnPassport;

/* A passport's numbers, in the order of tables. */
typedef enum {
  ATTN_PASSPORT_ENTROPY,
  ATTN_PASSPORT_ENTROPY_NORMALISED,
  ATTN_PASSPORT_CONFIDENCE,
  ATTN_PASSPORT_DISTANCE,
  ATTN_PASSPORT_SELF,
  ATTN_PASSPORT_PREVIOUS,
  ATTN_PASSPORT_NEXT,
  ATTN_PASSPORT_CLS,
  ATTN_PASSPORT_SEP,
  ATTN_PASSPORT_PUNCTUATION,
  ATTN_PASSPORT_SAME,
  ATTN_PASSPORT_OTHER,
  ATTN_N_PASSPORT_FIELDS
} AttnPassportField;

/* Returns: (transfer none): "entropy", "mass_prev" and so on, as in tables and files; static. */
const char *attn_passport_field_peek_name (AttnPassportField field);

/* Returns: whether there is such a number; @value is then written, which may be NaN. */
bool attn_passport_get_field (const AttnPassport *passport, AttnPassportField field, double *value);

/* Writes a number, and that there is one. */
void attn_passport_set_field (AttnPassport *passport, AttnPassportField field, double value);

/* Returns: an empty passport: all numbers NaN, and none there that may be missing. */
AttnPassport attn_passport_make_empty (void);

/* Returns: the pattern of these numbers, whatever @passport says of it. */
AttnPattern attn_passport_find_pattern (const AttnPassport *passport);

/* Returns: (transfer none): which of "self", "previous" and "next" has most weight, the first of
 * equal ones, where the pattern has a diagonal; else NULL. Static.
 * Test: tests/core/test-passport.c */
const char *attn_passport_peek_diagonal (const AttnPassport *passport);

/**
 * attn_map_compute_passport:
 * @map:      with as many queries as keys
 * @passport: written; sums are taken in double
 *
 * Source: Clark et al. 2019, section 3; Voita et al. 2019 (confidence); Vig and Belinkov 2019
 *   (distance); Kovaleva et al. 2019 (patterns; the thresholds are ours).
 * Test:   tests/core/test-passport.c, golden data and closed forms.
 */
void attn_map_compute_passport (const AttnMap *map, AttnPassport *passport);

G_END_DECLS
