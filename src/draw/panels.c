/* SPDX-License-Identifier: MIT */
/* The maps a view needs and their range, computed on the pool. */
#include "looked.h"
#include "panels-compute.h"
#include "panels-private.h"
#include "panels-struct.h"
#include "scale.h"
#include "wording.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

/* All maps of a model take at most this many weights: those of small models and short texts are
 * kept as they are; of others no block is larger than needed for POOLED_SIDE … */
#define EXACT_WEIGHTS ((size_t)4 << 20)
#define POOLED_SIDE 256
/* … or, of very many maps, for this many weights in all: 112 MB. */
#define MAX_WEIGHTS ((size_t)28 << 20)

/* Whether a weight that can be seen is exactly 0. */
typedef enum { ZERO_UNKNOWN, ZERO_NONE, ZERO_SOME } HasZero;

static void
set_ranges (AttnDrawPanels *panels,
            const AttnDrawView *view,
            const AttnDrawPeak *peaks,
            const float *range_max)
{
  AttnDrawRange range = attn_draw_view_resolve_range (view);

  for (size_t i = 0; i < panels->n; i++) {
    float max = range_max[i / panels->n_heads];
    if (range == ATTN_DRAW_RANGE_MAP)
      max = peaks[i].max;
    else if (range == ATTN_DRAW_RANGE_FIXED)
      max = (float)view->range_max;
    panels->max[i] = max > 0 && isfinite (max) ? max : 1;
    panels->odd |= peaks[i].odd;
    panels->is_clipped |= peaks[i].max > panels->max[i];
  }
}

static float
largest (const AttnDrawPeak *peaks, size_t n)
{
  float max = 0;
  for (size_t i = 0; i < n; i++)
    max = MAX (max, peaks[i].max);
  return max;
}

typedef struct {
  AttnPool *pool;
  AttnProgressFunc progress;
  void *progress_data;
} Run;

/* The range's end for every shown layer, where that depends on heads that are not shown. */
static bool
find_hidden_max (
    AttnDrawPanels *panels, AttnDrawRange range, const Run *run, float *max, GError **error)
{
  bool all_layers = range == ATTN_DRAW_RANGE_MODEL;
  size_t n_heads = attn_maps_get_n_heads (panels->maps);
  size_t n_layers = all_layers ? attn_maps_get_n_layers (panels->maps) : panels->n_layers;
  g_autofree AttnDrawPeak *peaks = g_new0 (AttnDrawPeak, n_layers * n_heads);
  AttnDrawWork work = {
      .maps = panels->maps,
      .first_layer = all_layers ? 0 : panels->first_layer,
      .n_layers = n_layers,
      .n_heads = n_heads,
      .sizes = panels->sizes,
      .peaks = peaks,
  };

  if (!attn_draw_panels_compute (&work, run->pool, run->progress, run->progress_data, 0.1, 1,
                                 error))
    return false;
  for (size_t i = 0; i < panels->n_layers; i++)
    max[i] =
        all_layers ? largest (peaks, n_layers * n_heads) : largest (peaks + i * n_heads, n_heads);
  return true;
}

static bool
shows_all (const AttnDrawPanels *panels, AttnDrawRange range)
{
  bool all_heads = panels->n_heads == attn_maps_get_n_heads (panels->maps);
  bool all_layers = panels->n_layers == attn_maps_get_n_layers (panels->maps);

  return all_heads && (all_layers || range == ATTN_DRAW_RANGE_LAYER);
}

static bool
find_ranges (AttnDrawPanels *panels,
             const AttnDrawView *view,
             const AttnDrawPeak *peaks,
             const Run *run,
             GError **error)
{
  AttnDrawRange range = attn_draw_view_resolve_range (view);
  g_autofree float *max = g_new0 (float, panels->n_layers);

  if (range == ATTN_DRAW_RANGE_LAYER || range == ATTN_DRAW_RANGE_MODEL) {
    if (!shows_all (panels, range)) {
      if (!find_hidden_max (panels, range, run, max, error))
        return false;
    } else {
      for (size_t i = 0; i < panels->n_layers; i++)
        max[i] = range == ATTN_DRAW_RANGE_MODEL
                     ? largest (peaks, panels->n)
                     : largest (peaks + i * panels->n_heads, panels->n_heads);
    }
  }
  set_ranges (panels, view, peaks, max);
  return true;
}

