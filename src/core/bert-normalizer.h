/* SPDX-License-Identifier: MIT */
/* What BERT does to a text before it looks for words. */
#pragma once

#include "char-text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  bool clean; /* removes control characters and makes white space U+0020 */
  bool lower;
  bool strip_accents;
  bool split_ideographs;
} AttnBertNormalizer;

/* Appends the small letter, which of U+0130 is two characters. */
void attn_bert_append_lower (AttnCharText *out, gunichar c, guint32 start, guint32 end);

/**
 * attn_bert_normalize:
 * @chars: [n]
 * @out:   appended to
 *
 * Cleans, sets ideographs apart, decomposes and
 * drops accents, makes small letters, in this order. Every character keeps the span it comes from.
 *
 * Source: the published fast tokenizer; which characters it means is unicode.h's matter.
 * Test: tests/core/test-tokenizer-wordpiece.c
 */
void attn_bert_normalize (const AttnBertNormalizer *normalizer,
                          const AttnChar *chars,
                          size_t n,
                          AttnCharText *out);
