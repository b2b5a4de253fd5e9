/* SPDX-License-Identifier: MIT */
/* The way back through the language-model head. */
#pragma once

#include "attn/loss.h"
#include "attn/pool.h"
#include "attn/trace.h"

#include <glib.h>

#include <stdbool.h>

/**
 * attn_predict_run_back:
 * @target:   of labels
 * @d_hidden: [n_tokens, d_model] written: dL/d(last hidden states), L being the target's loss
 * @scratch:  as AttnLinearBack's
 *
 * Returns: false with @error: TOO_LARGE.
 * Test: tests/core/test-importance.c
 */
bool attn_predict_run_back (const AttnTrace *trace,
                            const AttnTarget *target,
                            float *d_hidden,
                            float *scratch,
                            AttnPool *pool,
                            GError **error);