static bool
set_visible (AttnDrawPanels *panels, GError **error)
{
  size_t n_rows = panels->sizes.n_rows;

  for (size_t i = 0; i < panels->n_layers; i++) {
    AttnDrawVisible *visible = &panels->visible[i];
    visible->first = g_try_new0 (size_t, n_rows);
    visible->end = g_try_new0 (size_t, n_rows);
    if (visible->first == NULL || visible->end == NULL) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory for %zu queries",
                   panels->sizes.n_queries);
      return false;
    }
    panels->has_hidden |= attn_draw_blocks_find_visible (
        &panels->sizes, panels->maps, panels->first_layer + i, visible->first, visible->end);
  }
  return true;
}

static void
set_blocks (AttnDrawPanels *panels)
{
  for (size_t i = 0; i < panels->n; i++) {
    AttnDrawBlocks *blocks = &panels->blocks[i];
    const AttnDrawVisible *visible = &panels->visible[i / panels->n_heads];
    *blocks = panels->sizes;
    blocks->layer = panels->first_layer + i / panels->n_heads;
    blocks->head = panels->first_head + i % panels->n_heads;
    blocks->weights = panels->exact[i] != NULL ? panels->exact[i]->weights : panels->pooled[i];
    blocks->first = visible->first;
    blocks->end = visible->end;
  }
}

static bool
check_view (const AttnDrawView *view, AttnMaps *maps, GError **error)
{
  size_t n_layers = attn_maps_get_n_layers (maps);
  size_t n_heads = attn_maps_get_n_heads (maps);

  if (view->kind == ATTN_DRAW_LAYERS)
    return true; /* asks for neither */
  if (view->layer >= n_layers) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "layer %zu was asked for, but there are only layers 1 to %zu", view->layer + 1,
                 n_layers);
    return false;
  }
  if (!attn_draw_kind_has_layer (view->kind) && view->head >= n_heads) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "head %zu was asked for, but a layer has only heads 1 to %zu", view->head + 1,
                 n_heads);
    return false;
  }
  return true;
}

static size_t
divide_up (size_t n, size_t by)
{
  return (n + by - 1) / by;
}

/* Blocks as small as the limits allow. */
static void
choose_sizes (AttnDrawPanels *panels)
{
  size_t n_queries = attn_maps_get_n (panels->maps, ATTN_SIDE_QUERY);
  size_t n_keys = attn_maps_get_n (panels->maps, ATTN_SIDE_KEY);
  size_t per_map = EXACT_WEIGHTS / panels->n;
  size_t queries = 1, keys = 1;

  if (n_queries > per_map / n_keys) {
    queries = divide_up (n_queries, POOLED_SIDE);
    keys = divide_up (n_keys, POOLED_SIDE);
    while (divide_up (n_queries, queries) * divide_up (n_keys, keys) > MAX_WEIGHTS / panels->n &&
           (queries < n_queries || keys < n_keys)) {
      queries = MIN (queries + 1, n_queries);
      keys = MIN (keys + 1, n_keys);
    }
  }
  attn_draw_blocks_init (&panels->sizes, panels->maps, queries, keys);
}

