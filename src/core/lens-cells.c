/* SPDX-License-Identifier: MIT */
/* Lenses of single weights: without special tokens, and before softmax. */
#include "lens-private.h"

/* Whether a key was added by the template. */
static bool
is_special (const AttnMaps *maps, size_t key)
{
  AttnOrigin origin;
  return attn_maps_get_origin (maps, ATTN_SIDE_KEY, key, &origin) && origin.special;
}

/* A row that looks at special tokens alone has nothing left: it stays 0. */
static bool
compute_special (
    void *own, AttnMaps *maps, size_t layer, size_t head, float *weights, GError **error)
{
  const bool *special = own;
  const size_t n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  if (!attn_maps_compute (maps, layer, head, weights, error))
    return false;
  for (size_t query = 0; query < attn_maps_get_n (maps, ATTN_SIDE_QUERY); query++) {
    float *row = weights + query * n_keys;
    double sum = 0;
    for (size_t key = 0; key < n_keys; key++) {
      row[key] = special[key] ? 0 : row[key];
      sum += (double)row[key];
    }
    for (size_t key = 0; key < n_keys && sum != 0; key++)
      row[key] = (float)((double)row[key] / sum);
  }
  return true;
}

AttnMaps *
attn_lens_new_special (AttnMaps *maps)
{
  static const AttnLensClass klass = {.compute = compute_special, .free = g_free};
  const size_t n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  bool *special = g_new (bool, n_keys);
  for (size_t key = 0; key < n_keys; key++)
    special[key] = is_special (maps, key);
  return attn_lens_wrap (maps, &klass, special);
}

static bool
compute_scores (void *own G_GNUC_UNUSED,
                AttnMaps *maps,
                size_t layer,
                size_t head,
                float *weights,
                GError **error G_GNUC_UNUSED)
{
  attn_trace_compute_scores (attn_maps_peek_trace (maps), layer, head, weights);
  return true;
}

AttnMaps *
attn_lens_new_scores (AttnMaps *maps)
{
  static const AttnLensClass klass = {.compute = compute_scores};
  return attn_lens_wrap (maps, &klass, NULL);
}
