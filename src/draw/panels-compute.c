/* SPDX-License-Identifier: MIT */
/* Maps computed in regions of a few, so that progress is told and stopping is quick. */
#include "panels-compute.h"

#include "scale.h"

#define MAPS_PER_THREAD 8 /* in one region */

typedef struct {
  const AttnDrawWork *work;
  size_t first;    /* index of the region's first map */
  float **scratch; /* [n_threads]: a map each, made when needed */
  GError **errors; /* [pieces of a region] */
} Region;

/* The ranks of a map's own weights. */
static float *
find_ranks (const AttnDrawWork *work, size_t layer, const float *weights)
{
  const AttnDrawBlocks *sizes = &work->sizes;
  g_autofree size_t *first = g_new (size_t, sizes->n_queries);
  g_autofree size_t *end = g_new (size_t, sizes->n_queries);
  float *least = g_new (float, ATTN_DRAW_N_COLORS);

  for (size_t query = 0; query < sizes->n_queries; query++) {
    attn_maps_get_visible (work->maps, layer, query, &first[query], &end[query]);
    end[query] = MIN (end[query], sizes->n_keys);
  }
  attn_draw_ranks_find (weights, sizes->n_queries, sizes->n_keys, first, end, least);
  return least;
}

static bool
compute_exact (const AttnDrawWork *work, size_t index, GError **error)
{
  size_t layer = work->first_layer + index / work->n_heads;
  size_t head = work->first_head + index % work->n_heads;

  work->exact[index] = attn_maps_dup_map (work->maps, layer, head, error);
  if (work->exact[index] == NULL)
    return false;
  work->peaks[index] =
      attn_draw_blocks_pool (&work->sizes, work->maps, layer, work->exact[index]->weights, NULL);
  if (work->ranks != NULL)
    work->ranks[index] = find_ranks (work, layer, work->exact[index]->weights);
  return true;
}

/* The map itself stays in the worker's scratch memory, which is soon warm. */
static bool
compute_passing (const AttnDrawWork *work, size_t index, float **scratch, GError **error)
{
  size_t layer = work->first_layer + index / work->n_heads;
  size_t head = work->first_head + index % work->n_heads;
  const AttnDrawBlocks *sizes = &work->sizes;
  float *pooled = NULL;

  if (*scratch == NULL)
    *scratch = attn_map_try_new_weights (sizes->n_queries, sizes->n_keys, error);
  if (*scratch == NULL || !attn_maps_compute (work->maps, layer, head, *scratch, error))
    return false;
  if (work->pooled != NULL) {
    pooled = work->pooled[index] =
        attn_map_try_new_weights (sizes->n_rows, sizes->n_columns, error);
    if (pooled == NULL)
      return false;
  }
  work->peaks[index] = attn_draw_blocks_pool (sizes, work->maps, layer, *scratch, pooled);
  if (work->ranks != NULL)
    work->ranks[index] = find_ranks (work, layer, *scratch);
  return true;
}

static void
compute_piece_cb (size_t piece, size_t worker, void *data)
{
  Region *region = data;
  size_t index = region->first + piece;

  if (region->work->exact != NULL)
    compute_exact (region->work, index, &region->errors[piece]);
  else
    compute_passing (region->work, index, &region->scratch[worker], &region->errors[piece]);
}

/* Moves the first error of all to @error, so that it is always the same one. */
static bool
collect_errors (GError **errors, size_t n, GError **error)
{
  bool ok = true;

  for (size_t i = 0; i < n; i++) {
    if (errors[i] == NULL)
      continue;
    if (ok)
      g_propagate_error (error, g_steal_pointer (&errors[i]));
    else
      g_clear_error (&errors[i]);
    ok = false;
  }
  return ok;
}

bool
attn_draw_panels_compute (const AttnDrawWork *work,
                          AttnPool *pool,
                          AttnProgressFunc progress,
                          void *progress_data,
                          double from,
                          double to,
                          GError **error)
{
  size_t n = work->n_layers * work->n_heads;
  size_t n_threads = attn_pool_get_n_threads (pool);
  size_t most = n_threads * MAPS_PER_THREAD;
  g_autofree GError **errors = g_new0 (GError *, most);
  g_autofree float **scratch = g_new0 (float *, n_threads);
  Region region = {.work = work, .scratch = scratch, .errors = errors};
  bool ok = true;

  for (; ok && region.first < n; region.first += most) {
    double share = (double)region.first / (double)n;
    size_t n_pieces = MIN (most, n - region.first);
    ok = attn_progress_tell (progress, progress_data, from + (to - from) * share, error);
    if (!ok)
      break;
    attn_pool_run (pool, n_pieces, compute_piece_cb, &region);
    ok = collect_errors (errors, n_pieces, error);
  }
  for (size_t i = 0; i < n_threads; i++)
    g_free (scratch[i]);
  return ok;
}
