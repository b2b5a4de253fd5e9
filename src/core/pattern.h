/* SPDX-License-Identifier: MIT */
/* What tokenizer.json's steps look for: a text, or one of the regular expressions we know. */
#pragma once

#include "char-text.h"

#include "attn/json.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct _AttnPattern AttnPattern;

/* Returns: a pattern for attn_pattern_free() that finds the text itself. */
AttnPattern *attn_pattern_new_text (const char *text);

/* Returns: likewise, the pattern GPT-2 cuts words by. */
AttnPattern *attn_pattern_new_gpt2 (void);

/* Returns: likewise, \s{2,}|[\n\r\t]. */
AttnPattern *attn_pattern_new_spaces_or_breaks (void);

/**
 * attn_pattern_read:
 * @value: {"String": text} or {"Regex": expression}
 * @where: what has it, for messages: "pre_tokenizer: Split"
 *
 * There is no engine of regular expressions here: each known one is a hand-written function.
 *
 * Returns: a pattern for attn_pattern_free(), or NULL with @error: FORMAT, UNSUPPORTED (the message
 *   shows the expression).
 */
AttnPattern *attn_pattern_read (json_t *value, const char *where, const char *path, GError **error);

void attn_pattern_free (AttnPattern *pattern);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnPattern, attn_pattern_free)

/**
 * attn_pattern_find:
 * @chars: [n]
 * @match: (out): the first match that begins at @at or later; never an empty one
 *
 * Returns: false for none.
 */
bool attn_pattern_find (
    const AttnPattern *pattern, const AttnChar *chars, size_t n, size_t at, AttnStretch *match);
