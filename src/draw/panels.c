/* SPDX-License-Identifier: MIT */
/* The maps a view needs and their range, computed on the pool. */
#include "panels-private.h"
#include "wording.h"

#include "attn/error.h"

#include <math.h>

struct _AttnDrawPanels {
  gatomicrefcount n_references;
  AttnMaps *maps;
  size_t n, layer;
  AttnMap **panels;    /* [n] */
  float *max;          /* [n] end of the range */
  size_t *first, *end; /* [n_queries] visible keys of the layer */
  bool has_hidden, has_nan, is_clipped;
};

/* The largest of @weights that a person may see, and whether any is not a number. */
typedef struct {
  float max;
  bool has_nan;
} Peak;

/* The work of one region: maps of @layer from head @first_head on. */
typedef struct {
  AttnDrawPanels *panels;
  size_t layer, first_head;
  AttnMap **keep;  /* (nullable): [n_heads] where the maps go; otherwise they are dropped */
  Peak *peaks;     /* [n_heads] */
  GError **errors; /* [n_heads] */
} Region;

static Peak
find_peak (const AttnMap *map)
{
  Peak peak = {0, false};

  for (size_t query = 0; query < map->n_queries; query++) {
    size_t first, end;
    attn_maps_get_visible (map->maps, map->layer, query, &first, &end);
    const float *row = map->weights + query * map->n_keys;
    for (size_t key = first; key < MIN (end, map->n_keys); key++) {
      if (isnan (row[key]))
        peak.has_nan = true;
      else if (row[key] > peak.max && isfinite (row[key]))
        peak.max = row[key];
    }
  }
  return peak;
}

static void
compute_piece_cb (size_t piece, size_t worker, void *data)
{
  Region *region = data;
  size_t head = region->first_head + piece;
  (void)worker;

  g_autoptr (AttnMap) map =
      attn_maps_dup_map (region->panels->maps, region->layer, head, &region->errors[piece]);
  if (map == NULL)
    return;
  region->peaks[piece] = find_peak (map);
  if (region->keep != NULL)
    region->keep[piece] = g_steal_pointer (&map);
}

/* Computes @n_heads maps; the first head's error counts, so that it is always the same one. */
static bool
compute_heads (Region *region, size_t n_heads, AttnPool *pool, GError **error)
{
  g_autofree GError **errors = g_new0 (GError *, n_heads);
  bool ok = true;

  region->errors = errors;
  attn_pool_run (pool, n_heads, compute_piece_cb, region);
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

static float
largest (const Peak *peaks, size_t n)
{
  float max = 0;
  for (size_t i = 0; i < n; i++)
    max = MAX (max, peaks[i].max);
  return max;
}

/* The largest weight of heads that are not shown but belong to the range. */
static bool
find_range_max (AttnDrawPanels *panels,
                AttnDrawRange range,
                AttnPool *pool,
                AttnProgressFunc progress,
                void *progress_data,
                float *max,
                GError **error)
{
  size_t n_heads = attn_maps_get_n_heads (panels->maps);
  size_t n_layers = range == ATTN_DRAW_RANGE_MODEL ? attn_maps_get_n_layers (panels->maps) : 1;
  g_autofree Peak *peaks = g_new0 (Peak, n_heads);

  *max = 0;
  for (size_t i = 0; i < n_layers; i++) {
    Region region = {
        .panels = panels,
        .layer = range == ATTN_DRAW_RANGE_MODEL ? i : panels->layer,
        .peaks = peaks,
    };
    if (!attn_progress_tell (progress, progress_data, (double)i / (double)n_layers, error) ||
        !compute_heads (&region, n_heads, pool, error))
      return false;
    *max = MAX (*max, largest (peaks, n_heads));
  }
  return attn_progress_tell (progress, progress_data, 1, error);
}

static void
set_ranges (AttnDrawPanels *panels, const AttnDrawView *view, const Peak *peaks, float range_max)
{
  AttnDrawRange range = attn_draw_view_resolve_range (view);

  for (size_t i = 0; i < panels->n; i++) {
    float max = range_max;
    if (range == ATTN_DRAW_RANGE_MAP)
      max = peaks[i].max;
    else if (range == ATTN_DRAW_RANGE_FIXED)
      max = (float)view->range_max;
    panels->max[i] = max > 0 && isfinite (max) ? max : 1;
    panels->has_nan |= peaks[i].has_nan;
    panels->is_clipped |= peaks[i].max > panels->max[i];
  }
}

static bool
set_visible (AttnDrawPanels *panels, GError **error)
{
  size_t n_queries = attn_maps_get_n (panels->maps, ATTN_SIDE_QUERY);
  size_t n_keys = attn_maps_get_n (panels->maps, ATTN_SIDE_KEY);

  panels->first = g_try_new0 (size_t, n_queries);
  panels->end = g_try_new0 (size_t, n_queries);
  if (panels->first == NULL || panels->end == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory for %zu queries", n_queries);
    return false;
  }
  for (size_t query = 0; query < n_queries; query++) {
    attn_maps_get_visible (panels->maps, panels->layer, query, &panels->first[query],
                           &panels->end[query]);
    panels->end[query] = MIN (panels->end[query], n_keys);
    panels->has_hidden |= panels->first[query] > 0 || panels->end[query] < n_keys;
  }
  return true;
}

static bool
check_view (const AttnDrawView *view, AttnMaps *maps, GError **error)
{
  size_t n_layers = attn_maps_get_n_layers (maps);
  size_t n_heads = attn_maps_get_n_heads (maps);

  if (view->layer >= n_layers) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "layer %zu was asked for, but there are only layers 1 to %zu", view->layer + 1,
                 n_layers);
    return false;
  }
  if (view->kind == ATTN_DRAW_HEATMAP && view->head >= n_heads) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "head %zu was asked for, but a layer has only heads 1 to %zu", view->head + 1,
                 n_heads);
    return false;
  }
  return true;
}

