/* SPDX-License-Identifier: MIT */
/* Takes spaces out of the spans of byte-level tokens. */
#pragma once

#include "tokenizer-model.h"

/* @piece: its span is changed  @first: of the pieces of @text */
void attn_span_trim_run (const AttnTokenizerParts *parts,
                         AttnPiece *piece,
                         bool first,
                         const char *text);
