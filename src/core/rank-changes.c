/* SPDX-License-Identifier: MIT */
/* How much each head changed, computed on the pool, layer by layer. */
#include "attn/align.h"
#include "attn/error.h"

#include <math.h>
#include <stdlib.h>

/* The heads of one layer. */
typedef struct {
  AttnMaps *difference;
  size_t layer;
  AttnHeadChange *changes; /* [n_heads] */
  GError **errors;         /* [n_heads] */
} Region;

double
attn_map_measure_change (const AttnMap *map)
{
  double sum = 0;

  for (size_t query = 0; query < map->n_queries; query++) {
    const float *row = map->weights + query * map->n_keys;
    size_t first = 0, end = map->n_keys;
    if (map->maps != NULL)
      attn_maps_get_visible (map->maps, map->layer, query, &first, &end);
    for (size_t key = 0; key < map->n_keys; key++)
      if ((key >= first && key < end) || isfinite (row[key])) /* scores of hidden keys are −∞ */
        sum += fabs ((double)row[key]);
  }
  return sum / 2 / (double)map->n_queries;
}

static void
measure_piece_cb (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  Region *region = data;
  g_autoptr (AttnMap) map =
      attn_maps_dup_map (region->difference, region->layer, piece, &region->errors[piece]);

  if (map != NULL)
    region->changes[piece] = (AttnHeadChange){region->layer, piece, attn_map_measure_change (map)};
}

/* The first head's error counts, so that it is always the same one. */
static bool
measure_layer (Region *region, size_t n_heads, AttnPool *pool, GError **error)
{
  g_autofree GError **errors = g_new0 (GError *, n_heads);
  bool ok = true;

  region->errors = errors;
  attn_pool_run (pool, n_heads, measure_piece_cb, region);
  for (size_t head = 0; head < n_heads; head++) {
    if (errors[head] == NULL)
      continue;
    if (ok)
      g_propagate_error (error, errors[head]);
    else
      g_error_free (errors[head]);
    ok = false;
  }
  return ok;
}

static int
compare_changes (const void *first, const void *second)
{
  const AttnHeadChange *a = first, *b = second;

  if (isnan (a->change) != isnan (b->change))
    return isnan (a->change) ? 1 : -1;
  if (a->change < b->change || a->change > b->change)
    return a->change < b->change ? 1 : -1;
  if (a->layer != b->layer)
    return a->layer < b->layer ? -1 : 1;
  return a->head < b->head ? -1 : a->head > b->head;
}

AttnHeadChange *
attn_rank_changes (AttnMaps *difference,
                   AttnPool *pool,
                   AttnProgressFunc progress,
                   void *progress_data,
                   size_t *n,
                   GError **error)
{
  size_t n_layers = attn_maps_get_n_layers (difference);
  size_t n_heads = attn_maps_get_n_heads (difference);
  g_autofree AttnHeadChange *changes = g_new0 (AttnHeadChange, n_layers * n_heads);

  for (size_t layer = 0; layer < n_layers; layer++) {
    Region region = {difference, layer, changes + layer * n_heads, NULL};
    if (!attn_progress_tell (progress, progress_data, (double)layer / (double)n_layers, error) ||
        !measure_layer (&region, n_heads, pool, error))
      return NULL;
  }
  if (!attn_progress_tell (progress, progress_data, 1, error))
    return NULL;
  *n = n_layers * n_heads;
  qsort (changes, *n, sizeof *changes, compare_changes);
  return g_steal_pointer (&changes);
}

AttnRanked
attn_ranked_choose (const AttnMaps *a, const AttnMaps *b)
{
  return a != b && attn_maps_get_n_layers (a) == attn_maps_get_n_layers (b) &&
                 attn_maps_get_n_heads (a) == attn_maps_get_n_heads (b)
             ? ATTN_RANKED_SAME_HEADS
             : ATTN_RANKED_ONE_HEAD;
}

AttnHeadChange *
attn_rank_compared (AttnMaps *a,
                    AttnMaps *b,
                    size_t layer,
                    size_t head,
                    AttnPool *pool,
                    AttnProgressFunc progress,
                    void *progress_data,
                    size_t *n,
                    GError **error)
{
  g_autoptr (AttnMaps) left = attn_ranked_choose (a, b) == ATTN_RANKED_SAME_HEADS
                                  ? attn_maps_ref (a)
                                  : attn_maps_new_head (a, layer, head, attn_maps_get_n_layers (b),
                                                        attn_maps_get_n_heads (b));
  g_autoptr (AttnMaps) difference = attn_maps_new_difference (left, b, error);

  return difference == NULL
             ? NULL
             : attn_rank_changes (difference, pool, progress, progress_data, n, error);
}