AttnDrawPanels *
attn_draw_panels_new (const AttnDrawView *view,
                      AttnMaps *maps,
                      AttnPool *pool,
                      AttnProgressFunc progress,
                      void *progress_data,
                      GError **error)
{
  if (!check_view (view, maps, error))
    return NULL;

  g_autoptr (AttnDrawPanels) panels = g_new0 (AttnDrawPanels, 1);
  g_atomic_ref_count_init (&panels->n_references);
  panels->maps = attn_maps_ref (maps);
  panels->layer = view->layer;
  panels->n = view->kind == ATTN_DRAW_HEADS ? attn_maps_get_n_heads (maps) : 1;
  panels->panels = g_new0 (AttnMap *, panels->n);
  panels->max = g_new0 (float, panels->n);

  g_autofree Peak *peaks = g_new0 (Peak, panels->n);
  Region region = {
      .panels = panels,
      .layer = view->layer,
      .first_head = view->kind == ATTN_DRAW_HEADS ? 0 : view->head,
      .keep = panels->panels,
      .peaks = peaks,
  };
  if (!attn_progress_tell (progress, progress_data, 0, error) || !set_visible (panels, error) ||
      !compute_heads (&region, panels->n, pool, error))
    return NULL;

  AttnDrawRange range = attn_draw_view_resolve_range (view);
  float range_max = largest (peaks, panels->n);
  bool sees_all = range == ATTN_DRAW_RANGE_LAYER && view->kind == ATTN_DRAW_HEADS;
  if ((range == ATTN_DRAW_RANGE_LAYER || range == ATTN_DRAW_RANGE_MODEL) && !sees_all &&
      !find_range_max (panels, range, pool, progress, progress_data, &range_max, error))
    return NULL;
  set_ranges (panels, view, peaks, range_max);
  return g_steal_pointer (&panels);
}

AttnDrawPanels *
attn_draw_panels_ref (AttnDrawPanels *panels)
{
  g_atomic_ref_count_inc (&panels->n_references);
  return panels;
}

void
attn_draw_panels_unref (AttnDrawPanels *panels)
{
  if (panels == NULL || !g_atomic_ref_count_dec (&panels->n_references))
    return;
  for (size_t i = 0; i < panels->n; i++)
    attn_map_free (panels->panels[i]);
  g_free (panels->panels);
  g_free (panels->max);
  g_free (panels->first);
  g_free (panels->end);
  attn_maps_unref (panels->maps);
  g_free (panels);
}

size_t
attn_draw_panels_get_n (const AttnDrawPanels *panels)
{
  return panels->n;
}

const AttnMap *
attn_draw_panels_peek (const AttnDrawPanels *panels, size_t index)
{
  g_return_val_if_fail (index < panels->n, NULL);
  return panels->panels[index];
}

float
attn_draw_panels_get_max (const AttnDrawPanels *panels, size_t index)
{
  g_return_val_if_fail (index < panels->n, 1);
  return panels->max[index];
}

AttnMaps *
attn_draw_panels_peek_maps (const AttnDrawPanels *panels)
{
  return panels->maps;
}

const size_t *
attn_draw_panels_peek_visible (const AttnDrawPanels *panels, const size_t **end)
{
  *end = panels->end;
  return panels->first;
}

bool
attn_draw_panels_has_hidden (const AttnDrawPanels *panels)
{
  return panels->has_hidden;
}

bool
attn_draw_panels_has_nan (const AttnDrawPanels *panels)
{
  return panels->has_nan;
}

bool
attn_draw_panels_is_clipped (const AttnDrawPanels *panels)
{
  return panels->is_clipped;
}
