/* SPDX-License-Identifier: MIT */
/* What the figure of an atlas says in words: names of numbers and patterns, rules, titles. */
#include "atlas-private.h"
#include "plain-text.h"

#include "attn/number.h"

#include <math.h>

const char *
attn_draw_atlas_say (const AttnDrawAtlas *asked, const char *english)
{
  return asked->translate != NULL ? asked->translate (english, asked->translate_data) : english;
}

char *
attn_draw_atlas_fill (const AttnDrawAtlas *asked,
                      const char *english,
                      const char *const *arguments,
                      size_t n)
{
  return attn_draw_fill (attn_draw_atlas_say (asked, english), arguments, n);
}

const char *
attn_draw_atlas_peek_field (const AttnDrawAtlas *asked, AttnPassportField field)
{
  static const char *const names[ATTN_N_PASSPORT_FIELDS] = {
      [ATTN_PASSPORT_ENTROPY] = N_ ("Entropy (nats)"),
      [ATTN_PASSPORT_ENTROPY_NORMALISED] = N_ ("Entropy, share of ln T"),
      [ATTN_PASSPORT_CONFIDENCE] = N_ ("Confidence (mean largest weight)"),
      [ATTN_PASSPORT_DISTANCE] = N_ ("Mean distance (tokens)"),
      [ATTN_PASSPORT_SELF] = N_ ("On the token itself"),
      [ATTN_PASSPORT_PREVIOUS] = N_ ("On the previous token"),
      [ATTN_PASSPORT_NEXT] = N_ ("On the next token"),
      [ATTN_PASSPORT_CLS] = N_ ("On [CLS], or what is in front"),
      [ATTN_PASSPORT_SEP] = N_ ("On [SEP], or what else was added"),
      [ATTN_PASSPORT_PUNCTUATION] = N_ ("On punctuation"),
      [ATTN_PASSPORT_SAME] = N_ ("On the same token elsewhere"),
      [ATTN_PASSPORT_OTHER] = N_ ("On the other sentence"),
  };
  return attn_draw_atlas_say (asked, names[field]);
}

const char *
attn_draw_atlas_peek_pattern (const AttnDrawAtlas *asked, AttnPattern pattern)
{
  static const char *const names[ATTN_N_PATTERNS] = {
      [ATTN_PATTERN_VERTICAL] = N_ ("vertical"),
      [ATTN_PATTERN_DIAGONAL] = N_ ("diagonal"),
      [ATTN_PATTERN_VERTICAL_DIAGONAL] = N_ ("vertical and diagonal"),
      [ATTN_PATTERN_BLOCK] = N_ ("block"),
      [ATTN_PATTERN_BROAD] = N_ ("broad"),
      [ATTN_PATTERN_MIXED] = N_ ("mixed"),
      [ATTN_PATTERN_NONE] = N_ ("no pattern"),
  };
  return attn_draw_atlas_say (asked, names[pattern]);
}

/* Arguments: 1 [CLS] and [SEP], 2 the largest of previous, next and self, 3 both together, 4 other
 * sentence, 5 entropy; 6 and 7 the rule's thresholds; 8 which it is of previous, next and self. */
static const char *const rules[ATTN_N_PATTERNS] = {
    [ATTN_PATTERN_VERTICAL] =
        N_ ("[CLS] and [SEP] get %1$s of the weight, which is %6$s or more, and neither previous, "
            "next nor the token itself gets %7$s: the most is %2$s"),
    [ATTN_PATTERN_DIAGONAL] = N_ ("%8$s gets %2$s of the weight, which is %6$s or more"),
    [ATTN_PATTERN_VERTICAL_DIAGONAL] =
        N_ ("[CLS] and [SEP] get %1$s of the weight, %8$s %2$s: each is %6$s or more, and both "
            "together, %3$s, are %7$s or more"),
    [ATTN_PATTERN_BLOCK] = N_ ("the other sentence gets %4$s of the weight, at most %6$s, and the "
                               "entropy is %5$s of ln T, %7$s or more"),
    [ATTN_PATTERN_BROAD] = N_ ("the entropy is %5$s of ln T, which is %6$s or more"),
    [ATTN_PATTERN_MIXED] =
        N_ ("no rule holds: [CLS] and [SEP] get %1$s of the weight, of previous, "
            "next and the token itself the most is %2$s, the entropy is %5$s of "
            "ln T"),
    [ATTN_PATTERN_NONE] = N_ ("some weight is infinite or NaN, so that no rule can be asked"),
};

