/* SPDX-License-Identifier: MIT */
/* Panels of a comparison: A, B and A − B, and their tokens numbered together. */
#include "looked.h"
#include "panels-compute.h"
#include "panels-private.h"
#include "panels-struct.h"
#include "wording.h"

#include "attn/error.h"

#include <math.h>

#define MAX_PANELS ATTN_DRAW_MAX_COMPARED
#define MAPS_SHARE 0.1 /* of the progress, where the range depends on other heads */

/* What is computed, and how. */
typedef struct {
  const AttnDrawView *view;
  AttnMaps *maps[MAX_PANELS]; /* arranged, of A, B and A − B; the last NULL without common tokens */
  size_t layer[MAX_PANELS], head[MAX_PANELS];
  AttnDrawPeak peaks[MAX_PANELS];
  AttnPool *pool;
  AttnProgressFunc progress;
  void *progress_data;
} Comparison;

static bool
check_side (AttnMaps *maps, size_t layer, size_t head, const char *name, GError **error)
{
  size_t n_layers = attn_maps_get_n_layers (maps), n_heads = attn_maps_get_n_heads (maps);

  if (layer < n_layers && head < n_heads)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "layer %zu, head %zu of %s was asked for, but there are only layers 1 to %zu and "
               "heads 1 to %zu",
               layer + 1, head + 1, name, n_layers, n_heads);
  return false;
}

/* A's head − B's, under A's numbers. */
static AttnMaps *
subtract (const AttnDrawJoint *joint, const size_t *layer, const size_t *head, GError **error)
{
  AttnMaps *const *maps = joint->maps;
  AttnAlignment *queries = joint->sides[ATTN_SIDE_QUERY].alignment;
  AttnAlignment *keys = joint->sides[ATTN_SIDE_KEY].alignment;
  size_t n_layers = attn_maps_get_n_layers (maps[0]), n_heads = attn_maps_get_n_heads (maps[0]);
  g_autoptr (AttnMaps) a = attn_maps_new_head (maps[0], layer[0], head[0], n_layers, n_heads);
  g_autoptr (AttnMaps) b = attn_maps_new_head (maps[1], layer[1], head[1], n_layers, n_heads);

  return attn_maps_new_aligned_difference (a, b, queries, keys, error);
}

static bool
set_panel (AttnDrawPanels *panels, Comparison *comparison, size_t panel, GError **error)
{
  AttnMaps *maps = comparison->maps[panel];
  size_t layer = comparison->layer[panel], head = comparison->head[panel];
  AttnDrawBlocks *blocks = &panels->blocks[panel];
  AttnDrawVisible *visible = &panels->visible[panel];

  panels->exact[panel] = attn_maps_dup_map (maps, layer, head, error);
  if (panels->exact[panel] == NULL)
    return false;
  attn_draw_blocks_init (blocks, maps, 1, 1);
  visible->first = g_try_new0 (size_t, blocks->n_rows);
  visible->end = g_try_new0 (size_t, blocks->n_rows);
  if (visible->first == NULL || visible->end == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory for %zu queries",
                 blocks->n_queries);
    return false;
  }
  panels->has_hidden |=
      attn_draw_blocks_find_visible (blocks, maps, layer, visible->first, visible->end);
  blocks->layer = layer;
  blocks->head = head;
  blocks->weights = panels->exact[panel]->weights;
  blocks->first = visible->first;
  blocks->end = visible->end;
  return true;
}

/* The largest weight, whatever its sign, that may be seen and is finite. */
static AttnDrawPeak
find_peak (const AttnDrawBlocks *blocks)
{
  AttnDrawPeak peak = {0, 0};

  for (size_t row = 0; row < blocks->n_rows; row++)
    for (size_t column = blocks->first[row]; column < blocks->end[row]; column++) {
      float weight = blocks->weights[row * blocks->n_columns + column];
      peak.odd |= attn_draw_weight_find_odd (weight);
      if (isfinite (weight))
        peak.max = MAX (peak.max, fabsf (weight));
    }
  return peak;
}

/* The largest weight of all heads of a side that belong to the range. */
static bool
find_range_max (const Comparison *comparison, bool all_layers, int of, float *max, GError **error)
{
  AttnMaps *maps = comparison->maps[of];
  AttnDrawWork work = {
      .maps = maps,
      .first_layer = all_layers ? 0 : comparison->layer[of],
      .n_layers = all_layers ? attn_maps_get_n_layers (maps) : 1,
      .n_heads = attn_maps_get_n_heads (maps),
  };
  size_t n = work.n_layers * work.n_heads;
  g_autofree AttnDrawPeak *peaks = g_new0 (AttnDrawPeak, n);
  double from = of == 0 ? MAPS_SHARE : (1 + MAPS_SHARE) / 2;
  double to = of == 0 ? (1 + MAPS_SHARE) / 2 : 1;

  work.peaks = peaks;
  attn_draw_blocks_init (&work.sizes, maps, 1, 1);
  work.sizes.is_signed = attn_draw_view_is_signed (comparison->view);
  if (!attn_draw_panels_compute (&work, comparison->pool, comparison->progress,
                                 comparison->progress_data, from, to, error))
    return false;
  for (size_t i = 0; i < n; i++)
    *max = MAX (*max, peaks[i].max);
  return true;
}

