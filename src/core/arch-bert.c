/* SPDX-License-Identifier: MIT */
/* BERT (Devlin et al. 2019) and everything published in its layout. */
#include "arch.h"

#define LAYER "encoder.layer.#."
#define HEAD "cls.predictions."

static const char *const model_types[] = {"bert", NULL};
static const char *const prefixes[] = ATTN_PREFIXES ("bert.");

const AttnArch attn_arch_bert = {
    .model_types = model_types,
    .prefixes = prefixes,
    .norm = ATTN_NORM_AFTER,
    .positions = ATTN_POSITION_LEARNED,
    .score = ATTN_SCORE_SCALED_DOT,
    .pooler = "pooler.dense.weight",
    .head_mark = ATTN_ROLE_HEAD_DENSE,
    .roles =
        {
            [ATTN_ROLE_WORDS] = {ATTN_NEED_ALWAYS, {"embeddings.word_embeddings.weight"}},
            [ATTN_ROLE_POSITIONS] = {ATTN_NEED_ALWAYS, {"embeddings.position_embeddings.weight"}},
            [ATTN_ROLE_TYPES] = {ATTN_NEED_ALWAYS, {"embeddings.token_type_embeddings.weight"}},
            ATTN_NORM (ATTN_ROLE_EMBED_NORM, ATTN_NEED_ALWAYS, "embeddings.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_QUERY, ATTN_NEED_ALWAYS, LAYER "attention.self.query"),
            ATTN_LINEAR (ATTN_ROLE_KEY, ATTN_NEED_ALWAYS, LAYER "attention.self.key"),
            ATTN_LINEAR (ATTN_ROLE_VALUE, ATTN_NEED_ALWAYS, LAYER "attention.self.value"),
            ATTN_LINEAR (ATTN_ROLE_OUT, ATTN_NEED_ALWAYS, LAYER "attention.output.dense"),
            ATTN_NORM (ATTN_ROLE_ATTN_NORM, ATTN_NEED_ALWAYS, LAYER "attention.output.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_UP, ATTN_NEED_ALWAYS, LAYER "intermediate.dense"),
            ATTN_LINEAR (ATTN_ROLE_DOWN, ATTN_NEED_ALWAYS, LAYER "output.dense"),
            ATTN_NORM (ATTN_ROLE_FFN_NORM, ATTN_NEED_ALWAYS, LAYER "output.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_HEAD_DENSE, ATTN_NEED_HEAD, HEAD "transform.dense"),
            ATTN_NORM (ATTN_ROLE_HEAD_NORM, ATTN_NEED_HEAD, HEAD "transform.LayerNorm"),
            [ATTN_ROLE_DECODER] = {ATTN_NEED_TIED, {HEAD "decoder.weight"}},
            /* a decoder of its own may have its own bias, and both names then occur */
            [ATTN_ROLE_DECODER_BIAS] = {ATTN_NEED_HEAD, {HEAD "decoder.bias", HEAD "bias"}},
        },
};
