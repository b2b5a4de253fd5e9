/* SPDX-License-Identifier: MIT */
/* Keys that heads park their weight on. */
#include "attn/sink.h"

#include "maps-private.h"

#include "attn/lens.h"

#include <math.h>

void
attn_map_compute_sink_means (const AttnMap *map, double *means)
{
  g_autofree size_t *n_seeing = g_new0 (size_t, map->n_keys);
  for (size_t key = 0; key < map->n_keys; key++)
    means[key] = 0;
  for (size_t query = 0; query < map->n_queries; query++) {
    size_t first, end;
    attn_maps_get_visible (map->maps, map->layer, query, &first, &end);
    for (size_t key = first; key < end; key++) {
      means[key] += (double)map->weights[query * map->n_keys + key];
      n_seeing[key]++;
    }
  }
  for (size_t key = 0; key < map->n_keys; key++)
    means[key] = n_seeing[key] > 0 ? means[key] / (double)n_seeing[key] : 0;
}

/* The key's share of what the head moves. */
static bool
compute_moved (const AttnMap *map, size_t key, double *moved, GError **error)
{
  *moved = NAN;
  if (attn_lens_get_reason (ATTN_LENS_NORM, map->maps) != ATTN_LENS_FITS)
    return true;
  g_autoptr (AttnMaps) norms =
      attn_lens_new_maps (ATTN_LENS_NORM, map->maps, &(AttnLensOptions){0}, error);
  g_autofree float *weights = norms != NULL ? attn_maps_try_new_weights (norms, error) : NULL;
  if (weights == NULL || !attn_maps_compute (norms, map->layer, map->head, weights, error))
    return false;
  double own = 0, all = 0;
  for (size_t i = 0; i < map->n_queries * map->n_keys; i++) {
    all += (double)weights[i];
    own += i % map->n_keys == key ? (double)weights[i] : 0;
  }
  *moved = all == 0 ? 0 : own / all;
  return true;
}

bool
attn_map_find_sink (const AttnMap *map, AttnSink *sink, GError **error)
{
  g_autofree double *means = g_new (double, map->n_keys);
  *sink = (AttnSink){0};
  attn_map_compute_sink_means (map, means);
  for (size_t key = 1; key < map->n_keys; key++)
    sink->key = means[key] > means[sink->key] ? key : sink->key;
  sink->mass = means[sink->key];
  sink->is_sink = sink->mass >= ATTN_SINK_MOSTLY;
  if (!compute_moved (map, sink->key, &sink->moved, error))
    return false;
  sink->is_no_op = sink->is_sink && sink->moved <= sink->mass / 2;
  return true;
}

bool
attn_sink_compute_scores (AttnMaps *maps, double *scores, GError **error)
{
  const size_t L = attn_maps_get_n_layers (maps), H = attn_maps_get_n_heads (maps);
  const size_t n = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  g_autofree double *means = g_new (double, n);
  for (size_t key = 0; key < n; key++)
    scores[key] = 0;
  for (size_t i = 0; i < L * H; i++) {
    g_autoptr (AttnMap) map = attn_maps_dup_map (maps, i / H, i % H, error);
    if (map == NULL)
      return false;
    attn_map_compute_sink_means (map, means);
    for (size_t key = 0; key < n; key++)
      scores[key] += means[key] > ATTN_SINK_LEAST ? 1 : 0;
  }
  for (size_t key = 0; key < n; key++)
    scores[key] /= (double)(L * H);
  return true;
}
