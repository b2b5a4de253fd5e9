/* SPDX-License-Identifier: MIT */
/* Maps with a text behind them and weights of a test's own, for tests of arrangements. */
#pragma once

#include "attn/maps.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

enum { ARRANGE_LAYERS = 3, ARRANGE_HEADS = 4 };

/* Returns: (transfer full): the trace of a text under tests/data/golden/models/@model. */
AttnTrace *arrange_run (const char *model, const char *text, const char *pair);

typedef struct {
  size_t first_query, end_query, first_key, end_key; /* tokens of the trace; ends of 0 mean all */
  bool causal;                                       /* queries see no later key */
  bool has_nan;                                      /* the second query's row is NaN */
} ArrangeShape;

/* Returns: (transfer full): maps of ARRANGE_LAYERS × ARRANGE_HEADS of @trace's tokens, rows of
 * which sum to 1. */
AttnMaps *arrange_maps_new (AttnTrace *trace, ArrangeShape shape);

/* Returns: (transfer full): [n_queries, n_keys] of @maps, which must be computable. */
float *arrange_compute (AttnMaps *maps, size_t layer, size_t head);
