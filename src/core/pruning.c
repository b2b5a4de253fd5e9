/* SPDX-License-Identifier: MIT */
/* Pruning curves of several texts: what orders go by, then the way along each of them. */
#include "attn/pruning.h"

#include "model-private.h"
#include "trace-private.h"

#include "attn/ablate.h"
#include "attn/importance.h"
#include "attn/names.h"

#include <math.h>

#define IMPORTANCE_RUNS 4.0 /* a pass back costs about as much as so many runs */

static const char *const names[ATTN_N_PRUNE_ORDERS] = {
    [ATTN_PRUNE_BY_IMPORTANCE] = "importance",
    [ATTN_PRUNE_BY_ABLATION] = "ablation",
    [ATTN_PRUNE_AT_RANDOM] = "random",
};

const char *
attn_prune_order_peek_name (AttnPruneOrder order)
{
  g_return_val_if_fail (order < ATTN_N_PRUNE_ORDERS, NULL);
  return names[order];
}

AttnPruneOrder
attn_prune_order_find (const char *name)
{
  return attn_name_find (name, names, ATTN_N_PRUNE_ORDERS);
}

/* ---- progress ---- */

/* A pruning in the making; lengths of its steps are in runs of a text. */
typedef struct {
  AttnPruning *pruning;
  const AttnPruneOptions *options;
  double all, done, step;
} Making;

static bool
tell_cb (double fraction, void *data)
{
  const Making *making = data;
  return making->options->progress == NULL ||
         making->options->progress ((making->done + fraction * making->step) / making->all,
                                    making->options->progress_data);
}

static void
begin_step (Making *making, double n_runs)
{
  making->done += making->step;
  making->step = n_runs;
}

static double
count_runs (const AttnPruning *pruning)
{
  const double heads = (double)pruning->n_heads, curves = (double)pruning->n_curves;
  const double of_text = (pruning->importance != NULL ? IMPORTANCE_RUNS : 0) +
                         (pruning->effects != NULL ? heads : 0) +
                         curves * (double)pruning->n_points + (double)pruning->n_layers;
  return of_text * (double)pruning->n_texts;
}

/* ---- what orders go by ---- */

static bool
add_importance (Making *making, const AttnTask *task, GError **error)
{
  AttnPruning *pruning = making->pruning;
  const AttnImportanceOptions options = {making->options->pool, tell_cb, making};
  begin_step (making, IMPORTANCE_RUNS);
  g_autoptr (AttnImportance) importance = attn_importance_new (task, &options, error);
  if (importance == NULL)
    return false;
  for (size_t i = 0; i < pruning->n_heads; i++)
    pruning->importance[i] += importance->importance[i] / (double)pruning->n_texts;
  return true;
}

static bool
add_effects (Making *making, const AttnTask *task, GError **error)
{
  AttnPruning *pruning = making->pruning;
  const AttnAblation ablation = {.gate = ATTN_GATE_ZERO,
                                 .pool = making->options->pool,
                                 .progress = tell_cb,
                                 .progress_data = making};
  g_autofree double *losses = g_new (double, pruning->n_heads);
  begin_step (making, (double)pruning->n_heads);
  if (!attn_task_ablate_each (task, &ablation, losses, error))
    return false;
  for (size_t i = 0; i < pruning->n_heads; i++)
    pruning->effects[i] += (losses[i] - task->loss) / (double)pruning->n_texts;
  return true;
}

static bool
measure_heads (Making *making, AttnPruningFunc get, void *data, GError **error)
{
  const AttnPruning *pruning = making->pruning;
  for (size_t i = 0; i < pruning->n_texts; i++) {
    if (pruning->importance == NULL && pruning->effects == NULL)
      return true;
    const AttnTask *task = get (i, data, error);
    if (task == NULL || (pruning->importance != NULL && !add_importance (making, task, error)) ||
        (pruning->effects != NULL && !add_effects (making, task, error)))
      return false;
  }
  return true;
}

