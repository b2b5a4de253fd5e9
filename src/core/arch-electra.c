/* SPDX-License-Identifier: MIT */
/* ELECTRA (Clark et al. 2020): BERT's layers on embeddings that may be narrow. Only generators have
 * an LM head. */
#include "arch.h"

#define LAYER "encoder.layer.#."

static const char *const model_types[] = {"electra", NULL};
static const char *const prefixes[] = ATTN_PREFIXES ("electra.");

const AttnArch attn_arch_electra = {
    .model_types = model_types,
    .prefixes = prefixes,
    .head_mark = ATTN_ROLE_HEAD_DENSE,
    .roles =
        {
            [ATTN_ROLE_WORDS] = {ATTN_NEED_ALWAYS, {"embeddings.word_embeddings.weight"}},
            [ATTN_ROLE_POSITIONS] = {ATTN_NEED_ALWAYS, {"embeddings.position_embeddings.weight"}},
            [ATTN_ROLE_TYPES] = {ATTN_NEED_ALWAYS, {"embeddings.token_type_embeddings.weight"}},
            ATTN_NORM (ATTN_ROLE_EMBED_NORM, ATTN_NEED_ALWAYS, "embeddings.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_PROJECTION, ATTN_NEED_PROJECTION, "embeddings_project"),
            ATTN_LINEAR (ATTN_ROLE_QUERY, ATTN_NEED_ALWAYS, LAYER "attention.self.query"),
            ATTN_LINEAR (ATTN_ROLE_KEY, ATTN_NEED_ALWAYS, LAYER "attention.self.key"),
            ATTN_LINEAR (ATTN_ROLE_VALUE, ATTN_NEED_ALWAYS, LAYER "attention.self.value"),
            ATTN_LINEAR (ATTN_ROLE_OUT, ATTN_NEED_ALWAYS, LAYER "attention.output.dense"),
            ATTN_NORM (ATTN_ROLE_ATTN_NORM, ATTN_NEED_ALWAYS, LAYER "attention.output.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_UP, ATTN_NEED_ALWAYS, LAYER "intermediate.dense"),
            ATTN_LINEAR (ATTN_ROLE_DOWN, ATTN_NEED_ALWAYS, LAYER "output.dense"),
            ATTN_NORM (ATTN_ROLE_FFN_NORM, ATTN_NEED_ALWAYS, LAYER "output.LayerNorm"),
            ATTN_LINEAR (ATTN_ROLE_HEAD_DENSE, ATTN_NEED_HEAD, "generator_predictions.dense"),
            ATTN_NORM (ATTN_ROLE_HEAD_NORM, ATTN_NEED_HEAD, "generator_predictions.LayerNorm"),
            [ATTN_ROLE_DECODER] = {ATTN_NEED_TIED, {"generator_lm_head.weight"}},
            [ATTN_ROLE_DECODER_BIAS] = {ATTN_NEED_HEAD, {"generator_lm_head.bias"}},
        },
};
