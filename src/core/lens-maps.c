/* SPDX-License-Identifier: MIT */
/* A lens as a source of maps: its own weights, everything else of the maps it was made of. */
#include "lens-private.h"
#include "maps-derived.h"
#include "maps-private.h"

#include "attn/error.h"

#include <string.h>

typedef struct {
  AttnDerivedMaps over; /* what it was made of */
  const AttnLensClass *klass;
  void *own;
} Lens;

static bool
compute (void *source, size_t layer, size_t head, float *weights, GError **error)
{
  const Lens *self = source;
  return self->klass->compute (self->own, self->over.maps, layer, head, weights, error);
}

/* Through layers: ends never move back from one query to the next, so what the outermost keys see
 * below is all that any sees. */
static void
get_visible_through (void *source, size_t layer, size_t query, size_t *first, size_t *end)
{
  const AttnMaps *maps = ((const Lens *)source)->over.maps;
  attn_maps_get_visible (maps, layer, query, first, end);
  for (size_t below = layer; below-- > 0 && *first < *end;) {
    size_t ignored;
    attn_maps_get_visible (maps, below, *end - 1, &ignored, end);
    attn_maps_get_visible (maps, below, *first, first, &ignored);
  }
}

static void
lens_free (void *source)
{
  Lens *self = source;
  if (self->klass->free != NULL)
    self->klass->free (self->own);
  attn_derived_maps_free (self);
}

AttnMaps *
attn_lens_wrap (AttnMaps *maps, const AttnLensClass *klass, void *own)
{
  Lens *self = g_new (Lens, 1);
  *self = (Lens){.over = {attn_maps_ref (maps)}, .klass = klass, .own = own};
  AttnMapsClass of_maps = attn_derived_maps_make_class (&self->over);
  of_maps.compute = compute;
  of_maps.free = lens_free;
  if (klass->joint)
    of_maps.n_heads = 1;
  if (klass->through)
    of_maps.get_visible = get_visible_through;
  return attn_maps_new (&of_maps, self);
}

bool
attn_lens_work_tell (const AttnLensWork *work, double done, GError **error)
{
  if (attn_pool_is_stopped (work->pool)) {
    g_set_error_literal (error, ATTN_ERROR, ATTN_ERROR_CANCELLED, "stopped");
    return false;
  }
  return attn_progress_tell (work->progress, work->progress_data, work->start + work->share * done,
                             error);
}

/* Layers that are computed once. */
typedef struct {
  AttnLensFill fill;
  void (*free_own) (void *own);
  void *own;
  size_t n_layers;
  GMutex lock;   /* of what follows */
  float *maps[]; /* [n_layers] of [T, T]; NULL: not yet */
} Layers;

static void
layers_free (void *own)
{
  Layers *self = own;
  self->free_own (self->own);
  for (size_t layer = 0; layer < self->n_layers; layer++)
    g_free (self->maps[layer]);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Returns: the layer's map, or NULL with @error; with the lock held. */
static const float *
get_layer (Layers *self, AttnMaps *maps, size_t layer, const AttnLensWork *work, GError **error)
{
  if (self->maps[layer] == NULL) {
    g_autofree float *weights = attn_maps_try_new_weights (maps, error);
    if (weights != NULL && self->fill (self->own, layer, work, weights, error))
      self->maps[layer] = g_steal_pointer (&weights);
  }
  return self->maps[layer];
}

static bool
compute_layer (void *own,
               AttnMaps *maps,
               size_t layer,
               size_t head G_GNUC_UNUSED,
               float *weights,
               GError **error)
{
  Layers *self = own;
  const AttnLensWork alone = {0};
  const size_t n = attn_maps_get_n (maps, ATTN_SIDE_QUERY) * attn_maps_get_n (maps, ATTN_SIDE_KEY);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  const float *map = get_layer (self, maps, layer, &alone, error);
  if (map != NULL)
    memcpy (weights, map, n * sizeof *weights);
  return map != NULL;
}

static bool
compute_wanted (Layers *self, AttnMaps *maps, const AttnLensOptions *options, GError **error)
{
  const size_t first = options->one_layer ? options->layer : 0;
  const size_t n = options->one_layer ? 1 : self->n_layers;
  for (size_t i = 0; i < n; i++) {
    const AttnLensWork work = {
        .pool = options->pool,
        .progress = options->progress,
        .progress_data = options->progress_data,
        .start = (double)i / (double)n,
        .share = 1 / (double)n,
    };
    if (!attn_lens_work_tell (&work, 0, error) ||
        get_layer (self, maps, first + i, &work, error) == NULL)
      return false;
  }
  return attn_progress_tell (options->progress, options->progress_data, 1, error);
}

AttnMaps *
attn_lens_wrap_layers (AttnMaps *maps,
                       bool through,
                       AttnLensFill fill,
                       void (*free_own) (void *own),
                       void *own,
                       const AttnLensOptions *options,
                       GError **error)
{
  static const AttnLensClass near = {true, false, compute_layer, layers_free};
  static const AttnLensClass far = {true, true, compute_layer, layers_free};
  const size_t n = attn_maps_get_n_layers (maps);
  g_return_val_if_fail (!options->one_layer || options->layer < n, NULL);
  Layers *self = g_malloc0 (sizeof *self + n * sizeof (float *));
  *self = (Layers){.fill = fill, .free_own = free_own, .own = own, .n_layers = n};
  g_mutex_init (&self->lock);
  if (!compute_wanted (self, maps, options, error)) {
    layers_free (self);
    return NULL;
  }
  return attn_lens_wrap (maps, through ? &far : &near, self);
}

bool
attn_lens_compute_layer_matrix (AttnMaps *maps, size_t layer, double *matrix, GError **error)
{
  const size_t T = attn_maps_get_n (maps, ATTN_SIDE_KEY), H = attn_maps_get_n_heads (maps);
  g_autofree float *weights = attn_maps_try_new_weights (maps, error);
  if (weights == NULL)
    return false;
  memset (matrix, 0, T * T * sizeof *matrix);
  for (size_t head = 0; head < H; head++) {
    if (!attn_maps_compute (maps, layer, head, weights, error))
      return false;
    for (size_t i = 0; i < T * T; i++)
      matrix[i] += (double)weights[i] / (double)H / 2;
  }
  for (size_t query = 0; query < T; query++) {
    double *row = matrix + query * T, sum = 0;
    row[query] += 0.5;
    for (size_t key = 0; key < T; key++)
      sum += row[key];
    for (size_t key = 0; key < T; key++)
      row[key] /= sum;
  }
  return true;
}
