/* SPDX-License-Identifier: MIT */
/* ALBERT (Lan et al. 2020): narrow embeddings, and layers that share their weights. */
#include "arch.h"

#define LAYER "encoder.albert_layer_groups.#.albert_layers.#."

static const char *const model_types[] = {"albert", NULL};
static const char *const prefixes[] = ATTN_PREFIXES ("albert.");

const AttnArch attn_arch_albert = {
    .model_types = model_types,
    .prefixes = prefixes,
    .pooler = "pooler.weight",
    .head_mark = ATTN_ROLE_HEAD_DENSE,
    .roles =
        {
            [ATTN_ROLE_WORDS] = {ATTN_NEED_ALWAYS, {"embeddings.word_embeddings.weight"}},
            [ATTN_ROLE_POSITIONS] = {ATTN_NEED_ALWAYS, {"embeddings.position_embeddings.weight"}},
            [ATTN_ROLE_TYPES] = {ATTN_NEED_ALWAYS, {"embeddings.token_type_embeddings.weight"}},
            ATTN_NORM (ATTN_ROLE_EMBED_NORM, ATTN_NEED_ALWAYS, "embeddings.LayerNorm"),
            /* also where embeddings are as wide as the model */
            ATTN_LINEAR (
                ATTN_ROLE_PROJECTION, ATTN_NEED_ALWAYS, "encoder.embedding_hidden_mapping_in"),
            ATTN_LINEAR (ATTN_ROLE_QUERY, ATTN_NEED_ALWAYS, LAYER "attention.query"),
            ATTN_LINEAR (ATTN_ROLE_KEY, ATTN_NEED_ALWAYS, LAYER "attention.key"),
            ATTN_LINEAR (ATTN_ROLE_VALUE, ATTN_NEED_ALWAYS, LAYER "attention.value"),
            ATTN_LINEAR (ATTN_ROLE_OUT, ATTN_NEED_ALWAYS, LAYER "attention.dense"),
            ATTN_NORM (ATTN_ROLE_ATTN_NORM, ATTN_NEED_ALWAYS, LAYER "attention.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_UP, ATTN_NEED_ALWAYS, LAYER "ffn"),
            ATTN_LINEAR (ATTN_ROLE_DOWN, ATTN_NEED_ALWAYS, LAYER "ffn_output"),
            ATTN_NORM (ATTN_ROLE_FFN_NORM, ATTN_NEED_ALWAYS, LAYER "full_layer_layer_norm"),
            ATTN_LINEAR (ATTN_ROLE_HEAD_DENSE, ATTN_NEED_HEAD, "predictions.dense"),
            ATTN_NORM (ATTN_ROLE_HEAD_NORM, ATTN_NEED_HEAD, "predictions.LayerNorm"),
            [ATTN_ROLE_DECODER] = {ATTN_NEED_TIED, {"predictions.decoder.weight"}},
            [ATTN_ROLE_DECODER_BIAS] = {ATTN_NEED_HEAD,
                                        {"predictions.decoder.bias", "predictions.bias"}},
        },
};
