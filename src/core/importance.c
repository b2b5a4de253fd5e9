/* SPDX-License-Identifier: MIT */
/* Importance of heads: gradients of a task's draws, put together. */
#include "attn/importance.h"

#include "backward.h"
#include "model-private.h"
#include "trace-private.h"

#include "attn/error.h"

#include <math.h>

/* Whether the task has a loss with a gradient. The vector's has none: it is compared with itself,
 * and nothing is nearer. */
static bool
check (const AttnTask *task, GError **error)
{
  if (!attn_backward_check (task->clean, error))
    return false;
  if (task->kind != ATTN_TASK_VECTOR)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
               "importance by gradients needs a language-model head: without words to guess, the "
               "loss is how far the sentence's vector moves, and at the clean run that has no "
               "gradient");
  return false;
}

void
attn_importance_normalise (const double *importance,
                           size_t n_layers,
                           size_t n_heads,
                           double *importance_l2)
{
  for (size_t layer = 0; layer < n_layers; layer++) {
    const double *of_layer = importance + layer * n_heads;
    double squares = 0;
    for (size_t head = 0; head < n_heads; head++)
      squares += of_layer[head] * of_layer[head];
    for (size_t head = 0; head < n_heads; head++)
      importance_l2[layer * n_heads + head] = squares == 0 ? 0 : of_layer[head] / sqrt (squares);
  }
}

AttnImportance *
attn_importance_new (const AttnTask *task, const AttnImportanceOptions *options, GError **error)
{
  if (!check (task, error))
    return NULL;
  const AttnConfig *config = task->clean->model->config;
  const size_t n = config->n_layers * config->n_heads;
  g_autoptr (AttnImportance) importance = g_new0 (AttnImportance, 1);
  g_autofree double *own = g_new (double, n);
  importance->n_layers = config->n_layers;
  importance->n_heads = config->n_heads;
  importance->gradient = g_new0 (double, n);
  importance->importance = g_new0 (double, n);
  importance->importance_l2 = g_new0 (double, n);
  for (size_t draw = 0; draw < task->n_draws; draw++) {
    const AttnBackwardOptions pass = {
        .pool = options->pool,
        .progress = options->progress,
        .progress_data = options->progress_data,
        .start = (double)draw / (double)task->n_draws,
        .share = 1 / (double)task->n_draws,
    };
    g_autoptr (AttnTrace) clean = attn_task_run_clean (task, draw, options->pool, error);
    if (clean == NULL || !attn_backward (clean, task->targets[draw], &pass, own, error))
      return NULL;
    for (size_t i = 0; i < n; i++) {
      importance->gradient[i] += own[i] / (double)task->n_draws;
      importance->importance[i] += fabs (own[i]) / (double)task->n_draws;
    }
  }
  attn_importance_normalise (importance->importance, config->n_layers, config->n_heads,
                             importance->importance_l2);
  if (!attn_progress_tell (options->progress, options->progress_data, 1, error))
    return NULL;
  return g_steal_pointer (&importance);
}

void
attn_importance_free (AttnImportance *importance)
{
  if (importance == NULL)
    return;
  g_free (importance->gradient);
  g_free (importance->importance);
  g_free (importance->importance_l2);
  g_free (importance);
}
