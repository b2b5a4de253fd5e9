/* SPDX-License-Identifier: MIT */
/* DistilBERT (Sanh et al. 2019): BERT without token types, under other names. */
#include "arch.h"

#define LAYER "transformer.layer.#."

static const char *const model_types[] = {"distilbert", NULL};
static const char *const prefixes[] = ATTN_PREFIXES ("distilbert.");

const AttnArch attn_arch_distilbert = {
    .model_types = model_types,
    .prefixes = prefixes,
    .head_mark = ATTN_ROLE_HEAD_DENSE,
    .roles =
        {
            [ATTN_ROLE_WORDS] = {ATTN_NEED_ALWAYS, {"embeddings.word_embeddings.weight"}},
            [ATTN_ROLE_POSITIONS] = {ATTN_NEED_ALWAYS, {"embeddings.position_embeddings.weight"}},
            ATTN_NORM (ATTN_ROLE_EMBED_NORM, ATTN_NEED_ALWAYS, "embeddings.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_QUERY, ATTN_NEED_ALWAYS, LAYER "attention.q_lin"),
            ATTN_LINEAR (ATTN_ROLE_KEY, ATTN_NEED_ALWAYS, LAYER "attention.k_lin"),
            ATTN_LINEAR (ATTN_ROLE_VALUE, ATTN_NEED_ALWAYS, LAYER "attention.v_lin"),
            ATTN_LINEAR (ATTN_ROLE_OUT, ATTN_NEED_ALWAYS, LAYER "attention.out_lin"),
            ATTN_NORM (ATTN_ROLE_ATTN_NORM, ATTN_NEED_ALWAYS, LAYER "sa_layer_norm"),
            ATTN_LINEAR (ATTN_ROLE_UP, ATTN_NEED_ALWAYS, LAYER "ffn.lin1"),
            ATTN_LINEAR (ATTN_ROLE_DOWN, ATTN_NEED_ALWAYS, LAYER "ffn.lin2"),
            ATTN_NORM (ATTN_ROLE_FFN_NORM, ATTN_NEED_ALWAYS, LAYER "output_layer_norm"),
            ATTN_LINEAR (ATTN_ROLE_HEAD_DENSE, ATTN_NEED_HEAD, "vocab_transform"),
            ATTN_NORM (ATTN_ROLE_HEAD_NORM, ATTN_NEED_HEAD, "vocab_layer_norm"),
            [ATTN_ROLE_DECODER] = {ATTN_NEED_TIED, {"vocab_projector.weight"}},
            [ATTN_ROLE_DECODER_BIAS] = {ATTN_NEED_HEAD, {"vocab_projector.bias"}},
        },
};
