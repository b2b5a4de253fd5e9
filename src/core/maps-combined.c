/* SPDX-License-Identifier: MIT */
/* Maps whose one head is the mean or the largest of several heads, of one layer or of all. */
#include "arrange-steps.h"
#include "maps-derived.h"
#include "maps-private.h"

#include "attn/error.h"

#include <string.h>

typedef struct {
  AttnDerivedMaps over;
  AttnCombine combine;
  bool layers; /* all of them are combined … */
  float *all;  /* … to this, [n_queries, n_keys]; else NULL */
  size_t n_heads;
  size_t heads[]; /* [n_heads] ascending */
} Combined;

/* NaN is passed on. */
static void
take_larger (float *weights, const float *other, size_t n)
{
  for (size_t i = 0; i < n; i++) { /* without a branch, so that it is done in vectors */
    float a = weights[i], b = other[i];
    weights[i] = (b > a) | (b != b) ? b : a;
  }
}

static size_t
get_n_weights (const Combined *self)
{
  return attn_maps_get_n (self->over.maps, ATTN_SIDE_QUERY) *
         attn_maps_get_n (self->over.maps, ATTN_SIDE_KEY);
}

/* One map of many in the making. A mean's sum is in double: a sum of f32 may be beyond the largest
 * of them though their mean is not. */
typedef struct {
  float *largest; /* [n_queries, n_keys] of ATTN_COMBINE_MAX */
  double *sums;   /* likewise, of ATTN_COMBINE_MEAN */
  size_t n;       /* how many maps are in it */
} Merged;

static void
merged_clear (Merged *merged)
{
  g_clear_pointer (&merged->largest, g_free);
  g_clear_pointer (&merged->sums, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Merged, merged_clear)

static bool
merged_init (const Combined *self, Merged *merged, GError **error)
{
  *merged = (Merged){0};
  if (self->combine == ATTN_COMBINE_MAX) {
    merged->largest = attn_maps_try_new_weights (self->over.maps, error);
    return merged->largest != NULL;
  }
  const size_t n = get_n_weights (self);
  merged->sums = g_try_new (double, MAX (n, 1));
  if (merged->sums == NULL)
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "no memory for a map of %zu × %zu weights",
                 attn_maps_get_n (self->over.maps, ATTN_SIDE_QUERY),
                 attn_maps_get_n (self->over.maps, ATTN_SIDE_KEY));
  return merged->sums != NULL;
}

static void
merged_add_map (const Combined *self, Merged *merged, const float *weights)
{
  const size_t n = get_n_weights (self);
  if (merged->n++ > 0 && merged->sums == NULL)
    take_larger (merged->largest, weights, n);
  else if (merged->sums == NULL)
    memcpy (merged->largest, weights, n * sizeof *weights);
  else
    for (size_t i = 0; i < n; i++)
      merged->sums[i] = (merged->n == 1 ? 0 : merged->sums[i]) + (double)weights[i];
}

/* Adds what is of another layer. */
static void
merged_add (const Combined *self, Merged *merged, const Merged *other)
{
  const size_t n = get_n_weights (self);
  if (other->sums == NULL) {
    merged_add_map (self, merged, other->largest);
    return;
  }
  for (size_t i = 0; i < n; i++)
    merged->sums[i] = (merged->n == 0 ? 0 : merged->sums[i]) + other->sums[i];
  merged->n += other->n;
}

static void
merged_finish (const Combined *self, const Merged *merged, float *weights)
{
  const size_t n = get_n_weights (self);
  if (merged->sums == NULL)
    memcpy (weights, merged->largest, n * sizeof *weights);
  else
    for (size_t i = 0; i < n; i++)
      weights[i] = (float)(merged->sums[i] / (double)merged->n);
}

/* The heads of one layer; @weights is scratch memory for a map. */
static bool
merge_layer (const Combined *self, size_t layer, Merged *merged, float *weights, GError **error)
{
  merged->n = 0;
  for (size_t h = 0; h < self->n_heads; h++) {
    if (!attn_maps_compute (self->over.maps, layer, self->heads[h], weights, error))
      return false;
    merged_add_map (self, merged, weights);
  }
  return true;
}

static bool
compute (void *source, size_t layer, size_t head G_GNUC_UNUSED, float *weights, GError **error)
{
  const Combined *self = source;
  if (self->all != NULL) {
    memcpy (weights, self->all, get_n_weights (self) * sizeof *weights);
    return true;
  }
  g_auto (Merged) merged = {0};
  if (!merged_init (self, &merged, error) || !merge_layer (self, layer, &merged, weights, error))
    return false;
  merged_finish (self, &merged, weights);
  return true;
}

/* Layers that are worked on at the same time. */
typedef struct {
  const Combined *self;
  size_t first_layer;
  Merged *layers;  /* [pieces] a layer's heads */
  float **scratch; /* [workers] */
  GError **errors; /* [pieces] */
} Region;

static void
merge_layer_cb (size_t piece, size_t worker, void *data)
{
  const Region *region = data;
  merge_layer (region->self, region->first_layer + piece, &region->layers[piece],
               region->scratch[worker], &region->errors[piece]);
}

