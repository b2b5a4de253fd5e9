/* SPDX-License-Identifier: MIT */
/* headscope-cli prune-curve: loss and accuracy while heads are removed, a tenth at a time. */
#include "cli.h"
#include "elsewhere.h"
#include "prune-answer.h"
#include "subject.h"
#include "task.h"

#include "attn/importance.h"

#include <string.h>

#define ORDERS_WANTED "wanted are some of importance, ablation and random, as importance,random"
#define N_SEEDS 3 /* of random orders, without --seeds */

/* Adds curves to be drawn, as --order names them; each random one has a seed. */
static bool
read_orders (const CliOptions *options, CliPrune *prune, GError **error)
{
  const char *wanted = options->order != NULL ? options->order : "ablation";
  g_auto (GStrv) names = g_strsplit (wanted, ",", -1);
  bool seen[CLI_N_PRUNE_ORDERS] = {false};
  for (char **name = names; *name != NULL; name++) {
    const CliPruneOrder order = cli_prune_find_order (*name);
    if (order == CLI_N_PRUNE_ORDERS || seen[order])
      return cli_usage_value (error, "--order", wanted, ORDERS_WANTED);
    seen[order] = true;
    const size_t n_seeds = options->n_seeds > 0 ? options->n_seeds : N_SEEDS;
    for (size_t i = 0; i < (order == CLI_PRUNE_RANDOM ? n_seeds : 1); i++) {
      const CliCurve curve = {.order = order, .seed = cli_task_get_seed (options) + (uint32_t)i};
      g_array_append_val (prune->curves, curve);
    }
  }
  if (options->n_seeds > 0 && !seen[CLI_PRUNE_RANDOM])
    return cli_usage (error, "--seeds needs --order random");
  prune->asks_importance = seen[CLI_PRUNE_IMPORTANCE];
  prune->asks_ablation = seen[CLI_PRUNE_ABLATION];
  return true;
}

static bool
add_importance (CliPrune *prune, const AttnTask *task, size_t n_texts, GError **error)
{
  const AttnImportanceOptions asked = {.pool = prune->subject.pool};
  g_autoptr (AttnImportance) importance = attn_importance_new (task, &asked, error);
  if (importance == NULL)
    return false;
  for (size_t i = 0; i < prune->n_heads; i++)
    prune->importance[i] += importance->importance[i] / (double)n_texts;
  return true;
}

static bool
add_ablation (CliPrune *prune, const AttnTask *task, size_t n_texts, GError **error)
{
  const AttnAblation ablation = {.gate = ATTN_GATE_ZERO, .pool = prune->subject.pool};
  g_autofree double *losses = g_new (double, prune->n_heads);
  if (!attn_task_ablate_each (task, &ablation, losses, error))
    return false;
  for (size_t i = 0; i < prune->n_heads; i++)
    prune->effects[i] += (losses[i] - task->loss) / (double)n_texts;
  return true;
}

/* What orders go by: means over all texts. */
static bool
measure_heads (CliPrune *prune, const CliOptions *options, const GPtrArray *texts, GError **error)
{
  for (guint i = 0; i < texts->len && (prune->asks_importance || prune->asks_ablation); i++) {
    g_autoptr (AttnTask) task =
        cli_task_new_of (options, &prune->subject, g_ptr_array_index (texts, i), error);
    if (task == NULL ||
        (prune->asks_importance && !add_importance (prune, task, texts->len, error)) ||
        (prune->asks_ablation && !add_ablation (prune, task, texts->len, error)))
      return false;
  }
  return true;
}

static void
make_orders (CliPrune *prune)
{
  const AttnConfig *config = attn_model_peek_config (prune->subject.model);
  g_autofree double *shares = g_new (double, prune->n_heads);
  attn_importance_normalise (prune->importance, config->n_layers, config->n_heads, shares);
  for (guint i = 0; i < prune->curves->len; i++) {
    CliCurve *curve = &g_array_index (prune->curves, CliCurve, i);
    curve->heads =
        curve->order == CLI_PRUNE_RANDOM
            ? attn_prune_order_at_random (prune->n_heads, curve->seed)
            : attn_prune_order_by_score (
                  curve->order == CLI_PRUNE_IMPORTANCE ? shares : prune->effects, prune->n_heads);
    curve->scores = g_new0 (AttnScore, prune->n_points);
  }
}

static void
add_scores (AttnScore *sums, const AttnScore *scores, size_t n, size_t n_texts)
{
  for (size_t i = 0; i < n; i++) {
    sums[i].loss += scores[i].loss / (double)n_texts;
    sums[i].accuracy += scores[i].accuracy / (double)n_texts;
  }
}

static bool
add_curves (CliPrune *prune, const AttnTask *task, size_t n_texts, GError **error)
{
  const AttnPruneOptions asked = {.pool = prune->subject.pool};
  const size_t n = MAX (prune->n_points, prune->n_layers);
  g_autofree AttnScore *scores = g_new (AttnScore, n);
  for (guint i = 0; i < prune->curves->len; i++) {
    CliCurve *curve = &g_array_index (prune->curves, CliCurve, i);
    if (!attn_prune_compute_curve (task, curve->heads, &asked, scores, error))
      return false;
    add_scores (curve->scores, scores, prune->n_points, n_texts);
  }
  if (!attn_prune_compute_layers (task, &asked, scores, error))
    return false;
  add_scores (prune->layers, scores, prune->n_layers, n_texts);
  return true;
}

static bool
draw_curves (CliPrune *prune, const CliOptions *options, const GPtrArray *texts, GError **error)
{
  for (guint i = 0; i < texts->len; i++) {
    g_autoptr (AttnTask) task =
        cli_task_new_of (options, &prune->subject, g_ptr_array_index (texts, i), error);
    if (task == NULL || !add_curves (prune, task, texts->len, error))
      return false;
    prune->mixes_kinds |= i > 0 && task->kind != prune->kind;
    prune->kind = task->kind;
    prune->n_draws = MAX (prune->n_draws, task->n_draws);
  }
  prune->n_texts = texts->len;
  return true;
}

static void
prepare (CliPrune *prune)
{
  const AttnConfig *config = attn_model_peek_config (prune->subject.model);
  prune->n_layers = config->n_layers;
  prune->n_heads = config->n_layers * config->n_heads;
  prune->n_points = attn_prune_count_points (prune->n_heads);
  prune->importance = g_new0 (double, prune->n_heads);
  prune->effects = g_new0 (double, prune->n_heads);
  prune->layers = g_new0 (AttnScore, prune->n_layers);
}

bool
cli_prune_curve (const CliOptions *options, GError **error)
{
  const bool csv = g_strcmp0 (options->format, "csv") == 0;
  if (options->format != NULL && !csv && strcmp (options->format, "json") != 0)
    return cli_usage_value (error, "--format", options->format, "known are json and csv");
  if (!cli_arrays_refuse (options, "pruning", error))
    return false;
  g_auto (CliPrune) prune = {.curves = cli_prune_new_curves ()};
  if (!read_orders (options, &prune, error))
    return false;
  g_autoptr (GPtrArray) texts = cli_texts_read (options, error);
  if (texts == NULL || !cli_subject_init (&prune.subject, options, error))
    return false;
  prepare (&prune);
  if (!measure_heads (&prune, options, texts, error))
    return false;
  make_orders (&prune);
  if (!draw_curves (&prune, options, texts, error))
    return false;
  g_autoptr (GString) text = g_string_new (NULL);
  (csv ? cli_prune_append_csv : cli_prune_append_json) (text, &prune);
  return cli_answer (options, text, error);
}
