/* SPDX-License-Identifier: MIT */
/* What a tokenizer does to a text before it cuts it into words: steps in a row. */
#pragma once

#include "bert-normalizer.h"
#include "char-text.h"
#include "charsmap.h"
#include "pattern.h"

#include "attn/json.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct _AttnNormalizer AttnNormalizer;

typedef enum { ATTN_FORM_C, ATTN_FORM_D, ATTN_FORM_KC, ATTN_FORM_KD } AttnNormalForm;

/* Returns: a normaliser without steps, for attn_normalizer_free(). */
AttnNormalizer *attn_normalizer_new (void);
void attn_normalizer_free (AttnNormalizer *normalizer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnNormalizer, attn_normalizer_free)

/* Each appends a step. */
void attn_normalizer_add_bert (AttnNormalizer *normalizer, const AttnBertNormalizer *options);
void attn_normalizer_add_form (AttnNormalizer *normalizer, AttnNormalForm form);
void attn_normalizer_add_lower (AttnNormalizer *normalizer);
void attn_normalizer_add_strip_accents (AttnNormalizer *normalizer);
void attn_normalizer_add_strip (AttnNormalizer *normalizer, bool left, bool right);
void attn_normalizer_add_nmt (AttnNormalizer *normalizer);
void attn_normalizer_add_prepend (AttnNormalizer *normalizer, const char *text);
void attn_normalizer_add_byte_level (AttnNormalizer *normalizer);

/* Both take what they are given. @content: what each match becomes, UTF-8 */
void
attn_normalizer_add_replace (AttnNormalizer *normalizer, AttnPattern *pattern, const char *content);
void attn_normalizer_add_charsmap (AttnNormalizer *normalizer, AttnCharsmap *charsmap);

/**
 * attn_normalizer_read:
 * @value:      the "normalizer" of a tokenizer.json, or NULL or null for none
 * @normalizer: steps are appended
 *
 * Returns: false with @error: FORMAT, UNSUPPORTED (a step of a kind that is not known, which the
 *   message names).
 */
bool
attn_normalizer_read (json_t *value, AttnNormalizer *normalizer, const char *path, GError **error);

/* Returns: whether its characters stand for bytes. */
bool attn_normalizer_writes_bytes (const AttnNormalizer *normalizer);

/* Returns: the character it puts in the place of spaces, or 0. */
gunichar attn_normalizer_get_space (const AttnNormalizer *normalizer);

/**
 * attn_normalizer_run:
 * @chars: [n]
 * @out:   overwritten
 * @spare: for the steps between
 *
 * Source: the published fast tokenizers, of which each step is one by name. Where a text begins
 *   with characters that a charsmap removes, they shift the spans of all that follows; we do not.
 * Test: tests/core/test-normalizer.c
 */
void attn_normalizer_run (const AttnNormalizer *normalizer,
                          const AttnChar *chars,
                          size_t n,
                          AttnCharText *out,
                          AttnCharText *spare);
