/* SPDX-License-Identifier: MIT */
/* A gate at work in a run. */
#pragma once

#include "trace-private.h"

/* Returns: whether a head of the trace is not to be left as it is. */
bool attn_gate_acts (const AttnTrace *trace, size_t layer, size_t head);

/**
 * attn_gate_apply:
 * @out:     [n_tokens, d_k] the head's output, row stride @ldo; changed in place
 * @scratch: attn_ops_attend_scratch_size() f32, 64-byte aligned
 *
 * Sums are in double, in the order of the tokens.
 */
void attn_gate_apply (
    const AttnTrace *trace, size_t layer, size_t head, float *out, size_t ldo, float *scratch);
