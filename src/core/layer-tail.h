/* SPDX-License-Identifier: MIT */
/* What follows attention in a layer, on any rows: norms, the feed-forward part, residual sums.
 *
 * Letters: T tokens, D model width, F feed-forward width. */
#pragma once

#include "block.h"
#include "trace-private.h"
#include "weights.h"

#include "attn/pool.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const AttnTrace *trace;
  const AttnLayerWeights *weights;
  size_t layer, n_rows, n_up;  /* n_up: F, or 2 F with a gate */
  AttnPool *pool;              /* nullable */
  float *normed;               /* [n_rows, D] */
  float *up;                   /* [n_rows, n_up] */
  float *unfolded, *convolved; /* [T, D conv_width], [T, D]; NULL where no convolution follows */
  float *before; /* (nullable): [n_rows, D] written by runs: the sum at the layer's end, before the
                    norm that may follow; not owned */
  AttnBlock block;
} AttnLayerTail;

/* @n_rows: as many as are ever run at once. Returns: false with @error: TOO_LARGE. */
bool attn_layer_tail_init (AttnLayerTail *tail,
                           const AttnTrace *trace,
                           size_t layer,
                           size_t n_rows,
                           AttnPool *pool,
                           GError **error);

void attn_layer_tail_clear (AttnLayerTail *tail);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnLayerTail, attn_layer_tail_clear)

/**
 * attn_layer_tail_run:
 * @attended: [n, D] x + what attention adds, before a norm; overwritten
 * @tokens:   [n] which token each row is of
 * @out:      [n, D] written: what leaves the layer, before a final norm
 *
 * Test: tests/core/test-lens.c: the run's own rows, in every family.
 */
void attn_layer_tail_run (
    const AttnLayerTail *tail, float *attended, const size_t *tokens, size_t n, float *out);
