/* SPDX-License-Identifier: MIT */
/* headscope-cli importance: how much the loss hangs on each head, by one backward pass a draw. */
#include "cli.h"
#include "elsewhere.h"
#include "subject.h"
#include "task.h"

#include "attn/importance.h"
#include "attn/prune.h"

#include <math.h>

static void
append_value (GString *json, const char *key, double value)
{
  g_string_append_printf (json, ",\"%s\":", key);
  cli_append_number (json, value);
}

/* @effects: (nullable): what each head's removal adds to the loss. */
static void
append_heads (GString *json, const AttnImportance *importance, const double *effects)
{
  const size_t H = importance->n_heads;
  g_string_append (json, ",\"heads\":[");
  for (size_t i = 0; i < importance->n_layers * H; i++) {
    g_string_append_printf (json, "%s{\"layer\":%zu,\"head\":%zu", i > 0 ? "," : "", i / H + 1,
                            i % H + 1);
    append_value (json, "gradient", importance->gradient[i]);
    append_value (json, "importance", importance->importance[i]);
    append_value (json, "importance_l2", importance->importance_l2[i]);
    if (effects != NULL)
      append_value (json, "ablation_effect", effects[i]);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

/* Returns: (transfer full): what each head's removal adds to the loss, or NULL with @error. */
static double *
ablate (const AttnTask *task, size_t n_heads, AttnPool *pool, GError **error)
{
  g_autofree double *effects = g_new (double, n_heads);
  const AttnAblation ablation = {.gate = ATTN_GATE_ZERO, .pool = pool};
  if (!attn_task_ablate_each (task, &ablation, effects, error))
    return NULL;
  for (size_t i = 0; i < n_heads; i++)
    effects[i] -= task->loss;
  return g_steal_pointer (&effects);
}

/* A forecast without a sign is also held against the size of the effect alone. */
static void
append_agreement (GString *json, const AttnImportance *importance, const double *effects)
{
  const size_t n = importance->n_layers * importance->n_heads;
  g_autofree double *sizes = g_new (double, n);
  for (size_t i = 0; i < n; i++)
    sizes[i] = fabs (effects[i]);
  append_value (json, "rank_correlation",
                attn_rank_correlation (importance->importance, effects, n));
  append_value (json, "rank_correlation_size",
                attn_rank_correlation (importance->importance, sizes, n));
}

bool
cli_importance (const CliOptions *options, GError **error)
{
  if (!cli_arrays_refuse (options, "importance", error))
    return false;
  g_auto (CliSubject) subject = {0};
  g_autoptr (AttnTask) task = cli_task_new (options, &subject, error);
  if (task == NULL)
    return false;
  const AttnImportanceOptions asked = {.pool = subject.pool};
  g_autoptr (AttnImportance) importance = attn_importance_new (task, &asked, error);
  if (importance == NULL)
    return false;
  g_autofree double *effects = NULL;
  if (options->with_ablation) {
    effects = ablate (task, importance->n_layers * importance->n_heads, subject.pool, error);
    if (effects == NULL)
      return false;
  }
  g_autoptr (GString) json = g_string_new (NULL);
  cli_task_append (json, task);
  if (effects != NULL)
    append_agreement (json, importance, effects);
  append_heads (json, importance, effects);
  g_string_append (json, "}\n");
  return cli_answer (options, json, error);
}
