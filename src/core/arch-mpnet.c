/* SPDX-License-Identifier: MIT */
/* MPNet (Song et al. 2020): RoBERTa's positions plus a bias for the distance's bucket, one table
 * for all layers. */
#include "arch.h"

#define LAYER "encoder.layer.#."

static const char *const model_types[] = {"mpnet", NULL};
static const char *const prefixes[] = ATTN_PREFIXES ("mpnet.");

const AttnArch attn_arch_mpnet = {
    .model_types = model_types,
    .prefixes = prefixes,
    .score = ATTN_SCORE_BUCKETS,
    .pooler = "pooler.dense.weight",
    .head_mark = ATTN_ROLE_HEAD_DENSE,
    .roles =
        {
            [ATTN_ROLE_WORDS] = {ATTN_NEED_ALWAYS, {"embeddings.word_embeddings.weight"}},
            [ATTN_ROLE_POSITIONS] = {ATTN_NEED_ALWAYS, {"embeddings.position_embeddings.weight"}},
            ATTN_NORM (ATTN_ROLE_EMBED_NORM, ATTN_NEED_ALWAYS, "embeddings.LayerNorm"),
            [ATTN_ROLE_DISTANCES] = {ATTN_NEED_ALWAYS, {"encoder.relative_attention_bias.weight"}},
            ATTN_LINEAR (ATTN_ROLE_QUERY, ATTN_NEED_ALWAYS, LAYER "attention.attn.q"),
            ATTN_LINEAR (ATTN_ROLE_KEY, ATTN_NEED_ALWAYS, LAYER "attention.attn.k"),
            ATTN_LINEAR (ATTN_ROLE_VALUE, ATTN_NEED_ALWAYS, LAYER "attention.attn.v"),
            ATTN_LINEAR (ATTN_ROLE_OUT, ATTN_NEED_ALWAYS, LAYER "attention.attn.o"),
            ATTN_NORM (ATTN_ROLE_ATTN_NORM, ATTN_NEED_ALWAYS, LAYER "attention.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_UP, ATTN_NEED_ALWAYS, LAYER "intermediate.dense"),
            ATTN_LINEAR (ATTN_ROLE_DOWN, ATTN_NEED_ALWAYS, LAYER "output.dense"),
            ATTN_NORM (ATTN_ROLE_FFN_NORM, ATTN_NEED_ALWAYS, LAYER "output.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_HEAD_DENSE, ATTN_NEED_HEAD, "lm_head.dense"),
            ATTN_NORM (ATTN_ROLE_HEAD_NORM, ATTN_NEED_HEAD, "lm_head.layer_norm"),
            [ATTN_ROLE_DECODER] = {ATTN_NEED_TIED, {"lm_head.decoder.weight"}},
            [ATTN_ROLE_DECODER_BIAS] = {ATTN_NEED_HEAD, {"lm_head.decoder.bias", "lm_head.bias"}},
        },
};
