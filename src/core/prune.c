/* SPDX-License-Identifier: MIT */
/* Pruning curves: which heads go first, and runs without them. */
#include "attn/prune.h"

#include "model-private.h"
#include "trace-private.h"

#include "attn/run.h"

#include <math.h>

#define MAX_BATCH_BYTES ((size_t)128 << 20) /* of traces that are kept at once */

size_t
attn_prune_get_step (size_t n_heads)
{
  return MAX ((size_t)nearbyint (ATTN_PRUNE_SHARE * (double)n_heads), 1);
}

size_t
attn_prune_count_points (size_t n_heads)
{
  const size_t step = attn_prune_get_step (n_heads);
  return 1 + (n_heads + step - 1) / step;
}

size_t
attn_prune_get_removed (size_t n_heads, size_t point)
{
  return MIN (point * attn_prune_get_step (n_heads), n_heads);
}

static int
compare_scores (const void *a, const void *b, void *data)
{
  const size_t first = *(const size_t *)a, second = *(const size_t *)b;
  const double *scores = data;
  const double x = scores[first], y = scores[second];
  if (isnan (x) != isnan (y))
    return isnan (x) ? 1 : -1;
  if (x != y && !isnan (x))
    return x < y ? -1 : 1;
  return (first > second) - (first < second);
}

static size_t *
list_heads (size_t n_heads)
{
  size_t *order = g_new (size_t, MAX (n_heads, 1));
  for (size_t i = 0; i < n_heads; i++)
    order[i] = i;
  return order;
}

size_t *
attn_prune_order_by_score (const double *scores, size_t n_heads)
{
  size_t *order = list_heads (n_heads);
  g_autofree double *copy = g_memdup2 (scores, n_heads * sizeof *scores);
  qsort_r (order, n_heads, sizeof *order, compare_scores, copy);
  return order;
}

size_t *
attn_prune_order_at_random (size_t n_heads, uint32_t seed)
{
  size_t *order = list_heads (n_heads);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  for (size_t i = 0; i + 1 < n_heads; i++) {
    const size_t other = i + (size_t)g_rand_int_range (random, 0, (gint32)(n_heads - i));
    const size_t swapped = order[i];
    order[i] = order[other];
    order[other] = swapped;
  }
  return order;
}

AttnHeadGates *
attn_prune_make_gates (const size_t *order, size_t n_removed, size_t n_layers, size_t n_heads)
{
  AttnHeadGates *gates = attn_head_gates_new (n_layers, n_heads);
  for (size_t i = 0; i < n_removed; i++)
    attn_head_gates_set (gates, order[i] / n_heads, order[i] % n_heads, ATTN_GATE_ZERO);
  return gates;
}

/* Returns: how many runs of the text may be in memory together. */
static size_t
find_batch (const AttnTrace *clean)
{
  return MAX (MAX_BATCH_BYTES / attn_trace_count_bytes (clean->model->config, clean->n_tokens), 1);
}

/* Adds one draw's share to the scores of @n gates. */
static bool
score_some (const AttnTask *task,
            size_t draw,
            AttnHeadGates *const *gates,
            size_t n,
            AttnPool *pool,
            AttnScore *scores,
            GError **error)
{
  g_autofree AttnRunInput *inputs = g_new0 (AttnRunInput, n);
  g_autofree AttnTrace **traces = g_new0 (AttnTrace *, n);
  g_autofree AttnScore *own = g_new (AttnScore, n);
  for (size_t i = 0; i < n; i++)
    inputs[i] = (AttnRunInput){.tokens = task->texts[draw], .gates = gates[i]};
  const AttnRunOptions options = {.pool = pool};
  if (!attn_model_run_batch (task->clean->model, inputs, n, &options, traces, error))
    return false;
  const bool done = attn_target_compute_scores (task->targets[draw], traces, n, pool, own, error);
  for (size_t i = 0; i < n; i++) {
    attn_trace_unref (traces[i]);
    if (!done)
      continue;
    scores[i].loss += own[i].loss / (double)task->n_draws;
    scores[i].accuracy += own[i].accuracy / (double)task->n_draws;
  }
  return done;
}

bool
attn_prune_score (const AttnTask *task,
                  AttnHeadGates *const *gates,
                  size_t n,
                  const AttnPruneOptions *options,
                  AttnScore *scores,
                  GError **error)
{
  const double n_all = (double)(task->n_draws * MAX (n, 1));
  for (size_t i = 0; i < n; i++)
    scores[i] = (AttnScore){0};
  for (size_t draw = 0; draw < task->n_draws; draw++) {
    const size_t n_batch = find_batch (task->clean);
    for (size_t first = 0; first < n; first += n_batch)
      if (!attn_progress_tell (options->progress, options->progress_data,
                               (double)(draw * n + first) / n_all, error) ||
          !score_some (task, draw, gates + first, MIN (n_batch, n - first), options->pool,
                       scores + first, error))
        return false;
  }
  return attn_progress_tell (options->progress, options->progress_data, 1, error);
}

bool
attn_prune_compute_curve (const AttnTask *task,
                          const size_t *order,
                          const AttnPruneOptions *options,
                          AttnScore *scores,
                          GError **error)
{
  const AttnConfig *config = task->clean->model->config;
  const size_t n_heads = config->n_layers * config->n_heads;
  const size_t n = attn_prune_count_points (n_heads);
  g_autoptr (GPtrArray) gates =
      g_ptr_array_new_with_free_func ((GDestroyNotify)attn_head_gates_free);
  for (size_t i = 0; i < n; i++)
    g_ptr_array_add (gates, attn_prune_make_gates (order, attn_prune_get_removed (n_heads, i),
                                                   config->n_layers, config->n_heads));
  return attn_prune_score (task, (AttnHeadGates *const *)gates->pdata, n, options, scores, error);
}

bool
attn_prune_compute_layers (const AttnTask *task,
                           const AttnPruneOptions *options,
                           AttnScore *scores,
                           GError **error)
{
  const AttnConfig *config = task->clean->model->config;
  const size_t L = config->n_layers, H = config->n_heads;
  g_autofree size_t *order = list_heads (L * H);
  g_autoptr (GPtrArray) gates =
      g_ptr_array_new_with_free_func ((GDestroyNotify)attn_head_gates_free);
  for (size_t layer = 0; layer < L; layer++)
    g_ptr_array_add (gates, attn_prune_make_gates (order + layer * H, H, L, H));
  return attn_prune_score (task, (AttnHeadGates *const *)gates->pdata, L, options, scores, error);
}

size_t
attn_prune_find_fall (const double *quality, size_t n)
{
  for (size_t i = 1; i < n; i++)
    if (quality[i] < ATTN_PRUNE_FALL * quality[0])
      return i;
  return n;
}