static void
make_orders (AttnPruning *pruning)
{
  const size_t n_heads = pruning->n_heads;
  g_autofree double *shares = g_new0 (double, n_heads);
  if (pruning->importance != NULL)
    attn_importance_normalise (pruning->importance, pruning->n_layers, n_heads / pruning->n_layers,
                               shares);
  for (size_t i = 0; i < pruning->n_curves; i++) {
    AttnPruneCurve *curve = &pruning->curves[i];
    if (curve->order == ATTN_PRUNE_AT_RANDOM)
      curve->heads = attn_prune_order_at_random (n_heads, curve->seed);
    else
      curve->heads = attn_prune_order_by_score (
          curve->order == ATTN_PRUNE_BY_IMPORTANCE ? shares : pruning->effects, n_heads);
    curve->scores = g_new0 (AttnScore, pruning->n_points);
  }
}

/* ---- the curves ---- */

static void
add_scores (AttnScore *sums, const AttnScore *scores, size_t n, size_t n_texts)
{
  for (size_t i = 0; i < n; i++) {
    sums[i].loss += scores[i].loss / (double)n_texts;
    sums[i].accuracy += scores[i].accuracy / (double)n_texts;
  }
}

static bool
add_curves (Making *making, const AttnTask *task, GError **error)
{
  AttnPruning *pruning = making->pruning;
  const AttnPruneOptions options = {making->options->pool, tell_cb, making};
  g_autofree AttnScore *scores = g_new (AttnScore, MAX (pruning->n_points, pruning->n_layers));
  for (size_t i = 0; i < pruning->n_curves; i++) {
    begin_step (making, (double)pruning->n_points);
    if (!attn_prune_compute_curve (task, pruning->curves[i].heads, &options, scores, error))
      return false;
    add_scores (pruning->curves[i].scores, scores, pruning->n_points, pruning->n_texts);
  }
  begin_step (making, (double)pruning->n_layers);
  if (!attn_prune_compute_layers (task, &options, scores, error))
    return false;
  add_scores (pruning->layers, scores, pruning->n_layers, pruning->n_texts);
  return true;
}

static bool
draw_curves (Making *making, AttnPruningFunc get, void *data, GError **error)
{
  AttnPruning *pruning = making->pruning;
  for (size_t i = 0; i < pruning->n_texts; i++) {
    const AttnTask *task = get (i, data, error);
    if (task == NULL || !add_curves (making, task, error))
      return false;
    pruning->mixes_kinds |= i > 0 && task->kind != pruning->kind;
    pruning->kind = task->kind;
    pruning->n_draws = MAX (pruning->n_draws, task->n_draws);
  }
  return true;
}

/* ---- the whole ---- */

AttnPruningAsked
attn_pruning_ask_all (const AttnModel *model, uint32_t seed)
{
  const bool has_importance = attn_model_has_lm_head (model) &&
                              !g_str_has_prefix (attn_model_peek_config (model)->family, "deberta");
  AttnPruningAsked asked = {.n_seeds = ATTN_PRUNE_SEEDS, .seed = seed};
  if (has_importance)
    asked.orders[asked.n_orders++] = ATTN_PRUNE_BY_IMPORTANCE;
  asked.orders[asked.n_orders++] = ATTN_PRUNE_BY_ABLATION;
  asked.orders[asked.n_orders++] = ATTN_PRUNE_AT_RANDOM;
  return asked;
}

static void
add_order (AttnPruning *pruning, const AttnPruningAsked *asked, AttnPruneOrder order)
{
  const size_t n_seeds = asked->n_seeds > 0 ? asked->n_seeds : ATTN_PRUNE_SEEDS;
  const size_t n = order == ATTN_PRUNE_AT_RANDOM ? n_seeds : 1;
  for (size_t i = 0; i < n; i++)
    pruning->curves[pruning->n_curves++] =
        (AttnPruneCurve){.order = order, .seed = asked->seed + (uint32_t)i};
  if (order == ATTN_PRUNE_BY_IMPORTANCE)
    pruning->importance = g_new0 (double, pruning->n_heads);
  else if (order == ATTN_PRUNE_BY_ABLATION)
    pruning->effects = g_new0 (double, pruning->n_heads);
}

