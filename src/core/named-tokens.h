/* SPDX-License-Identifier: MIT */
/* Tokens of which nothing is known but what they are called, as if a tokenizer had cut a text. */
#pragma once

#include "attn/labels.h"
#include "attn/tokens.h"

/**
 * attn_named_tokens_new:
 * @labels: the names lie in them: they have to live as long as the tokens
 *
 * What the names tell of @side, in their order:
 *
 *   special  [CLS] [SEP] [PAD] [BOS] [EOS], <cls> <sep> <pad> <bos> <eos>, <s> </s>,
 *            <|endoftext|> <|startoftext|> <|begin_of_text|> <|end_of_text|> <|im_start|>
 *            <|im_end|> <|eot_id|>, their letters in either case; they are of no text
 *   masks    [MASK] <mask>, likewise
 *   marks    where a name of either side is "##" and more, such names go on with the word before
 *            them and every other one begins a word, unless both it and what it follows are Han;
 *            else where one begins with "Ġ", "▁" or a blank, these stand for blanks, and what has
 *            none goes on. Without any of these each name is a word, Han ones next to each other
 *            aside.
 *
 * The text is made of the names without their marks; where they are in the alphabet of byte-level
 * vocabularies, and its bytes are UTF-8, of these bytes. Words are found in it as in every text:
 * signs are no part of a word, and Han characters are words unless a list joins them.
 *
 * Returns: new tokens for attn_tokens_unref(), or NULL with @error: TOO_LARGE.
 * Test: tests/core/test-named.c
 */
AttnTokens *attn_named_tokens_new (const AttnLabels *labels, AttnSide side, GError **error);
