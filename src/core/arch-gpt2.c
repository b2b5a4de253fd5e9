/* SPDX-License-Identifier: MIT */
/* GPT-2 (Radford et al. 2019): norms before, no look ahead, matrices stored [in, out]. */
#include "arch.h"

#define LAYER "h.#."

static const char *const model_types[] = {"gpt2", NULL};
static const char *const prefixes[] = ATTN_PREFIXES ("transformer.");

const AttnArch attn_arch_gpt2 = {
    .model_types = model_types,
    .prefixes = prefixes,
    .norm = ATTN_NORM_BEFORE,
    .causal = true,
    .inputs_first = true,
    .roles =
        {
            [ATTN_ROLE_WORDS] = {ATTN_NEED_ALWAYS, {"wte.weight"}},
            [ATTN_ROLE_POSITIONS] = {ATTN_NEED_ALWAYS, {"wpe.weight"}},
            ATTN_LINEAR (ATTN_ROLE_QKV, ATTN_NEED_ALWAYS, LAYER "attn.c_attn"),
            ATTN_LINEAR (ATTN_ROLE_OUT, ATTN_NEED_ALWAYS, LAYER "attn.c_proj"),
            ATTN_NORM (ATTN_ROLE_ATTN_NORM, ATTN_NEED_ALWAYS, LAYER "ln_1"),
            ATTN_LINEAR (ATTN_ROLE_UP, ATTN_NEED_ALWAYS, LAYER "mlp.c_fc"),
            ATTN_LINEAR (ATTN_ROLE_DOWN, ATTN_NEED_ALWAYS, LAYER "mlp.c_proj"),
            ATTN_NORM (ATTN_ROLE_FFN_NORM, ATTN_NEED_ALWAYS, LAYER "ln_2"),
            ATTN_NORM (ATTN_ROLE_FINAL_NORM, ATTN_NEED_ALWAYS, "ln_f"),
            [ATTN_ROLE_DECODER] = {ATTN_NEED_TIED, {"lm_head.weight"}},
        },
};
