/* SPDX-License-Identifier: MIT */
/* RoBERTa (Liu et al. 2019), XLM-R and CamemBERT: BERT's layers with another head, and positions
 * that start after the padding's. */
#include "arch.h"

#define LAYER "encoder.layer.#."

static const char *const model_types[] = {"roberta", "xlm-roberta", "camembert", NULL};

/* each is saved under the name of the family it was made from, too */
static const char *const prefixes[] = {
    "", "roberta.", "xlm-roberta.", "camembert.", "module.", "module.roberta.", NULL,
};

const AttnArch attn_arch_roberta = {
    .model_types = model_types,
    .prefixes = prefixes,
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
            ATTN_LINEAR (ATTN_ROLE_HEAD_DENSE, ATTN_NEED_HEAD, "lm_head.dense"),
            ATTN_NORM (ATTN_ROLE_HEAD_NORM, ATTN_NEED_HEAD, "lm_head.layer_norm"),
            [ATTN_ROLE_DECODER] = {ATTN_NEED_TIED, {"lm_head.decoder.weight"}},
            [ATTN_ROLE_DECODER_BIAS] = {ATTN_NEED_HEAD, {"lm_head.decoder.bias", "lm_head.bias"}},
        },
};
