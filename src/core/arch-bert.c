/* SPDX-License-Identifier: MIT */
/* BERT (Devlin et al. 2019) and everything published in its layout. */
#include "arch.h"

#define LAYER "encoder.layer.#."
#define HEAD "cls.predictions."

static const char *const model_types[] = {"bert", NULL};

/* saved from the bare model, from one with a head, or from inside DataParallel */
static const char *const prefixes[] = {"", "bert.", "module.", "module.bert.", NULL};

static const char *const spellings[][2] = {
    {"LayerNorm.weight", "LayerNorm.gamma"},
    {"LayerNorm.bias", "LayerNorm.beta"},
    {NULL, NULL},
};

const AttnArch attn_arch_bert = {
    .model_types = model_types,
    .prefixes = prefixes,
    .spellings = spellings,
    .norm = ATTN_NORM_AFTER,
    .positions = ATTN_POSITION_LEARNED,
    .score = ATTN_SCORE_SCALED_DOT,
    .roles =
        {
            [ATTN_ROLE_WORDS] = {ATTN_NEED_ALWAYS, {"embeddings.word_embeddings.weight"}},
            [ATTN_ROLE_POSITIONS] = {ATTN_NEED_ALWAYS, {"embeddings.position_embeddings.weight"}},
            [ATTN_ROLE_TYPES] = {ATTN_NEED_ALWAYS, {"embeddings.token_type_embeddings.weight"}},
            [ATTN_ROLE_EMBED_NORM_GAIN] = {ATTN_NEED_ALWAYS, {"embeddings.LayerNorm.weight"}},
            [ATTN_ROLE_EMBED_NORM_BIAS] = {ATTN_NEED_ALWAYS, {"embeddings.LayerNorm.bias"}},
            [ATTN_ROLE_QUERY] = {ATTN_NEED_ALWAYS, {LAYER "attention.self.query.weight"}},
            [ATTN_ROLE_QUERY_BIAS] = {ATTN_NEED_ALWAYS, {LAYER "attention.self.query.bias"}},
            [ATTN_ROLE_KEY] = {ATTN_NEED_ALWAYS, {LAYER "attention.self.key.weight"}},
            [ATTN_ROLE_KEY_BIAS] = {ATTN_NEED_ALWAYS, {LAYER "attention.self.key.bias"}},
            [ATTN_ROLE_VALUE] = {ATTN_NEED_ALWAYS, {LAYER "attention.self.value.weight"}},
            [ATTN_ROLE_VALUE_BIAS] = {ATTN_NEED_ALWAYS, {LAYER "attention.self.value.bias"}},
            [ATTN_ROLE_OUT] = {ATTN_NEED_ALWAYS, {LAYER "attention.output.dense.weight"}},
            [ATTN_ROLE_OUT_BIAS] = {ATTN_NEED_ALWAYS, {LAYER "attention.output.dense.bias"}},
            [ATTN_ROLE_ATTN_NORM_GAIN] = {ATTN_NEED_ALWAYS,
                                          {LAYER "attention.output.LayerNorm.weight"}},
            [ATTN_ROLE_ATTN_NORM_BIAS] = {ATTN_NEED_ALWAYS,
                                          {LAYER "attention.output.LayerNorm.bias"}},
            [ATTN_ROLE_UP] = {ATTN_NEED_ALWAYS, {LAYER "intermediate.dense.weight"}},
            [ATTN_ROLE_UP_BIAS] = {ATTN_NEED_ALWAYS, {LAYER "intermediate.dense.bias"}},
            [ATTN_ROLE_DOWN] = {ATTN_NEED_ALWAYS, {LAYER "output.dense.weight"}},
            [ATTN_ROLE_DOWN_BIAS] = {ATTN_NEED_ALWAYS, {LAYER "output.dense.bias"}},
            [ATTN_ROLE_FFN_NORM_GAIN] = {ATTN_NEED_ALWAYS, {LAYER "output.LayerNorm.weight"}},
            [ATTN_ROLE_FFN_NORM_BIAS] = {ATTN_NEED_ALWAYS, {LAYER "output.LayerNorm.bias"}},
            [ATTN_ROLE_HEAD_DENSE] = {ATTN_NEED_HEAD, {HEAD "transform.dense.weight"}},
            [ATTN_ROLE_HEAD_DENSE_BIAS] = {ATTN_NEED_HEAD, {HEAD "transform.dense.bias"}},
            [ATTN_ROLE_HEAD_NORM_GAIN] = {ATTN_NEED_HEAD, {HEAD "transform.LayerNorm.weight"}},
            [ATTN_ROLE_HEAD_NORM_BIAS] = {ATTN_NEED_HEAD, {HEAD "transform.LayerNorm.bias"}},
            [ATTN_ROLE_DECODER] = {ATTN_NEED_TIED, {HEAD "decoder.weight"}},
            /* a decoder of its own may have its own bias, and both names then occur */
            [ATTN_ROLE_DECODER_BIAS] = {ATTN_NEED_HEAD, {HEAD "decoder.bias", HEAD "bias"}},
        },
};
