/* SPDX-License-Identifier: MIT */
/* BERT's tokenizer as older folders have it: vocab.txt and the files beside it. */
#pragma once

#include "tokenizer-config.h"
#include "tokenizer-model.h"

/* @parts: empty; filled in, on error in part. Returns: false with @error: IO, FORMAT, TOO_LARGE,
 * UNSUPPORTED. Test: tests/core/test-tokenizer-files.c */
bool attn_bert_files_load (const char *folder,
                           AttnTokenizerConfig *config,
                           AttnTokenizerParts *parts,
                           GError **error);
