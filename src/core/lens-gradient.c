/* SPDX-License-Identifier: MIT */
/* Gradient × attention: what a loss would change by if single weights grew. */
#include "backward.h"
#include "lens-private.h"
#include "maps-private.h"
#include "model-private.h"
#include "trace-private.h"

#include "attn/error.h"
#include "attn/predict.h"

#include <string.h>

typedef struct {
  float *d_heads; /* [n_layers, T, D] dL/d of the heads' outputs, as if their factors were 1 */
} Gradient;

static void
gradient_free (void *own)
{
  Gradient *self = own;
  g_free (self->d_heads);
  g_free (self);
}

/* An output is Σ_j a_ij v_j, so ∂L/∂a_ij = d_i · v_j. */
static bool
compute (void *own, AttnMaps *maps, size_t layer, size_t head, float *weights, GError **error)
{
  const Gradient *self = own;
  const AttnTrace *trace = attn_maps_peek_trace (maps);
  const AttnConfig *config = trace->model->config;
  const size_t T = trace->n_tokens, D = config->d_model, d_k = config->d_k;
  const float *d = self->d_heads + layer * T * D + head * d_k;
  size_t stride;
  const float *v = attn_trace_peek_tap (trace, ATTN_TAP_VALUE, layer, &stride) + head * d_k;
  if (!attn_maps_compute (maps, layer, head, weights, error))
    return false;
  for (size_t query = 0; query < T; query++)
    for (size_t key = 0; key < T; key++) {
      float *weight = weights + query * T + key;
      double sum = 0;
      for (size_t i = 0; *weight != 0 && i < d_k; i++)
        sum += (double)d[query * D + i] * (double)v[key * stride + i];
      *weight = (float)((double)*weight * sum);
    }
  return true;
}

/* Tokens that have a label where nobody says, and labels of those that are not masked. */
static AttnTarget *
new_plain_target (const AttnTrace *trace, GError **error)
{
  const AttnTokens *tokens = trace->tokens;
  g_autofree size_t *positions = g_new (size_t, trace->n_tokens);
  g_autofree int32_t *labels = g_new (int32_t, trace->n_tokens);
  size_t n = 0;
  for (size_t t = 0; t < trace->n_tokens; t++)
    if (tokens == NULL || !attn_tokens_peek (tokens, t)->special) {
      positions[n] = t;
      labels[n++] = trace->ids[t];
    }
  return attn_target_new_labels (trace, positions, labels, n, error);
}

AttnTarget *
attn_lens_new_target (AttnTrace *trace, AttnPool *pool, GError **error)
{
  if (trace->model->arch->causal)
    return attn_target_new_next (trace, error);
  g_autoptr (AttnPredictions) best = attn_trace_predict (trace, 1, pool, error);
  if (best == NULL)
    return NULL;
  if (best->n == 0)
    return new_plain_target (trace, error);
  g_autofree size_t *positions = g_new (size_t, best->n);
  g_autofree int32_t *labels = g_new (int32_t, best->n);
  for (size_t i = 0; i < best->n; i++) {
    positions[i] = best->items[i].position;
    labels[i] = best->items[i].guesses[0].id;
  }
  return attn_target_new_labels (trace, positions, labels, best->n, error);
}

static float *
try_new_d_heads (const AttnTrace *trace, GError **error)
{
  const AttnConfig *config = trace->model->config;
  size_t n = 0;
  float *values = NULL;
  if (g_size_checked_mul (&n, trace->n_tokens, config->d_model) &&
      g_size_checked_mul (&n, n, config->n_layers))
    values = g_try_new (float, n);
  if (values == NULL)
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "gradients: no memory for %zu layers of %zu × %zu numbers", config->n_layers,
                 trace->n_tokens, config->d_model);
  return values;
}

AttnMaps *
attn_lens_new_gradient (AttnMaps *maps, const AttnLensOptions *options, GError **error)
{
  static const AttnLensClass klass = {.compute = compute, .free = gradient_free};
  AttnTrace *trace = attn_maps_peek_trace (maps);
  const AttnConfig *config = trace->model->config;
  g_autoptr (AttnTarget) own =
      options->target == NULL ? attn_lens_new_target (trace, options->pool, error) : NULL;
  const AttnTarget *target = options->target != NULL ? options->target : own;
  g_autofree float *d_heads = target != NULL ? try_new_d_heads (trace, error) : NULL;
  if (d_heads == NULL)
    return NULL;
  g_autofree double *gradients = g_new (double, config->n_layers * config->n_heads);
  const AttnBackwardOptions pass = {
      .pool = options->pool,
      .progress = options->progress,
      .progress_data = options->progress_data,
      .share = 1,
      .d_heads = d_heads,
  };
  if (!attn_backward (trace, target, &pass, gradients, error) ||
      !attn_progress_tell (options->progress, options->progress_data, 1, error))
    return NULL;
  Gradient *self = g_new (Gradient, 1);
  self->d_heads = g_steal_pointer (&d_heads);
  return attn_lens_wrap (maps, &klass, self);
}
