/* SPDX-License-Identifier: MIT */
/* Patterns of heads: which rule the numbers of a passport fulfil first. */
#include "attn/passport.h"

#include <math.h>

#define VERTICAL 0.5
#define DIAGONAL 0.5
#define EACH_OF_BOTH 0.25
#define BOTH_TOGETHER 0.6
#define BLOCK_OTHER 0.1
#define BLOCK_ENTROPY 0.6
#define BROAD 0.85

static const char *const names[ATTN_N_PATTERNS] = {
    [ATTN_PATTERN_VERTICAL] = "vertical",
    [ATTN_PATTERN_DIAGONAL] = "diagonal",
    [ATTN_PATTERN_VERTICAL_DIAGONAL] = "vertical-diagonal",
    [ATTN_PATTERN_BLOCK] = "block",
    [ATTN_PATTERN_BROAD] = "broad",
    [ATTN_PATTERN_MIXED] = "mixed",
    [ATTN_PATTERN_NONE] = "none",
};

static const char *const rules[ATTN_N_PATTERNS] = {
    [ATTN_PATTERN_VERTICAL] = "mass_cls + mass_sep >= 0.5, and none of mass_prev, mass_next, "
                              "mass_self >= 0.25",
    [ATTN_PATTERN_DIAGONAL] = "the largest of mass_prev, mass_next, mass_self >= 0.5",
    [ATTN_PATTERN_VERTICAL_DIAGONAL] =
        "mass_cls + mass_sep >= 0.25, the largest of mass_prev, mass_next, mass_self >= 0.25, "
        "together >= 0.6",
    [ATTN_PATTERN_BLOCK] = "mass_other_sentence <= 0.1, entropy_normalised >= 0.6",
    [ATTN_PATTERN_BROAD] = "entropy_normalised >= 0.85",
    [ATTN_PATTERN_MIXED] = "no other rule holds",
    [ATTN_PATTERN_NONE] = "a weight is infinite or NaN",
};

const char *
attn_pattern_peek_name (AttnPattern pattern)
{
  g_return_val_if_fail (pattern < ATTN_N_PATTERNS, NULL);
  return names[pattern];
}

const char *
attn_pattern_peek_rule (AttnPattern pattern)
{
  g_return_val_if_fail (pattern < ATTN_N_PATTERNS, NULL);
  return rules[pattern];
}

AttnPattern
attn_passport_find_pattern (const AttnPassport *passport)
{
  if (passport->n_odd > 0)
    return ATTN_PATTERN_NONE;
  const double cls = isnan (passport->mass_cls) ? 0 : passport->mass_cls + passport->mass_sep;
  const double diagonal =
      fmax (fmax (passport->mass_previous, passport->mass_next), passport->mass_self);
  if (cls >= VERTICAL && !(diagonal >= EACH_OF_BOTH))
    return ATTN_PATTERN_VERTICAL;
  if (diagonal >= DIAGONAL)
    return ATTN_PATTERN_DIAGONAL;
  if (cls >= EACH_OF_BOTH && diagonal >= EACH_OF_BOTH && cls + diagonal >= BOTH_TOGETHER)
    return ATTN_PATTERN_VERTICAL_DIAGONAL;
  if (passport->mass_other <= BLOCK_OTHER && passport->entropy_normalised >= BLOCK_ENTROPY)
    return ATTN_PATTERN_BLOCK;
  if (passport->entropy_normalised >= BROAD)
    return ATTN_PATTERN_BROAD;
  return ATTN_PATTERN_MIXED;
}
