/* SPDX-License-Identifier: MIT */
/* Counts the weights that would be computed. */
#include "hs-panel-cost.h"

#include "hs-engine.h"

/* The most weights of one side worth computing on the main thread: one map of 512 tokens. */
#define MAX_CELLS_AT_ONCE ((double)HS_MAX_TOKENS * HS_MAX_TOKENS)

/* How many maps of those that are drawn are computed. */
static size_t
count_maps (const AttnDrawView *view, size_t n_layers, size_t n_heads)
{
  if (view->range == ATTN_DRAW_RANGE_MODEL || view->kind == ATTN_DRAW_LAYERS)
    return n_heads * n_layers;
  if (view->range == ATTN_DRAW_RANGE_LAYER || attn_draw_kind_has_layer (view->kind))
    return n_heads;
  return 1;
}

/* Weights of one map as it is drawn: at most as many rows and columns as the text has bytes. */
static double
count_drawn (const AttnDrawView *view, AttnMaps *maps)
{
  AttnTrace *trace = attn_maps_peek_trace (maps);
  AttnTokens *tokens = trace != NULL ? attn_trace_peek_tokens (trace) : NULL;
  size_t n = attn_maps_get_n (maps, ATTN_SIDE_QUERY), n_bytes = 0;

  if (view->arrangement.unit != ATTN_UNIT_CHARACTERS || tokens == NULL)
    return 0; /* no more than of the map it is made of */
  for (int sequence = 0; sequence < 2; sequence++)
    if (attn_tokens_peek_text (tokens, sequence, &n_bytes) != NULL)
      n += n_bytes;
  return (double)n * (double)n;
}

/* Whether its maps cost about as much as the weights themselves. */
static bool
lens_is_quick (const AttnDrawView *view)
{
  return attn_lens_peek_about (view->lens)->cost == ATTN_LENS_COST_MAP;
}

bool
hs_panel_cost_is_small (const AttnDrawView *view, AttnMaps *maps)
{
  const AttnArrangement *arrangement = &view->arrangement;
  const size_t n_layers = attn_maps_get_n_layers (maps), n_heads = attn_maps_get_n_heads (maps);
  const bool combines = arrangement->combine != ATTN_COMBINE_NONE;
  const bool combines_layers = combines && arrangement->combine_layers;
  const size_t n_combined = (combines ? n_heads : 1) * (combines_layers ? n_layers : 1);
  const size_t n_maps = count_maps (view, combines_layers ? 1 : n_layers, combines ? 1 : n_heads);
  const double cells = (double)attn_maps_get_n (maps, ATTN_SIDE_QUERY) *
                       (double)attn_maps_get_n (maps, ATTN_SIDE_KEY);

  return lens_is_quick (view) &&
         (cells * (double)n_combined + count_drawn (view, maps)) * (double)n_maps <=
             MAX_CELLS_AT_ONCE;
}

static double
count_cells (const AttnDrawView *view, AttnMaps *maps)
{
  double n_heads = (double)attn_maps_get_n_heads (maps);
  double n_maps = 1;

  if (view->range == ATTN_DRAW_RANGE_LAYER || view->arrangement.combine != ATTN_COMBINE_NONE)
    n_maps = n_heads;
  if (view->range == ATTN_DRAW_RANGE_MODEL || view->arrangement.combine_layers)
    n_maps = n_heads * (double)attn_maps_get_n_layers (maps);
  if (view->arrangement.unit == ATTN_UNIT_CHARACTERS)
    n_maps *= 16; /* of a word piece's usual four letters on both sides */
  return n_maps * (double)attn_maps_get_n (maps, ATTN_SIDE_QUERY) *
         (double)attn_maps_get_n (maps, ATTN_SIDE_KEY);
}

bool
hs_panel_cost_is_small_compare (const AttnDrawView *view, AttnMaps *a, AttnMaps *b)
{
  return lens_is_quick (view) &&
         count_cells (view, a) + count_cells (view, b) <= 2 * MAX_CELLS_AT_ONCE;
}
