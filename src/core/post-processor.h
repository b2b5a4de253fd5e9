/* SPDX-License-Identifier: MIT */
/* The template a tokenizer puts texts into, as its files describe it. */
#pragma once

#include "tokenizer-model.h"

#include "attn/json.h"

/**
 * attn_post_processor_read:
 * @value: the "post_processor" of a tokenizer.json, or NULL or null for none
 * @parts: with its whole vocabulary and empty templates, which are filled in, as is trim
 *
 * Returns: false with @error: FORMAT, UNSUPPORTED.
 */
bool attn_post_processor_read (json_t *value,
                               AttnTokenizerParts *parts,
                               const char *path,
                               GError **error);

/* [CLS] A [SEP] and [CLS] A [SEP] B [SEP], where B's types are 1. */
void attn_post_processor_init_bert (AttnTokenizerParts *parts, int32_t cls_id, int32_t sep_id);

/* <s> A </s> and <s> A </s> </s> B </s>, where all types are 0. */
void attn_post_processor_init_roberta (AttnTokenizerParts *parts, int32_t cls_id, int32_t sep_id);

/* The texts alone; where @parts has no template yet. */
void attn_post_processor_init_plain (AttnTokenizerParts *parts);
