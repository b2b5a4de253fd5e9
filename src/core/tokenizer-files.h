/* SPDX-License-Identifier: MIT */
/* A folder's tokenizer, from whichever of its files say most. */
#pragma once

#include "tokenizer-model.h"

/**
 * attn_tokenizer_files_load:
 * @parts: empty; filled in, on error in part
 *
 * tokenizer.json counts where there is one; else vocab.txt; else vocab.json with merges.txt;
 * else a SentencePiece model.
 *
 * Returns: false with @error: IO, FORMAT, TOO_LARGE, UNSUPPORTED.
 */
bool attn_tokenizer_files_load (const char *folder, AttnTokenizerParts *parts, GError **error);
