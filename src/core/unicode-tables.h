/* SPDX-License-Identifier: MIT */
/* The generated tables behind unicode.h. */
#pragma once

#include "unicode.h"

/* Ascending and apart from each other; what lies between two ranges has no flag. */
typedef struct {
  guint32 first, last;
  guint16 value; /* bits of AttnCharFlags or AttnCharClasses, or an AttnCharBreak */
} AttnCharRange;

extern const AttnCharRange attn_char_ranges[];
extern const size_t attn_n_char_ranges;

extern const AttnCharRange attn_class_ranges[];
extern const size_t attn_n_class_ranges;

extern const AttnCharRange attn_break_ranges[];
extern const size_t attn_n_break_ranges;

/* Every @step-th character from @first to @last has its small letter @distance further on. */
typedef struct {
  guint32 first, last;
  guint16 step;
  gint32 distance;
} AttnLowerRange;

extern const AttnLowerRange attn_lower_ranges[];
extern const size_t attn_n_lower_ranges;
