/* SPDX-License-Identifier: MIT */
/* The backward pass: from a loss to what each head's factor does to it. */
#pragma once

#include "attn/loss.h"
#include "attn/pool.h"
#include "attn/progress.h"
#include "attn/trace.h"

#include <glib.h>

#include <stdbool.h>

/* Whether @trace can be run backward, by its family and by what was done to its heads: kept, with
 * any factor, or zero. Returns: false with @error: UNSUPPORTED. */
bool attn_backward_check (const AttnTrace *trace, GError **error);

/* What a pass is given besides its trace. */
typedef struct {
  AttnPool *pool;            /* nullable */
  AttnProgressFunc progress; /* nullable; asked between layers */
  void *progress_data;
  double start, share; /* of the whole that this pass is, for progress */
  float *d_heads; /* (nullable): [n_layers, T, D] written: dL/d of the heads' outputs side by side,
                     before they are multiplied with their factors */
} AttnBackwardOptions;

/**
 * attn_backward:
 * @trace:     lets attn_backward_check() through
 * @target:    of labels
 * @gradients: [n_layers, n_heads] written: dL/dξ, where ξ multiplies the head's output before W_O
 *
 * Layer by layer from the last: what a layer had inside is computed once more from its input, and
 * only derivatives of activations are kept, never of weights.
 *
 * Returns: false with @error: TOO_LARGE, CANCELLED.
 * Source: Michel et al. 2019, section 4.1; the chain rule.
 * Test: tests/core/test-importance.c, golden data and finite differences.
 */
bool attn_backward (const AttnTrace *trace,
                    const AttnTarget *target,
                    const AttnBackwardOptions *options,
                    double *gradients,
                    GError **error);
