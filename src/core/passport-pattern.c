/* SPDX-License-Identifier: MIT */
/* Patterns of heads: which rule the numbers of a passport fulfil first. */
#include "attn/passport.h"

#include <math.h>

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
  if (cls >= ATTN_PATTERN_LEAST_VERTICAL && !(diagonal >= ATTN_PATTERN_LEAST_EACH))
    return ATTN_PATTERN_VERTICAL;
  if (diagonal >= ATTN_PATTERN_LEAST_DIAGONAL)
    return ATTN_PATTERN_DIAGONAL;
  if (cls >= ATTN_PATTERN_LEAST_EACH && diagonal >= ATTN_PATTERN_LEAST_EACH &&
      cls + diagonal >= ATTN_PATTERN_LEAST_BOTH)
    return ATTN_PATTERN_VERTICAL_DIAGONAL;
  if (passport->mass_other <= ATTN_PATTERN_MOST_OTHER &&
      passport->entropy_normalised >= ATTN_PATTERN_LEAST_BLOCK)
    return ATTN_PATTERN_BLOCK;
  if (passport->entropy_normalised >= ATTN_PATTERN_LEAST_BROAD)
    return ATTN_PATTERN_BROAD;
  return ATTN_PATTERN_MIXED;
}

const char *
attn_passport_peek_diagonal (const AttnPassport *passport)
{
  const double self = passport->mass_self, previous = passport->mass_previous;
  if (passport->pattern != ATTN_PATTERN_DIAGONAL &&
      passport->pattern != ATTN_PATTERN_VERTICAL_DIAGONAL)
    return NULL;
  if (!(previous > self) && !(passport->mass_next > self))
    return "self";
  return passport->mass_next > previous ? "next" : "previous";
}
