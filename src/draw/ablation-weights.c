/* SPDX-License-Identifier: MIT */
/* One head's weights with all heads on and with some off, computed once. */
#include "ablation-private.h"

#include "attn/trace.h"

#include <math.h>

AttnDrawAblationWeights *
attn_draw_ablation_weights_new (AttnTrace *clean, AttnTrace *off, size_t layer, size_t head)
{
  const size_t T = attn_trace_get_n_tokens (clean), n = T * T;
  if (attn_trace_get_n_tokens (off) != T || n / T != T || n > G_MAXSIZE / (3 * sizeof (float)))
    return NULL;
  float *block = g_try_new (float, 3 * n);
  if (block == NULL)
    return NULL;
  AttnDrawAblationWeights *weights = g_atomic_rc_box_new0 (AttnDrawAblationWeights);
  *weights = (AttnDrawAblationWeights){attn_trace_ref (clean),
                                       attn_trace_ref (off),
                                       layer,
                                       head,
                                       T,
                                       {block, block + n, block + 2 * n},
                                       0,
                                       0};
  attn_trace_compute_map (clean, layer, head, block);
  attn_trace_compute_map (off, layer, head, block + n);
  for (size_t i = 0; i < n; i++) {
    const float before = block[i], after = block[n + i];
    block[2 * n + i] = before - after;
    weights->most = fmax (weights->most, fmax ((double)before, (double)after));
    weights->change = fmax (weights->change, fabs ((double)block[2 * n + i]));
  }
  return weights;
}

static void
clear (gpointer data)
{
  AttnDrawAblationWeights *weights = data;
  attn_trace_unref (weights->clean);
  attn_trace_unref (weights->off);
  g_free (weights->values[0]);
}

AttnDrawAblationWeights *
attn_draw_ablation_weights_ref (AttnDrawAblationWeights *weights)
{
  return g_atomic_rc_box_acquire (weights);
}

void
attn_draw_ablation_weights_unref (AttnDrawAblationWeights *weights)
{
  if (weights != NULL)
    g_atomic_rc_box_release_full (weights, clear);
}

bool
attn_draw_ablation_weights_are_of (const AttnDrawAblationWeights *weights,
                                   const AttnTrace *clean,
                                   const AttnTrace *off,
                                   size_t layer,
                                   size_t head)
{
  return weights->clean == clean && weights->off == off && weights->layer == layer &&
         weights->head == head;
}

double
attn_draw_ablation_weights_get (const AttnDrawAblationWeights *weights,
                                size_t which,
                                size_t query,
                                size_t key)
{
  if (which >= 3 || query >= weights->T || key >= weights->T)
    return (double)NAN;
  return (double)weights->values[which][query * weights->T + key];
}
