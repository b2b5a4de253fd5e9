/* SPDX-License-Identifier: MIT */
/* BERT's tokenizer: its normalisation, words, and greedy longest pieces. */
#pragma once

#include "tokenizer-model.h"

/**
 * attn_wordpiece_load:
 * @folder: has vocab.txt
 * @parts:  with empty warnings and no tokens added yet; filled in, on error in part
 *
 * Returns: false with @error: IO, FORMAT, TOO_LARGE, UNSUPPORTED.
 */
bool attn_wordpiece_load (const char *folder, AttnTokenizerParts *parts, GError **error);
