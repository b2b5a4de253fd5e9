/* SPDX-License-Identifier: MIT */
/* Norm-weighted attention, of one head and of all heads of a layer together. */
#include "lens-private.h"
#include "maps-private.h"
#include "parts.h"

#include <math.h>
#include <string.h>

#define KEYS_AT_ONCE ((size_t)64) /* whose vectors are in memory */

static float
compute_length (const float *x, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (double)x[i] * (double)x[i];
  return (float)sqrt (sum);
}

/* One norm for each key is enough. */
static bool
compute_head (void *own G_GNUC_UNUSED,
              AttnMaps *maps,
              size_t layer,
              size_t head,
              float *weights,
              GError **error)
{
  g_auto (AttnParts) parts = {0};
  if (!attn_parts_init (&parts, attn_maps_peek_trace (maps), layer, error))
    return false;
  const size_t T = parts.T;
  g_autofree float *rows = g_new (float, KEYS_AT_ONCE *parts.D), *norms = g_new (float, T);
  for (size_t first = 0; first < T; first += KEYS_AT_ONCE) {
    const size_t n = MIN (KEYS_AT_ONCE, T - first);
    attn_parts_project (&parts, head, first, n, rows);
    for (size_t i = 0; i < n; i++)
      norms[first + i] = compute_length (rows + i * parts.D, parts.D);
  }
  if (!attn_maps_compute (maps, layer, head, weights, error))
    return false;
  for (size_t i = 0; i < T * T; i++)
    weights[i] *= norms[i % T];
  return true;
}

AttnMaps *
attn_lens_new_norm (AttnMaps *maps)
{
  static const AttnLensClass klass = {.compute = compute_head};
  return attn_lens_wrap (maps, &klass, NULL);
}

static bool
compute_layer (void *own G_GNUC_UNUSED,
               AttnMaps *maps,
               size_t layer,
               size_t head G_GNUC_UNUSED,
               float *weights,
               GError **error)
{
  g_auto (AttnParts) parts = {0};
  if (!attn_parts_init (&parts, attn_maps_peek_trace (maps), layer, error))
    return false;
  g_autofree float *all = attn_parts_try_new_maps (&parts, error);
  g_autofree float *norms =
      all != NULL ? attn_parts_try_new_norms (&parts, all, NULL, error) : NULL;
  if (norms == NULL)
    return false;
  memcpy (weights, norms, parts.T * parts.T * sizeof *weights);
  return true;
}

AttnMaps *
attn_lens_new_norm_layer (AttnMaps *maps)
{
  static const AttnLensClass klass = {.joint = true, .compute = compute_layer};
  return attn_lens_wrap (maps, &klass, NULL);
}
