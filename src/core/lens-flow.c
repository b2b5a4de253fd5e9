/* SPDX-License-Identifier: MIT */
/* Attention flow: how much can pass from each input token to each token of a layer. */
#include "lens-private.h"
#include "max-flow.h"

#include <math.h>

typedef struct {
  AttnMaps *maps;
  size_t T, n_known;  /* layers whose capacities are there */
  double *capacities; /* [n_layers, T, T] */
} Flow;

static void
flow_free (void *own)
{
  Flow *self = own;
  attn_maps_unref (self->maps);
  g_free (self->capacities);
  g_free (self);
}

/* Some queries at the same time. */
typedef struct {
  AttnFlowGraph graph;
  AttnFlowScratch *scratch; /* [workers] */
  size_t first;
  float *weights;
} Region;

static void
flow_piece (size_t piece, size_t worker, void *data)
{
  const Region *region = data;
  const size_t T = region->graph.T, query = region->first + piece;
  for (size_t key = 0; key < T; key++)
    region->weights[query * T + key] =
        (float)attn_max_flow (&region->graph, query, key, &region->scratch[worker]);
}

static bool
run_queries (Region *region, const AttnLensWork *work, GError **error)
{
  const size_t T = region->graph.T, at_once = 2 * attn_pool_get_n_threads (work->pool);
  for (region->first = 0; region->first < T; region->first += at_once) {
    if (!attn_lens_work_tell (work, (double)region->first / (double)T, error))
      return false;
    attn_pool_run (work->pool, MIN (at_once, T - region->first), flow_piece, region);
  }
  return true;
}

/* Whether the layers up to @n have numbers alone: through others nobody knows what flows. */
static bool
is_finite (const Flow *self, size_t n)
{
  bool finite = true;
  for (size_t i = 0; i < n * self->T * self->T; i++)
    finite &= isfinite (self->capacities[i]) != 0;
  return finite;
}

static bool
fill (void *own, size_t layer, const AttnLensWork *work, float *weights, GError **error)
{
  Flow *self = own;
  const size_t size = self->T * self->T, n_threads = attn_pool_get_n_threads (work->pool);
  for (; self->n_known <= layer; self->n_known++)
    if (!attn_lens_compute_layer_matrix (self->maps, self->n_known,
                                         self->capacities + self->n_known * size, error))
      return false;
  if (!is_finite (self, layer + 1)) {
    for (size_t i = 0; i < size; i++)
      weights[i] = NAN;
    return true;
  }
  Region region = {
      .graph = {layer + 1, self->T, self->capacities},
      .scratch = g_new (AttnFlowScratch, n_threads),
      .weights = weights,
  };
  for (size_t i = 0; i < n_threads; i++)
    attn_flow_scratch_init (&region.scratch[i], &region.graph);
  const bool done = run_queries (&region, work, error);
  for (size_t i = 0; i < n_threads; i++)
    attn_flow_scratch_clear (&region.scratch[i]);
  g_free (region.scratch);
  return done;
}

AttnMaps *
attn_lens_new_flow (AttnMaps *maps, const AttnLensOptions *options, GError **error)
{
  const size_t T = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  Flow *self = g_new (Flow, 1);
  *self = (Flow){
      .maps = attn_maps_ref (maps),
      .T = T,
      .capacities = g_new (double, attn_maps_get_n_layers (maps) * T * T), /* T is small */
  };
  return attn_lens_wrap_layers (maps, true, fill, flow_free, self, options, error);
}