/* Runs up to @most layers and adds them up in order: which thread had which does not matter. */
static bool
merge_region (Region *region, size_t most, Merged *all, AttnPool *pool, GError **error)
{
  const Combined *self = region->self;
  size_t n = MIN (most, attn_maps_get_n_layers (self->over.maps) - region->first_layer);
  attn_pool_run (pool, n, merge_layer_cb, region);
  bool done = true;
  for (size_t piece = 0; piece < n; piece++) {
    if (region->errors[piece] != NULL) {
      if (done)
        g_propagate_error (error, g_steal_pointer (&region->errors[piece]));
      g_clear_error (&region->errors[piece]);
      done = false;
    } else if (done) {
      merged_add (self, all, &region->layers[piece]);
    }
  }
  return done;
}

static void
free_maps (float **maps)
{
  for (float **map = maps; maps != NULL && *map != NULL; map++)
    g_free (*map);
  g_free (maps);
}

/* Returns: (nullable): @n maps' memory and a NULL, for free_maps(). */
static float **
try_new_maps (const AttnMaps *maps, size_t n, GError **error)
{
  float **all = g_new0 (float *, n + 1);
  for (size_t i = 0; i < n; i++) {
    all[i] = attn_maps_try_new_weights (maps, error);
    if (all[i] == NULL) {
      free_maps (all);
      return NULL;
    }
  }
  return all;
}

static void
region_clear (Region *region, size_t most)
{
  for (size_t i = 0; i < most; i++)
    merged_clear (&region->layers[i]);
  free_maps (region->scratch);
  g_free (region->layers);
  g_free (region->errors);
}

/* All layers at once, since it takes long: each layer's heads are one sum, and the layers' sums are
 * added up in order, so that the bits are the same for any number of threads. */
static bool
combine_layers (Combined *self, AttnPool *pool, GError **error)
{
  size_t n_layers = attn_maps_get_n_layers (self->over.maps);
  size_t most = MIN (attn_pool_get_n_threads (pool), n_layers);
  g_auto (Merged) all = {0};
  Region region = {
      .self = self, .layers = g_new0 (Merged, most), .errors = g_new0 (GError *, most)};
  bool done = merged_init (self, &all, error);
  for (size_t i = 0; done && i < most; i++)
    done = merged_init (self, &region.layers[i], error);
  if (done)
    region.scratch = try_new_maps (self->over.maps, attn_pool_get_n_threads (pool), error);
  done = done && region.scratch != NULL;
  for (; done && region.first_layer < n_layers; region.first_layer += most)
    done = merge_region (&region, most, &all, pool, error);
  self->all = done ? attn_maps_try_new_weights (self->over.maps, error) : NULL;
  if (self->all != NULL)
    merged_finish (self, &all, self->all);
  region_clear (&region, most);
  return self->all != NULL;
}

static void
get_visible (void *source, size_t layer, size_t query, size_t *first, size_t *end)
{
  const Combined *self = source;
  attn_maps_get_visible (self->over.maps, layer, query, first, end);
  for (size_t l = 1; self->layers && l < attn_maps_get_n_layers (self->over.maps); l++) {
    size_t layer_first, layer_end;
    attn_maps_get_visible (self->over.maps, l, query, &layer_first, &layer_end);
    *first = MIN (*first, layer_first);
    *end = MAX (*end, layer_end);
  }
}

static void
combined_free (void *source)
{
  Combined *self = source;
  g_free (self->all);
  attn_derived_maps_free (self);
}

/* Refuses a chosen head that is not there: it would be missing without a word. */
static bool
check_heads (const AttnHeadSet *heads, size_t n_heads, GError **error)
{
  for (size_t head = n_heads; head < ATTN_HEAD_SET_MAX; head++)
    if (!attn_head_set_is_empty (heads) && attn_head_set_has (heads, head)) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                   "heads to combine: head %zu was chosen, a layer has heads 1 to %zu", head + 1,
                   n_heads);
      return false;
    }
  return true;
}

AttnMaps *
attn_maps_combine (AttnMaps *maps,
                   const AttnArrangement *arrangement,
                   AttnPool *pool,
                   GError **error)
{
  size_t n_heads = attn_maps_get_n_heads (maps);
  if (!check_heads (&arrangement->heads, n_heads, error))
    return NULL;
  Combined *self = g_malloc (sizeof *self + n_heads * sizeof (size_t));
  *self = (Combined){.over = {attn_maps_ref (maps)},
                     .combine = arrangement->combine,
                     .layers = arrangement->combine_layers};
  for (size_t head = 0; head < n_heads; head++)
    if (attn_head_set_has (&arrangement->heads, head))
      self->heads[self->n_heads++] = head;
  if (self->layers && !combine_layers (self, pool, error)) {
    combined_free (self);
    return NULL;
  }
  AttnMapsClass klass = attn_derived_maps_make_class (&self->over);
  klass.n_layers = self->layers ? 1 : klass.n_layers;
  klass.n_heads = 1;
  klass.compute = compute;
  klass.get_visible = get_visible;
  klass.free = combined_free;
  return attn_maps_new (&klass, self);
}
