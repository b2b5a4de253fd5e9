/* SPDX-License-Identifier: MIT */
/* DeBERTa-v2 and -v3 (He et al. 2021): scores also weigh content against distance. */
#include "arch.h"

#define LAYER "encoder.layer.#."
#define SELF LAYER "attention.self."
/* the head as first ported to the library, and as the authors have it */
#define OLD_HEAD "cls.predictions."
#define HEAD "lm_predictions.lm_head."

static const char *const model_types[] = {"deberta-v2", NULL};
static const char *const prefixes[] = ATTN_PREFIXES ("deberta.");

const AttnArch attn_arch_deberta = {
    .model_types = model_types,
    .prefixes = prefixes,
    .score = ATTN_SCORE_DISENTANGLED,
    .projected_first = true,
    .head_mark = ATTN_ROLE_HEAD_DENSE,
    .roles =
        {
            [ATTN_ROLE_WORDS] = {ATTN_NEED_ALWAYS, {"embeddings.word_embeddings.weight"}},
            [ATTN_ROLE_POSITIONS] = {ATTN_NEED_ALWAYS, {"embeddings.position_embeddings.weight"}},
            [ATTN_ROLE_TYPES] = {ATTN_NEED_ALWAYS, {"embeddings.token_type_embeddings.weight"}},
            ATTN_NORM (ATTN_ROLE_EMBED_NORM, ATTN_NEED_ALWAYS, "embeddings.LayerNorm"),
            [ATTN_ROLE_PROJECTION] = {ATTN_NEED_PROJECTION, {"embeddings.embed_proj.weight"}},
            [ATTN_ROLE_DISTANCES] = {ATTN_NEED_RELATIVE, {"encoder.rel_embeddings.weight"}},
            ATTN_NORM (ATTN_ROLE_DISTANCE_NORM, ATTN_NEED_RELATIVE_NORM, "encoder.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_CONVOLUTION, ATTN_NEED_CONVOLUTION, "encoder.conv.conv"),
            ATTN_NORM (ATTN_ROLE_CONVOLUTION_NORM, ATTN_NEED_CONVOLUTION, "encoder.conv.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_QUERY, ATTN_NEED_ALWAYS, SELF "query_proj"),
            ATTN_LINEAR (ATTN_ROLE_KEY, ATTN_NEED_ALWAYS, SELF "key_proj"),
            ATTN_LINEAR (ATTN_ROLE_VALUE, ATTN_NEED_ALWAYS, SELF "value_proj"),
            ATTN_LINEAR (ATTN_ROLE_DISTANCE_KEY, ATTN_NEED_DISTANCE_KEY, SELF "pos_key_proj"),
            ATTN_LINEAR (ATTN_ROLE_DISTANCE_QUERY, ATTN_NEED_DISTANCE_QUERY, SELF "pos_query_proj"),
            ATTN_LINEAR (ATTN_ROLE_OUT, ATTN_NEED_ALWAYS, LAYER "attention.output.dense"),
            ATTN_NORM (ATTN_ROLE_ATTN_NORM, ATTN_NEED_ALWAYS, LAYER "attention.output.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_UP, ATTN_NEED_ALWAYS, LAYER "intermediate.dense"),
            ATTN_LINEAR (ATTN_ROLE_DOWN, ATTN_NEED_ALWAYS, LAYER "output.dense"),
            ATTN_NORM (ATTN_ROLE_FFN_NORM, ATTN_NEED_ALWAYS, LAYER "output.LayerNorm"),
            [ATTN_ROLE_HEAD_DENSE] = {ATTN_NEED_HEAD,
                                      {OLD_HEAD "transform.dense.weight", HEAD "dense.weight"}},
            [ATTN_ROLE_HEAD_DENSE_BIAS] = {ATTN_NEED_HEAD,
                                           {OLD_HEAD "transform.dense.bias", HEAD "dense.bias"}},
            [ATTN_ROLE_HEAD_NORM_GAIN] = {ATTN_NEED_HEAD,
                                          {OLD_HEAD "transform.LayerNorm.weight",
                                           HEAD "LayerNorm.weight"}},
            [ATTN_ROLE_HEAD_NORM_BIAS] = {ATTN_NEED_HEAD,
                                          {OLD_HEAD "transform.LayerNorm.bias",
                                           HEAD "LayerNorm.bias"}},
            [ATTN_ROLE_DECODER] = {ATTN_NEED_TIED, {OLD_HEAD "decoder.weight"}},
            [ATTN_ROLE_DECODER_BIAS] = {ATTN_NEED_HEAD,
                                        {OLD_HEAD "decoder.bias", OLD_HEAD "bias", HEAD "bias"}},
        },
};