static const double limits[ATTN_N_PATTERNS][2] = {
    [ATTN_PATTERN_VERTICAL] = {ATTN_PATTERN_LEAST_VERTICAL, ATTN_PATTERN_LEAST_EACH},
    [ATTN_PATTERN_DIAGONAL] = {ATTN_PATTERN_LEAST_DIAGONAL, 0},
    [ATTN_PATTERN_VERTICAL_DIAGONAL] = {ATTN_PATTERN_LEAST_EACH, ATTN_PATTERN_LEAST_BOTH},
    [ATTN_PATTERN_BLOCK] = {ATTN_PATTERN_MOST_OTHER, ATTN_PATTERN_LEAST_BLOCK},
    [ATTN_PATTERN_BROAD] = {ATTN_PATTERN_LEAST_BROAD, 0},
};

/* Returns: (nullable): which of the three diagonals has most, where there is one. */
static const char *
peek_diagonal (const AttnDrawAtlas *asked, const AttnPassport *passport)
{
  const char *name = attn_passport_peek_diagonal (passport);
  if (name == NULL)
    return NULL;
  const char *english = g_str_equal (name, "self")       ? N_ ("the token itself")
                        : g_str_equal (name, "previous") ? N_ ("the previous token")
                                                         : N_ ("the next token");
  return attn_draw_atlas_say (asked, english);
}

char *
attn_draw_atlas_dup_label (const AttnDrawAtlas *asked, const AttnPassport *passport)
{
  const char *name = attn_draw_atlas_peek_pattern (asked, passport->pattern);
  const char *diagonal = peek_diagonal (asked, passport);
  const char *const both[] = {name, diagonal};
  return diagonal != NULL ? attn_draw_atlas_fill (asked, N_ ("%1$s (%2$s)"), both, 2)
                          : g_strdup (name);
}

char *
attn_draw_atlas_dup_rule (const AttnDrawAtlas *asked, const AttnPassport *passport)
{
  const double ends = isnan (passport->mass_cls) ? 0 : passport->mass_cls + passport->mass_sep;
  const double diagonal =
      fmax (fmax (passport->mass_previous, passport->mass_next), passport->mass_self);
  const double numbers[] = {ends,
                            diagonal,
                            ends + diagonal,
                            passport->mass_other,
                            passport->entropy_normalised,
                            limits[passport->pattern][0],
                            limits[passport->pattern][1]};
  char texts[G_N_ELEMENTS (numbers)][ATTN_NUMBER_SIZE];
  const char *arguments[G_N_ELEMENTS (numbers) + 1];
  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    arguments[i] = attn_number_format_fixed (texts[i], numbers[i], i < 5 ? 3 : 2);
  const char *which = peek_diagonal (asked, passport);
  arguments[G_N_ELEMENTS (numbers)] = which != NULL ? which : "";
  return attn_draw_atlas_fill (asked, rules[passport->pattern], arguments,
                               G_N_ELEMENTS (arguments));
}

char *
attn_draw_atlas_dup_head (const AttnDrawAtlas *asked, size_t layer, size_t head)
{
  const AttnPassport passport = attn_atlas_get_passport (asked->atlas, layer, head);
  g_autofree char *number = g_strdup_printf ("%zu", layer + 1);
  g_autofree char *of = g_strdup_printf ("%zu", head + 1);
  g_autofree char *entropy = attn_draw_dup_number (passport.entropy, 3);
  g_autofree char *confidence = attn_draw_dup_number (passport.confidence, 3);
  g_autofree char *distance = attn_draw_dup_number (passport.mean_distance, 2);
  g_autofree char *label = attn_draw_atlas_dup_label (asked, &passport);
  const char *const arguments[] = {number, of, label, entropy, confidence, distance};
  return attn_draw_atlas_fill (asked,
                               N_ ("layer %1$s, head %2$s: %3$s · entropy %4$s nats · confidence "
                                   "%5$s · distance %6$s tokens"),
                               arguments, G_N_ELEMENTS (arguments));
}

char *
attn_draw_atlas_dup_title (const AttnDrawAtlas *asked)
{
  const AttnAtlas *atlas = asked->atlas;
  g_autofree char *layers = g_strdup_printf ("%zu", atlas->n_layers);
  g_autofree char *heads = g_strdup_printf ("%zu", atlas->n_heads);
  g_autofree char *texts = g_strdup_printf ("%zu", atlas->n_texts);
  const char *const arguments[] = {layers, heads, texts};
  return attn_draw_atlas_fill (asked,
                               asked->texts != NULL
                                   ? N_ ("Atlas of %1$s layers × %2$s heads over %3$s texts")
                                   : N_ ("Atlas of %1$s layers × %2$s heads on one text"),
                               arguments, 3);
}