/* Which layers and heads of the arranged @maps @view shows, and room for them. */
static AttnDrawPanels *
panels_alloc (const AttnDrawView *view, AttnMaps *source, AttnMaps *maps)
{
  AttnDrawPanels *panels = g_new0 (AttnDrawPanels, 1);
  bool combines = view->arrangement.combine != ATTN_COMBINE_NONE;
  bool all_layers =
      view->kind == ATTN_DRAW_LAYERS || (combines && view->arrangement.combine_layers);
  bool all_heads = view->kind == ATTN_DRAW_LAYERS || attn_draw_kind_has_layer (view->kind) ||
                   attn_draw_view_is_joint (view);

  g_atomic_ref_count_init (&panels->n_references);
  panels->source = attn_maps_ref (source);
  panels->maps = attn_maps_ref (maps);
  panels->first_layer = all_layers ? 0 : view->layer;
  panels->n_layers = all_layers ? attn_maps_get_n_layers (maps) : 1;
  panels->first_head = all_heads ? 0 : view->head;
  panels->n_heads = all_heads ? attn_maps_get_n_heads (maps) : 1;
  panels->n = panels->n_layers * panels->n_heads;
  panels->blocks = g_new0 (AttnDrawBlocks, panels->n);
  panels->exact = g_new0 (AttnMap *, panels->n);
  panels->pooled = g_new0 (float *, panels->n);
  panels->max = g_new0 (float, panels->n);
  panels->n_visible = panels->n_layers;
  panels->visible = g_new0 (AttnDrawVisible, panels->n_visible);
  panels->ranks = g_new0 (gpointer, panels->n);
  if (view->kind == ATTN_DRAW_LAYERS)
    choose_sizes (panels);
  else
    attn_draw_blocks_init (&panels->sizes, maps, 1, 1);
  panels->sizes.is_signed = attn_draw_view_is_signed (view);
  return panels;
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

  const double lens_share = attn_draw_view_get_lens_share (view);
  AttnDrawShare share = {progress, progress_data, 0, lens_share};
  AttnDrawShare rest = {progress, progress_data, lens_share, 1 - lens_share};
  g_autoptr (AttnMaps) arranged =
      attn_draw_view_look (view, maps, view->layer, pool, &share, error);
  if (arranged == NULL)
    return NULL;
  g_autoptr (AttnDrawPanels) panels = panels_alloc (view, maps, arranged);
  g_autofree AttnDrawPeak *peaks = g_new0 (AttnDrawPeak, panels->n);
  Run run = {pool, attn_draw_share_tell, &rest};
  bool is_pooled = attn_draw_blocks_is_pooled (&panels->sizes);
  AttnDrawWork work = {
      .maps = arranged,
      .first_layer = panels->first_layer,
      .n_layers = panels->n_layers,
      .first_head = panels->first_head,
      .n_heads = panels->n_heads,
      .sizes = panels->sizes,
      .exact = is_pooled ? NULL : panels->exact,
      .pooled = is_pooled ? panels->pooled : NULL,
      .ranks = view->scale == ATTN_DRAW_SCALE_RANK ? panels->ranks : NULL,
      .peaks = peaks,
  };
  double end = view->kind == ATTN_DRAW_LAYERS ? 1 : 0.1;
  if (!attn_draw_panels_compute (&work, pool, run.progress, run.progress_data, 0, end, error) ||
      !set_visible (panels, error) || !find_ranges (panels, view, peaks, &run, error) ||
      !attn_progress_tell (progress, progress_data, 1, error))
    return NULL;
  set_blocks (panels);
  panels->has_ranks = work.ranks != NULL;
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
  for (size_t i = 0; i < panels->n; i++) {
    attn_map_free (panels->exact[i]);
    g_free (panels->pooled[i]);
    g_free (panels->ranks[i]);
  }
  for (size_t i = 0; i < panels->n_visible; i++) {
    g_free (panels->visible[i].first);
    g_free (panels->visible[i].end);
  }
  g_free (panels->blocks);
  g_free (panels->exact);
  g_free (panels->pooled);
  g_free (panels->ranks);
  g_free (panels->max);
  g_free (panels->visible);
  attn_maps_unref (panels->maps);
  attn_maps_unref (panels->source);
  attn_draw_joint_free (panels->joint);
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
  return panels->exact[index];
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

AttnMaps *
attn_draw_panels_peek_source (const AttnDrawPanels *panels)
{
  return panels->source;
}

size_t
attn_draw_panels_get_layer (const AttnDrawPanels *panels, size_t index)
{
  g_return_val_if_fail (index < panels->n, 0);
  return panels->blocks[index].layer;
}

size_t
attn_draw_panels_get_head (const AttnDrawPanels *panels, size_t index)
{
  g_return_val_if_fail (index < panels->n, 0);
  return panels->blocks[index].head;
}

size_t
attn_draw_panels_find (const AttnDrawPanels *panels, size_t layer, size_t head)
{
  if (layer < panels->first_layer || layer - panels->first_layer >= panels->n_layers ||
      head < panels->first_head || head - panels->first_head >= panels->n_heads)
    return G_MAXSIZE;
  return (layer - panels->first_layer) * panels->n_heads + head - panels->first_head;
}

const AttnDrawBlocks *
attn_draw_panels_peek_blocks (const AttnDrawPanels *panels, size_t index)
{
  g_return_val_if_fail (index < panels->n, NULL);
  return &panels->blocks[index];
}

bool
attn_draw_panels_has_hidden (const AttnDrawPanels *panels)
{
  return panels->has_hidden;
}

bool
attn_draw_panels_is_signed (const AttnDrawPanels *panels, size_t index)
{
  return panels->sizes.is_signed ||
         (index != G_MAXSIZE && attn_draw_panels_is_difference (panels, index));
}

bool
attn_draw_panels_is_difference (const AttnDrawPanels *panels, size_t index)
{
  return panels->joint != NULL && index == ATTN_DRAW_DIFFERENCE;
}

unsigned
attn_draw_panels_get_odd (const AttnDrawPanels *panels)
{
  return panels->odd;
}

static bool
has_zero (const AttnDrawBlocks *blocks)
{
  for (size_t row = 0; row < blocks->n_rows; row++)
    for (size_t column = blocks->first[row]; column < blocks->end[row]; column++)
      if (blocks->weights[row * blocks->n_columns + column] == 0)
        return true;
  return false;
}

bool
attn_draw_panels_has_zero (AttnDrawPanels *panels)
{
  HasZero found = (HasZero)g_atomic_int_get (&panels->has_zero);

  if (found == ZERO_UNKNOWN) {
    for (size_t i = 0; i < panels->n && found != ZERO_SOME; i++)
      if (!attn_draw_panels_is_signed (panels, i)) /* has a place for it on every scale */
        found = has_zero (&panels->blocks[i]) ? ZERO_SOME : ZERO_NONE;
    g_atomic_int_set (&panels->has_zero, (gint)found);
  }
  return found == ZERO_SOME;
}

void
attn_draw_panels_get_ranks (AttnDrawPanels *panels, size_t index, float *least)
{
  const AttnDrawBlocks *blocks = &panels->blocks[index];
  const float *known = g_atomic_pointer_get (&panels->ranks[index]);

  if (known != NULL) {
    memcpy (least, known, ATTN_DRAW_N_COLORS * sizeof *least);
    return;
  }
  attn_draw_ranks_find (blocks->weights, blocks->n_rows, blocks->n_columns, blocks->first,
                        blocks->end, least);
  gpointer found = g_memdup2 (least, ATTN_DRAW_N_COLORS * sizeof *least);
  if (!g_atomic_pointer_compare_and_exchange (&panels->ranks[index], NULL, found))
    g_free (found); /* another thread was asked for the same */
}

bool
attn_draw_panels_has_ranks (const AttnDrawPanels *panels)
{
  return !attn_draw_blocks_is_pooled (&panels->sizes) || panels->has_ranks;
}

bool
attn_draw_panels_is_clipped (const AttnDrawPanels *panels)
{
  return panels->is_clipped;
}

bool
attn_draw_view_has_head (const AttnDrawView *view, AttnDrawPanels *panels, size_t panel)
{
  return attn_draw_view_is_joint (view) ||
         attn_head_set_has (&view->arrangement.heads, attn_draw_panels_get_head (panels, panel));
}
