/* SPDX-License-Identifier: MIT */
/* Sinks: keys that a head parks its weight on, and whether it takes anything from there.
 *
 * Letters: T queries and keys, a_ij the weight of query i on key j, α_j its mean over the queries
 * that may see j. */
#pragma once

#include "attn/maps.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

#define ATTN_SINK_LEAST 0.3  /* α_j of a key that counts as a head's sink, as in the source */
#define ATTN_SINK_MOSTLY 0.5 /* α_j that makes a head mostly a sink; ours */

typedef struct {
  size_t key;    /* with the largest α_j, the first of equal ones */
  double mass;   /* that α_j, 0 … 1 */
  double moved;  /* the key's share of Σ_ij a_ij n (f (x_j)), see lens.h; NaN without a model */
  bool is_sink;  /* mass ≥ ATTN_SINK_MOSTLY */
  bool is_no_op; /* that, and moved ≤ mass / 2: it looks there and takes little */
} AttnSink;

/**
 * attn_map_find_sink:
 * @map: of a trace or a file, not through a lens
 *
 * Returns: false with @error: TOO_LARGE.
 * Source: Clark et al. 2019, section 3.2 (no-ops); Kobayashi et al. 2020, section 4 (small values);
 *   the thresholds are ours.
 * Test:   tests/core/test-sink.c, plain loops.
 */
bool attn_map_find_sink (const AttnMap *map, AttnSink *sink, GError **error);

/* Writes α_j: [n_keys]; of a key that no query sees 0. Sums are in double. */
void attn_map_compute_sink_means (const AttnMap *map, double *means);

/**
 * attn_sink_compute_scores:
 * @scores: [n_keys] written: of each key the share of all heads whose α_j is above ATTN_SINK_LEAST
 *
 * Returns: false with @error: TOO_LARGE, or what @maps says.
 * Source: Gu et al. 2025, section 3. Test: tests/core/test-sink.c, golden data.
 */
bool attn_sink_compute_scores (AttnMaps *maps, double *scores, GError **error);

G_END_DECLS
