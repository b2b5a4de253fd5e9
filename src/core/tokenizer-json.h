/* SPDX-License-Identifier: MIT */
/* tokenizer.json, which describes every part of a tokenizer. */
#pragma once

#include "tokenizer-config.h"
#include "tokenizer-model.h"

/**
 * attn_tokenizer_json_load:
 * @path:   of the file
 * @config: what the files beside it say
 * @parts:  empty; filled in, on error in part
 *
 * Returns: false with @error: IO, FORMAT, TOO_LARGE, UNSUPPORTED.
 * Test: tests/core/test-tokenizer-json.c
 */
bool attn_tokenizer_json_load (const char *path,
                               const AttnTokenizerConfig *config,
                               AttnTokenizerParts *parts,
                               GError **error);
