/* SPDX-License-Identifier: MIT */
/* Many maps on the pool: kept, kept as blocks, or only looked at for their range. */
#pragma once

#include "blocks.h"

#include "attn/pool.h"
#include "attn/progress.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* The maps of some layers and heads, layer by layer; index (layer - first_layer) × n_heads + head -
 * first_head. */
typedef struct {
  AttnMaps *maps; /* borrowed */
  size_t first_layer, n_layers, first_head, n_heads;
  AttnDrawBlocks sizes; /* of all of them; one weight a block where @pooled is NULL */
  AttnMap **exact;      /* (nullable): [n_layers × n_heads] maps, written; the caller's */
  float **pooled;       /* (nullable): likewise the blocks' weights, for g_free() */
  gpointer *ranks;      /* (nullable): likewise thresholds of the rank scale, float[256] */
  AttnDrawPeak *peaks;  /* [n_layers × n_heads], written */
} AttnDrawWork;

/**
 * attn_draw_panels_compute:
 * @pool: (nullable)
 * @progress: told fractions from @from to @to, the first time at once
 *
 * Returns: false with @error: that of the first map that cannot be had, TOO_LARGE or CANCELLED;
 *   what was written till then is the caller's all the same.
 */
bool attn_draw_panels_compute (const AttnDrawWork *work,
                               AttnPool *pool,
                               AttnProgressFunc progress,
                               void *progress_data,
                               double from,
                               double to,
                               GError **error);