static AttnPruning *
make_empty (const AttnPruningAsked *asked, const AttnConfig *config, size_t n_texts)
{
  const size_t n_seeds = asked->n_seeds > 0 ? asked->n_seeds : ATTN_PRUNE_SEEDS;
  AttnPruning *pruning = g_atomic_rc_box_new0 (AttnPruning);
  pruning->n_layers = config->n_layers;
  pruning->n_heads = config->n_layers * config->n_heads;
  pruning->n_points = attn_prune_count_points (pruning->n_heads);
  pruning->n_texts = n_texts;
  pruning->layers = g_new0 (AttnScore, pruning->n_layers);
  pruning->curves = g_new0 (AttnPruneCurve, asked->n_orders + n_seeds);
  for (size_t i = 0; i < asked->n_orders; i++)
    add_order (pruning, asked, asked->orders[i]);
  return pruning;
}

AttnPruning *
attn_pruning_new (const AttnPruningAsked *asked,
                  size_t n_texts,
                  AttnPruningFunc get,
                  void *data,
                  const AttnPruneOptions *options,
                  GError **error)
{
  g_return_val_if_fail (n_texts > 0 && asked->n_orders > 0 &&
                            asked->n_orders <= ATTN_N_PRUNE_ORDERS &&
                            asked->n_seeds <= ATTN_PRUNE_MAX_SEEDS,
                        NULL);
  const AttnTask *first = get (0, data, error);
  if (first == NULL)
    return NULL;
  g_autoptr (AttnPruning) pruning = make_empty (asked, first->clean->model->config, n_texts);
  Making making = {.pruning = pruning, .options = options, .all = count_runs (pruning)};
  if (!measure_heads (&making, get, data, error))
    return NULL;
  make_orders (pruning);
  return draw_curves (&making, get, data, error) ? g_steal_pointer (&pruning) : NULL;
}

static void
clear (gpointer data)
{
  AttnPruning *pruning = data;
  for (size_t i = 0; i < pruning->n_curves; i++) {
    g_free (pruning->curves[i].heads);
    g_free (pruning->curves[i].scores);
  }
  g_free (pruning->curves);
  g_free (pruning->importance);
  g_free (pruning->effects);
  g_free (pruning->layers);
}

AttnPruning *
attn_pruning_ref (AttnPruning *pruning)
{
  return g_atomic_rc_box_acquire (pruning);
}

void
attn_pruning_unref (AttnPruning *pruning)
{
  if (pruning != NULL)
    g_atomic_rc_box_release_full (pruning, clear);
}

/* ---- what is read from it ---- */

/* What more is better of: the accuracy, or of a vector the cosine. */
static double
get_quality (const AttnPruning *pruning, const AttnScore *score, bool by_likelihood)
{
  if (by_likelihood)
    return exp (-score->loss);
  return pruning->kind == ATTN_TASK_VECTOR ? 1 - score->loss : score->accuracy;
}

size_t
attn_pruning_find_fall (const AttnPruning *pruning, size_t curve, bool by_likelihood)
{
  g_autofree double *quality = g_new (double, pruning->n_points);
  for (size_t i = 0; i < pruning->n_points; i++)
    quality[i] = get_quality (pruning, &pruning->curves[curve].scores[i], by_likelihood);
  return attn_prune_find_fall (quality, pruning->n_points);
}

double
attn_pruning_get_layer (const AttnPruning *pruning, size_t layer, double *least, double *largest)
{
  const size_t H = pruning->n_heads / pruning->n_layers;
  double sum = 0;
  *least = *largest = (double)NAN;
  if (pruning->effects == NULL)
    return (double)NAN;
  for (size_t head = 0; head < H; head++) {
    const double effect = pruning->effects[layer * H + head];
    sum += effect;
    *least = fmin (*least, effect); /* the number, where the other one is none */
    *largest = fmax (*largest, effect);
  }
  return sum / (double)H;
}

double
attn_pruning_correlate (const AttnPruning *pruning, bool with_sizes)
{
  if (pruning->importance == NULL || pruning->effects == NULL)
    return (double)NAN;
  g_autofree double *effects = g_new (double, pruning->n_heads);
  for (size_t i = 0; i < pruning->n_heads; i++)
    effects[i] = with_sizes ? fabs (pruning->effects[i]) : pruning->effects[i];
  return attn_rank_correlation (pruning->importance, effects, pruning->n_heads);
}
