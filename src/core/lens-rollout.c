/* SPDX-License-Identifier: MIT */
/* Rollout: layers' matrices multiplied, the newest from the left. */
#include "lens-private.h"
#include "maps-private.h"

#include <string.h>

typedef struct {
  AttnMaps *maps; /* what is multiplied; of one head where nothing is added */
  bool adds;      /* the identity */
  size_t T;
  size_t n_done;    /* layers */
  double *product;  /* [T, T] of those */
  double *matrix;   /* [T, T] scratch */
  double *previous; /* [T, T] scratch */
} Rollout;

static void
rollout_free (void *own)
{
  Rollout *self = own;
  attn_maps_unref (self->maps);
  g_free (self->product);
  g_free (self->matrix);
  g_free (self->previous);
  g_free (self);
}

static bool
fill_matrix (const Rollout *self, size_t layer, GError **error)
{
  if (self->adds)
    return attn_lens_compute_layer_matrix (self->maps, layer, self->matrix, error);
  g_autofree float *weights = attn_maps_try_new_weights (self->maps, error);
  if (weights == NULL || !attn_maps_compute (self->maps, layer, 0, weights, error))
    return false;
  for (size_t i = 0; i < self->T * self->T; i++)
    self->matrix[i] = (double)weights[i];
  return true;
}

typedef struct {
  const Rollout *rollout;
  const double *left, *right;
  double *product;
} Product;

/* One row of product = left · right. */
static void
multiply_piece (size_t row, size_t worker G_GNUC_UNUSED, void *data)
{
  const Product *job = data;
  const size_t T = job->rollout->T;
  double *out = job->product + row * T;
  memset (out, 0, T * sizeof *out);
  for (size_t k = 0; k < T; k++) {
    const double factor = job->left[row * T + k], *from = job->right + k * T;
    for (size_t column = 0; factor != 0 && column < T; column++)
      out[column] += factor * from[column];
  }
}

static bool
add_layer (Rollout *self, size_t layer, AttnPool *pool, GError **error)
{
  const size_t n_bytes = self->T * self->T * sizeof (double);
  if (!fill_matrix (self, layer, error))
    return false;
  if (layer == 0) {
    memcpy (self->product, self->matrix, n_bytes);
    return true;
  }
  memcpy (self->previous, self->product, n_bytes);
  Product job = {self, self->matrix, self->previous, self->product};
  attn_pool_run (pool, self->T, multiply_piece, &job);
  return true;
}

/* Layers are mostly asked for in order; an earlier one starts again. */
static bool
fill (void *own, size_t layer, const AttnLensWork *work, float *weights, GError **error)
{
  Rollout *self = own;
  if (self->n_done > layer)
    self->n_done = 0;
  for (; self->n_done <= layer; self->n_done++)
    if (!attn_lens_work_tell (work, (double)self->n_done / (double)(layer + 1), error) ||
        !add_layer (self, self->n_done, work->pool, error))
      return false;
  for (size_t i = 0; i < self->T * self->T; i++)
    weights[i] = (float)self->product[i];
  return true;
}

static AttnMaps *
new_rollout (
    AttnMaps *maps, AttnMaps *factors, bool adds, const AttnLensOptions *options, GError **error)
{
  const size_t T = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  Rollout *self = g_new0 (Rollout, 1);
  *self = (Rollout){.maps = attn_maps_ref (factors), .adds = adds, .T = T};
  double **const all[] = {&self->product, &self->matrix, &self->previous};
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++) {
    *all[i] = (double *)(void *)attn_map_try_new_weights (T, 2 * T, error); /* two f32 a double */
    if (*all[i] == NULL) {
      rollout_free (self);
      return NULL;
    }
  }
  return attn_lens_wrap_layers (maps, true, fill, rollout_free, self, options, error);
}

AttnMaps *
attn_lens_new_rollout (AttnMaps *maps, const AttnLensOptions *options, GError **error)
{
  return new_rollout (maps, maps, true, options, error);
}

AttnMaps *
attn_lens_new_zeroing_rollout (AttnMaps *maps, const AttnLensOptions *options, GError **error)
{
  AttnLensOptions all = *options;
  all.one_layer = false; /* a product needs them all */
  g_autoptr (AttnMaps) zeroing = attn_lens_new_zeroing (maps, &all, error);
  const AttnLensOptions quiet = {
      .pool = options->pool, .one_layer = options->one_layer, .layer = options->layer};
  return zeroing != NULL ? new_rollout (maps, zeroing, false, &quiet, error) : NULL;
}
