/* SPDX-License-Identifier: MIT */
/* GPT-2's and RoBERTa's tokenizers as older folders have them: vocab.json, merges.txt. */
#pragma once

#include "tokenizer-config.h"
#include "tokenizer-model.h"

/* @parts: empty; filled in, on error in part. Returns: false with @error: IO, FORMAT, TOO_LARGE,
 * UNSUPPORTED. Test: tests/core/test-tokenizer-files.c */
bool attn_bpe_files_load (const char *folder,
                          AttnTokenizerConfig *config,
                          AttnTokenizerParts *parts,
                          GError **error);