/* One range for A and B; of A − B its own largest, unless a number was chosen. */
static bool
set_ranges (AttnDrawPanels *panels, const Comparison *comparison, GError **error)
{
  const AttnDrawPeak *peaks = comparison->peaks;
  AttnDrawRange range = attn_draw_view_resolve_range (comparison->view);
  float max = MAX (peaks[0].max, peaks[1].max);

  if (range == ATTN_DRAW_RANGE_LAYER || range == ATTN_DRAW_RANGE_MODEL)
    for (int of = 0; of < 2; of++)
      if (!find_range_max (comparison, range == ATTN_DRAW_RANGE_MODEL, of, &max, error))
        return false;
  for (size_t panel = 0; panel < panels->n; panel++) {
    float end = panel == ATTN_DRAW_DIFFERENCE ? peaks[panel].max : max;
    if (range == ATTN_DRAW_RANGE_FIXED)
      end = (float)comparison->view->range_max;
    panels->max[panel] = end > 0 && isfinite (end) ? end : 1;
    panels->odd |=
        panel == ATTN_DRAW_DIFFERENCE ? peaks[panel].odd & ATTN_DRAW_ODD_CROSSED : peaks[panel].odd;
    bool is_clipped = peaks[panel].max > panels->max[panel];
    if (panel == ATTN_DRAW_DIFFERENCE)
      panels->joint->is_clipped = is_clipped;
    else
      panels->is_clipped |= is_clipped;
  }
  return true;
}

static AttnDrawPanels *
panels_alloc (const Comparison *comparison, AttnMaps *source)
{
  AttnDrawPanels *panels = g_new0 (AttnDrawPanels, 1);

  g_atomic_ref_count_init (&panels->n_references);
  panels->source = attn_maps_ref (source);
  panels->maps = attn_maps_ref (comparison->maps[0]);
  panels->first_layer = comparison->layer[0];
  panels->first_head = comparison->head[0];
  panels->n_layers = panels->n_heads = 1;
  panels->blocks = g_new0 (AttnDrawBlocks, MAX_PANELS);
  panels->exact = g_new0 (AttnMap *, MAX_PANELS);
  panels->pooled = g_new0 (float *, MAX_PANELS);
  panels->max = g_new0 (float, MAX_PANELS);
  panels->n_visible = MAX_PANELS;
  panels->visible = g_new0 (AttnDrawVisible, MAX_PANELS);
  panels->ranks = g_new0 (gpointer, MAX_PANELS);
  attn_draw_blocks_init (&panels->sizes, panels->maps, 1, 1);
  panels->sizes.is_signed = attn_draw_view_is_signed (comparison->view);
  panels->n = MAX_PANELS;
  return panels;
}

static bool
set_panels (AttnDrawPanels *panels, Comparison *comparison, GError **error)
{
  for (size_t panel = 0; panel < panels->n; panel++) {
    if (!set_panel (panels, comparison, panel, error))
      return false;
    comparison->peaks[panel] = find_peak (&panels->blocks[panel]);
  }
  const AttnDrawPeak *difference = &comparison->peaks[ATTN_DRAW_DIFFERENCE];
  panels->joint->has_no_difference = panels->n > ATTN_DRAW_DIFFERENCE && !(difference->max > 0) &&
                                     (difference->odd & ATTN_DRAW_ODD_CROSSED) == 0;
  return set_ranges (panels, comparison, error);
}

/* Layer and head as they are numbered after heads, or layers too, were combined. */
static void
set_numbers (Comparison *comparison, const AttnDrawView *view)
{
  bool combines = view->arrangement.combine != ATTN_COMBINE_NONE;
  bool all_layers = combines && view->arrangement.combine_layers;
  bool joint = attn_draw_view_is_joint (view);

  comparison->layer[0] = comparison->layer[ATTN_DRAW_DIFFERENCE] = all_layers ? 0 : view->layer;
  comparison->head[0] = comparison->head[ATTN_DRAW_DIFFERENCE] = joint ? 0 : view->head;
  comparison->layer[1] = all_layers ? 0 : view->layer_b;
  comparison->head[1] = joint ? 0 : view->head_b;
}

