/* SPDX-License-Identifier: MIT */
/* The mixing ratio: how much of a token comes from others after attention and residual. */
#include "lens-private.h"
#include "model-private.h"
#include "parts.h"
#include "steps-private.h"

#include "attn/error.h"

#include <math.h>

static double
compute_length (const float *x, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (double)x[i] * (double)x[i];
  return sqrt (sum);
}

/* r_i of every token. The divisor of the norm is the same on both sides, so it falls out. */
static bool
fill_ratios (
    const AttnParts *parts, const float *maps, const float *gain, double *ratios, GError **error)
{
  const size_t D = parts->D;
  g_autofree float *others = attn_parts_try_new_sums (parts, maps, false, error);
  g_autofree float *own =
      others != NULL ? attn_parts_try_new_sums (parts, maps, true, error) : NULL;
  if (own == NULL)
    return false;
  for (size_t t = 0; t < parts->T; t++) {
    const float *x = parts->trace->hiddens[parts->layer] + t * D;
    float *from_others = others + t * D, *from_own = own + t * D;
    for (size_t i = 0; i < D; i++) {
      from_others[i] -= from_own[i];
      from_own[i] += x[i];
    }
    if (gain != NULL) {
      attn_parts_center (from_others, gain, D);
      attn_parts_center (from_own, gain, D);
    }
    const double a = compute_length (from_others, D), b = compute_length (from_own, D);
    ratios[t] = a + b == 0 ? 0 : a / (a + b);
  }
  return true;
}

bool
attn_lens_compute_mixing (
    const AttnTrace *trace, size_t layer, bool normed, double *ratios, GError **error)
{
  g_return_val_if_fail (layer < trace->model->config->n_layers, false);
  const AttnLensReason reason =
      attn_lens_get_model_reason (ATTN_LENS_MIXING, trace->model, trace->n_tokens);
  if (reason != ATTN_LENS_FITS) {
    g_autofree char *why = attn_lens_dup_reason (ATTN_LENS_MIXING, reason);
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED, "the lens %s: %s",
                 attn_lens_peek_name (ATTN_LENS_MIXING), why);
    return false;
  }
  g_auto (AttnParts) parts = {0};
  if (!attn_parts_init (&parts, trace, layer, error))
    return false;
  g_autofree float *maps = attn_parts_try_new_maps (&parts, error);
  const float *gain = normed ? attn_steps_peek_weights (trace, layer)->attn_norm.gain : NULL;
  return maps != NULL && fill_ratios (&parts, maps, gain, ratios, error);
}

/* Rows of lengths to shares: 1 - r_i of the token's own, r_i of the others'. */
static void
share_out (const double *ratios, const float *norms, size_t T, float *weights)
{
  for (size_t query = 0; query < T; query++) {
    const float *row = norms + query * T;
    double sum = 0;
    for (size_t key = 0; key < T; key++)
      sum += key == query ? 0 : (double)row[key];
    for (size_t key = 0; key < T; key++)
      weights[query * T + key] = key == query ? (float)(1 - ratios[query])
                                 : sum == 0   ? 0
                                              : (float)(ratios[query] * (double)row[key] / sum);
  }
}

static bool
compute_layer (void *own G_GNUC_UNUSED,
               AttnMaps *maps,
               size_t layer,
               size_t head G_GNUC_UNUSED,
               float *weights,
               GError **error)
{
  const AttnTrace *trace = attn_maps_peek_trace (maps);
  const float *gain = attn_steps_peek_weights (trace, layer)->attn_norm.gain;
  g_auto (AttnParts) parts = {0};
  if (!attn_parts_init (&parts, trace, layer, error))
    return false;
  g_autofree double *ratios = g_new (double, parts.T);
  g_autofree float *all = attn_parts_try_new_maps (&parts, error);
  g_autofree float *norms =
      all != NULL ? attn_parts_try_new_norms (&parts, all, gain, error) : NULL;
  if (norms == NULL || !fill_ratios (&parts, all, gain, ratios, error))
    return false;
  share_out (ratios, norms, parts.T, weights);
  return true;
}

AttnMaps *
attn_lens_new_mixing (AttnMaps *maps)
{
  static const AttnLensClass klass = {.joint = true, .compute = compute_layer};
  return attn_lens_wrap (maps, &klass, NULL);
}
