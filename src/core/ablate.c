/* SPDX-License-Identifier: MIT */
/* Every head switched off in turn, several in one batch. */
#include "attn/ablate.h"

#include "model-private.h"
#include "trace-private.h"

#include "attn/run.h"

#define MAX_BATCH_BYTES ((size_t)256 << 20) /* of traces that are kept at once */

/* Returns: how many runs of the text may be in memory together. */
static size_t
find_batch (const AttnTrace *clean)
{
  const AttnConfig *config = clean->model->config;
  return CLAMP (MAX_BATCH_BYTES / attn_trace_count_bytes (config, clean->n_tokens), 1,
                config->n_heads);
}

/* Losses of heads [first, first + n) of @layer, switched off one each. */
static bool
ablate_some (AttnTrace *clean,
             const AttnTarget *target,
             const AttnAblation *ablation,
             size_t layer,
             size_t first,
             size_t n,
             double *losses,
             GError **error)
{
  const AttnConfig *config = clean->model->config;
  g_autofree AttnRunInput *inputs = g_new0 (AttnRunInput, n);
  g_autofree AttnTrace **traces = g_new0 (AttnTrace *, n);
  g_autoptr (GPtrArray) gates =
      g_ptr_array_new_with_free_func ((GDestroyNotify)attn_head_gates_free);
  for (size_t i = 0; i < n; i++) {
    AttnHeadGates *own = attn_head_gates_new (config->n_layers, config->n_heads);
    g_ptr_array_add (gates, own);
    attn_head_gates_set (own, layer, first + i, ablation->gate);
    inputs[i] = (AttnRunInput){
        .ids = clean->ids,
        .n_tokens = clean->n_tokens,
        .gates = own,
        .start_from = clean,
        .patterns_from = ablation->frozen ? clean : NULL,
        .patch_from = ablation->patch_from,
    };
  }
  const AttnRunOptions options = {.pool = ablation->pool, .start_layer = layer};
  if (!attn_model_run_batch (clean->model, inputs, n, &options, traces, error))
    return false;
  const bool done = attn_target_compute_losses (target, traces, n, ablation->pool, losses, error);
  for (size_t i = 0; i < n; i++)
    attn_trace_unref (traces[i]);
  return done;
}

bool
attn_ablate_each (AttnTrace *clean,
                  const AttnTarget *target,
                  const AttnAblation *ablation,
                  double *losses,
                  GError **error)
{
  const size_t L = clean->model->config->n_layers, H = clean->model->config->n_heads;
  const size_t n_batch = find_batch (clean);
  for (size_t layer = 0; layer < L; layer++)
    for (size_t first = 0; first < H; first += n_batch) {
      const size_t n = MIN (n_batch, H - first);
      if (!attn_progress_tell (ablation->progress, ablation->progress_data,
                               (double)(layer * H + first) / (double)(L * H), error) ||
          !ablate_some (clean, target, ablation, layer, first, n, losses + layer * H + first,
                        error))
        return false;
    }
  return attn_progress_tell (ablation->progress, ablation->progress_data, 1, error);
}
