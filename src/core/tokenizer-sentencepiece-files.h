/* SPDX-License-Identifier: MIT */
/* Tokenizers that older folders have as a SentencePiece model alone. */
#pragma once

#include "tokenizer-config.h"
#include "tokenizer-model.h"

/* @path: of the model  @parts: empty; filled in, on error in part. Returns: false with @error: IO,
 * FORMAT, TOO_LARGE, UNSUPPORTED. Test: tests/core/test-tokenizer-sentencepiece.c */
bool attn_sentencepiece_files_load (const char *folder,
                                    const char *path,
                                    AttnTokenizerConfig *config,
                                    AttnTokenizerParts *parts,
                                    GError **error);
