/* SPDX-License-Identifier: MIT */
/* ModernBERT (Warner et al. 2024): norms before, rotation for positions, windows in most layers, a
 * gated inner part. */
#include "arch.h"

#define LAYER "layers.#."

static const char *const model_types[] = {"modernbert", NULL};
static const char *const prefixes[] = ATTN_PREFIXES ("model.");

const AttnArch attn_arch_modernbert = {
    .model_types = model_types,
    .prefixes = prefixes,
    .norm = ATTN_NORM_BEFORE,
    .positions = ATTN_POSITION_ROTARY,
    .gated = true,
    /* classifiers have the dense part too */
    .head_mark = ATTN_ROLE_DECODER_BIAS,
    .roles =
        {
            [ATTN_ROLE_WORDS] = {ATTN_NEED_ALWAYS, {"embeddings.tok_embeddings.weight"}},
            ATTN_NORM (ATTN_ROLE_EMBED_NORM, ATTN_NEED_ALWAYS, "embeddings.norm"),
            ATTN_LINEAR (ATTN_ROLE_QKV, ATTN_NEED_ALWAYS, LAYER "attn.Wqkv"),
            ATTN_LINEAR (ATTN_ROLE_OUT, ATTN_NEED_ALWAYS, LAYER "attn.Wo"),
            /* the embeddings' norm stands for the first */
            ATTN_NORM (ATTN_ROLE_ATTN_NORM, ATTN_NEED_LATER, LAYER "attn_norm"),
            ATTN_LINEAR (ATTN_ROLE_UP, ATTN_NEED_ALWAYS, LAYER "mlp.Wi"),
            ATTN_LINEAR (ATTN_ROLE_DOWN, ATTN_NEED_ALWAYS, LAYER "mlp.Wo"),
            ATTN_NORM (ATTN_ROLE_FFN_NORM, ATTN_NEED_ALWAYS, LAYER "mlp_norm"),
            ATTN_NORM (ATTN_ROLE_FINAL_NORM, ATTN_NEED_ALWAYS, "final_norm"),
            ATTN_LINEAR (ATTN_ROLE_HEAD_DENSE, ATTN_NEED_HEAD, "head.dense"),
            ATTN_NORM (ATTN_ROLE_HEAD_NORM, ATTN_NEED_HEAD, "head.norm"),
            [ATTN_ROLE_DECODER] = {ATTN_NEED_TIED, {"decoder.weight"}},
            [ATTN_ROLE_DECODER_BIAS] = {ATTN_NEED_HEAD, {"decoder.bias"}},
        },
};