static AttnDrawPanels *
make_panels (Comparison *comparison, AttnMaps *source, AttnMaps *source_b, GError **error)
{
  g_autoptr (AttnDrawPanels) panels = panels_alloc (comparison, source);
  g_autoptr (AttnMaps) difference = NULL;

  panels->joint = attn_draw_joint_new (comparison->maps[0], comparison->maps[1], error);
  if (panels->joint == NULL)
    return NULL;
  panels->joint->source_b = attn_maps_ref (source_b);
  if (attn_draw_joint_get_n_pairs (panels->joint) > 0)
    difference = subtract (panels->joint, comparison->layer, comparison->head, error);
  else
    panels->n = ATTN_DRAW_DIFFERENCE;
  comparison->maps[ATTN_DRAW_DIFFERENCE] = difference;
  if ((panels->n > ATTN_DRAW_DIFFERENCE && difference == NULL) ||
      !set_panels (panels, comparison, error))
    return NULL;
  return g_steal_pointer (&panels);
}

AttnDrawPanels *
attn_draw_panels_new_compare (const AttnDrawView *view,
                              AttnMaps *a,
                              AttnMaps *b,
                              AttnPool *pool,
                              AttnProgressFunc progress,
                              void *progress_data,
                              GError **error)
{
  if (!check_side (a, view->layer, view->head, "A", error) ||
      !check_side (b, view->layer_b, view->head_b, "B", error) ||
      !attn_progress_tell (progress, progress_data, 0, error))
    return NULL;
  const double lens_share = attn_draw_view_get_lens_share (view);
  AttnDrawShare share_a = {progress, progress_data, 0, lens_share / 2};
  AttnDrawShare share_b = {progress, progress_data, lens_share / 2, lens_share / 2};
  AttnDrawShare rest = {progress, progress_data, lens_share, 1 - lens_share};
  g_autoptr (AttnMaps) maps_a = attn_draw_view_look (view, a, view->layer, pool, &share_a, error);
  g_autoptr (AttnMaps) maps_b =
      maps_a == NULL ? NULL : attn_draw_view_look (view, b, view->layer_b, pool, &share_b, error);
  if (maps_b == NULL)
    return NULL;
  Comparison comparison = {
      .view = view,
      .maps = {maps_a, maps_b},
      .pool = pool,
      .progress = attn_draw_share_tell,
      .progress_data = &rest,
  };
  set_numbers (&comparison, view);
  g_autoptr (AttnDrawPanels) panels = make_panels (&comparison, a, b, error);
  if (panels == NULL || !attn_progress_tell (progress, progress_data, 1, error))
    return NULL;
  return g_steal_pointer (&panels);
}

AttnMaps *
attn_draw_panels_peek_source_b (const AttnDrawPanels *panels)
{
  return panels->joint != NULL ? panels->joint->source_b : NULL;
}

AttnMaps *
attn_draw_panels_peek_compared (const AttnDrawPanels *panels, size_t panel, GError **error)
{
  g_return_val_if_fail (panels->joint != NULL && panel < MAX_PANELS, NULL);

  if (panel < panels->n)
    return panels->exact[panel]->maps;
  const size_t layer[] = {panels->blocks[0].layer, panels->blocks[1].layer};
  const size_t head[] = {panels->blocks[0].head, panels->blocks[1].head};
  g_autoptr (AttnMaps) none = subtract (panels->joint, layer, head, error);
  return NULL;
}

bool
attn_draw_panels_has_no_difference (const AttnDrawPanels *panels)
{
  return panels->joint != NULL && panels->joint->has_no_difference;
}

const AttnDrawJoint *
attn_draw_panels_peek_joint (const AttnDrawPanels *panels)
{
  return panels->joint;
}

size_t
attn_draw_panels_get_n_joint (const AttnDrawPanels *panels, AttnSide side)
{
  return panels->joint != NULL ? panels->joint->sides[side].n
                               : attn_maps_get_n (panels->maps, side);
}

size_t
attn_draw_panels_get_joint (const AttnDrawPanels *panels, size_t panel, AttnSide side, size_t index)
{
  return panels->joint != NULL ? attn_draw_joint_get (panels->joint, panel, side, index) : index;
}

size_t
attn_draw_panels_find_joint (const AttnDrawPanels *panels,
                             size_t panel,
                             AttnSide side,
                             size_t token)
{
  if (panels->joint != NULL)
    return attn_draw_joint_find (panels->joint, panel, side, token);
  return token < attn_maps_get_n (panels->maps, side) ? token : G_MAXSIZE;
}

size_t
attn_draw_panels_get_joint_at (const AttnDrawPanels *panels, AttnSide side, size_t place)
{
  g_return_val_if_fail (place < attn_draw_panels_get_n_joint (panels, side), G_MAXSIZE);
  return panels->joint != NULL ? panels->joint->sides[side].order[place] : place;
}

size_t
attn_draw_panels_find_place (const AttnDrawPanels *panels, AttnSide side, size_t token)
{
  g_return_val_if_fail (token < attn_draw_panels_get_n_joint (panels, side), G_MAXSIZE);
  return panels->joint != NULL ? panels->joint->sides[side].place[token] : token;
}
