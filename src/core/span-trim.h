/* SPDX-License-Identifier: MIT */
/* Takes spaces out of the spans of byte-level tokens. */
#pragma once

#include "tokenizer-model.h"
#include "tokens.h"

/* @tokens: [n], with their template; spans are changed  @texts: [2] */
void attn_span_trim_run (const AttnTokenizerParts *parts,
                         AttnToken *tokens,
                         size_t n,
                         const AttnTokensText *texts);
