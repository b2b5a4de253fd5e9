/* SPDX-License-Identifier: MIT */
/* Findings of papers in one run: passports, ablation, importance and gradients, summed up. */
#include "attn/finding.h"

#include "maps-private.h"

#include "attn/error.h"
#include "attn/importance.h"
#include "attn/prune.h"

#include <math.h>

const char *const attn_finding_names[ATTN_N_FINDINGS + 1] = {"michel",   "voita",  "clark",
                                                             "kovaleva", "debate", NULL};

AttnLensReason
attn_finding_get_reason (AttnFinding finding, const AttnModel *model)
{
  const bool goes_back = finding == ATTN_FINDING_ROLES || finding == ATTN_FINDING_WEIGHTS;
  return goes_back ? attn_lens_get_model_reason (ATTN_LENS_GRADIENT, model, 0) : ATTN_LENS_FITS;
}

/* What is looked into. */
typedef struct {
  AttnTrace *trace;
  AttnMaps *maps;
  const AttnFindingOptions *options;
  AttnFindingResult *result;
  size_t n; /* heads in all */
} Look;

static AttnFindingHead
make_head (const Look *look, size_t i, double value)
{
  const size_t H = look->result->n_heads;
  return (AttnFindingHead){i / H, i % H, value};
}

/* The first of equal ones stays; NaN is none. */
static void
keep_larger (AttnFindingHead *best, AttnFindingHead head)
{
  if (head.value > best->value || (isnan (best->value) && !isnan (head.value)))
    *best = head;
}

static const AttnFindingHead none = {0, 0, NAN};

/* Work that is the second half of what one waits for. */
static bool
tell_second_half (double fraction, void *data)
{
  const AttnFindingOptions *options = data;
  return options->progress == NULL ||
         options->progress (0.5 + fraction / 2, options->progress_data);
}

/* Writes the passports of all heads: [n]; they are @share of what one waits for. */
static bool
compute_passports (const Look *look, double share, AttnPassport *passports, GError **error)
{
  const AttnFindingOptions *options = look->options;
  const size_t H = look->result->n_heads;
  for (size_t i = 0; i < look->n; i++) {
    g_autoptr (AttnMap) map = attn_maps_dup_map (look->maps, i / H, i % H, error);
    if (map == NULL || !attn_progress_tell (options->progress, options->progress_data,
                                            share * (double)i / (double)look->n, error))
      return false;
    attn_map_compute_passport (map, &passports[i]);
  }
  return true;
}

/* Returns: (transfer full): what the run's text asks of its model, or NULL with @error. */
static AttnTask *
new_task (const Look *look, GError **error)
{
  const AttnTaskOptions asked = {.n_draws = 1, .seed = 1, .pool = look->options->pool};
  AttnTask *task = attn_task_new (attn_trace_peek_model (look->trace),
                                  attn_trace_peek_tokens (look->trace), &asked, error);
  if (task != NULL) {
    look->result->task = task->kind;
    look->result->loss = task->loss;
  }
  return task;
}

/* ---- spare heads ---- */

static bool
look_for_spare (const Look *look, GError **error)
{
  AttnFindingResult *result = look->result;
  const AttnFindingOptions *options = look->options;
  g_autoptr (AttnTask) task = new_task (look, error);
  g_autofree double *losses = g_new (double, look->n);
  const AttnAblation ablation = {.gate = ATTN_GATE_ZERO,
                                 .pool = options->pool,
                                 .progress = options->progress,
                                 .progress_data = options->progress_data};
  if (task == NULL || !attn_task_ablate_each (task, &ablation, losses, error))
    return false;
  const double little = ATTN_FINDING_LITTLE * (task->kind == ATTN_TASK_VECTOR ? 1 : task->loss);
  for (size_t i = 0; i < look->n; i++) {
    const double effect = losses[i] - task->loss;
    result->n_spare += effect <= little;
    result->n_better += effect < 0;
    keep_larger (&result->head, make_head (look, i, effect));
  }
  result->without = task->loss + result->head.value;
  result->is_shown = 2 * result->n_spare >= look->n;
  return true;
}

/* ---- heads with roles ---- */

static bool
has_role (const AttnPassport *passport)
{
  return passport->mass_previous >= ATTN_FINDING_MUCH || passport->mass_next >= ATTN_FINDING_MUCH;
}

static void
count_roles (const Look *look, const AttnPassport *passports, const double *importance)
{
  AttnFindingResult *result = look->result;
  g_autofree size_t *order = attn_prune_order_by_score (importance, look->n);
  size_t n_known = 0;
  for (size_t i = 0; i < look->n; i++) {
    n_known += !isnan (importance[i]);
    result->n_roles += has_role (&passports[i]);
  }
  result->n_top = MIN ((look->n + ATTN_FINDING_QUARTER - 1) / ATTN_FINDING_QUARTER, n_known);
  for (size_t rank = 0; rank < result->n_top; rank++)
    result->n_top_roles += has_role (&passports[order[n_known - 1 - rank]]);
  if (n_known > 0)
    result->head = make_head (look, order[n_known - 1], importance[order[n_known - 1]]);
  result->is_shown = result->n_top_roles * look->n > result->n_roles * result->n_top;
}

static bool
look_for_roles (const Look *look, GError **error)
{
  g_autofree AttnPassport *passports = g_new (AttnPassport, look->n);
  AttnFindingOptions options = *look->options;
  const AttnImportanceOptions asked = {
      .pool = options.pool, .progress = tell_second_half, .progress_data = &options};
  g_autoptr (AttnTask) task = new_task (look, error);
  if (task == NULL || !compute_passports (look, 0.5, passports, error))
    return false;
  g_autoptr (AttnImportance) importance = attn_importance_new (task, &asked, error);
  if (importance == NULL)
    return false;
  count_roles (look, passports, importance->importance);
  return true;
}

/* ---- relations ---- */

static bool
look_for_relations (const Look *look, GError **error)
{
  static const AttnPassportField fields[ATTN_N_RELATIONS] = {ATTN_PASSPORT_PREVIOUS,
                                                             ATTN_PASSPORT_NEXT, ATTN_PASSPORT_SEP};
  AttnFindingResult *result = look->result;
  g_autofree AttnPassport *passports = g_new (AttnPassport, look->n);
  if (!compute_passports (look, 1, passports, error))
    return false;
  for (size_t relation = 0; relation < ATTN_N_RELATIONS; relation++) {
    AttnFindingHead *surest = &result->surest[relation];
    *surest = none;
    for (size_t i = 0; i < look->n; i++) {
      double mass;
      if (!attn_passport_get_field (&passports[i], fields[relation], &mass))
        continue;
      result->n_sure[relation] += mass >= ATTN_FINDING_MUCH;
      keep_larger (surest, make_head (look, i, mass));
    }
    result->is_shown |= result->n_sure[relation] > 0;
    keep_larger (&result->head, *surest);
  }
  return true;
}

/* ---- kinds ---- */

static bool
look_for_kinds (const Look *look, GError **error)
{
  AttnFindingResult *result = look->result;
  g_autofree AttnPassport *passports = g_new (AttnPassport, look->n);
  if (!compute_passports (look, 1, passports, error))
    return false;
  size_t n_named = 0;
  for (size_t i = 0; i < look->n; i++) {
    const AttnPattern kind = passports[i].pattern;
    result->n_kinds[kind]++;
    n_named += kind == ATTN_PATTERN_VERTICAL || kind == ATTN_PATTERN_DIAGONAL ||
               kind == ATTN_PATTERN_VERTICAL_DIAGONAL || kind == ATTN_PATTERN_BLOCK;
  }
  result->is_shown = (double)n_named >= ATTN_FINDING_KINDS_LEAST * (double)look->n;
  return true;
}

/* ---- weights and what the loss hangs on ---- */

/* Returns: the rank correlation over the cells that may be looked at; NaN where there is none. */
static double
correlate (const AttnMap *map, const float *products, double *weights, double *sizes)
{
  size_t n = 0;
  for (size_t query = 0; query < map->n_queries; query++) {
    size_t first, end;
    attn_maps_get_visible (map->maps, map->layer, query, &first, &end);
    for (size_t key = first; key < end; key++) {
      weights[n] = (double)map->weights[query * map->n_keys + key];
      sizes[n++] = fabs ((double)products[query * map->n_keys + key]);
    }
  }
  return attn_rank_correlation (weights, sizes, n);
}

static bool
compare_head (const Look *look, AttnMaps *products, size_t i, float *own, GError **error)
{
  AttnFindingResult *result = look->result;
  const size_t H = result->n_heads, n_cells = result->n_tokens * result->n_tokens;
  g_autofree double *weights = g_try_new (double, n_cells);
  g_autofree double *sizes = g_try_new (double, n_cells);
  if (weights == NULL || sizes == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "no memory for a map of %zu × %zu weights", result->n_tokens, result->n_tokens);
    return false;
  }
  g_autoptr (AttnMap) map = attn_maps_dup_map (look->maps, i / H, i % H, error);
  if (map == NULL || !attn_maps_compute (products, i / H, i % H, own, error))
    return false;
  const AttnFindingHead head = make_head (look, i, correlate (map, own, weights, sizes));
  if (isnan (head.value))
    return true;
  result->n_compared++;
  result->mean += head.value;
  keep_larger (&result->most, head);
  if (isnan (result->least.value) || head.value < result->least.value)
    result->least = head;
  return true;
}

static bool
look_for_weights (const Look *look, GError **error)
{
  AttnFindingResult *result = look->result;
  const AttnFindingOptions *options = look->options;
  const AttnLensOptions asked = {.pool = options->pool};
  g_autoptr (AttnMaps) products =
      attn_lens_new_maps (ATTN_LENS_GRADIENT, look->maps, &asked, error);
  g_autofree float *own = products != NULL ? attn_maps_try_new_weights (products, error) : NULL;
  if (own == NULL)
    return false;
  result->least = result->most = none;
  for (size_t i = 0; i < look->n; i++)
    if (!attn_progress_tell (options->progress, options->progress_data, (double)i / (double)look->n,
                             error) ||
        !compare_head (look, products, i, own, error))
      return false;
  result->mean = result->n_compared > 0 ? result->mean / (double)result->n_compared : (double)NAN;
  result->head = result->least;
  result->is_shown = result->mean < ATTN_FINDING_AGREES;
  return true;
}

/* ---- any ---- */

bool
attn_finding_look (AttnFinding finding,
                   AttnTrace *trace,
                   const AttnFindingOptions *options,
                   AttnFindingResult *result,
                   GError **error)
{
  static bool (*const looks[ATTN_N_FINDINGS]) (const Look *, GError **) = {
      look_for_spare, look_for_roles, look_for_relations, look_for_kinds, look_for_weights};
  g_return_val_if_fail (finding < ATTN_N_FINDINGS, false);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  AttnFindingResult found = {.finding = finding,
                             .n_layers = attn_maps_get_n_layers (maps),
                             .n_heads = attn_maps_get_n_heads (maps),
                             .n_tokens = attn_trace_get_n_tokens (trace),
                             .head = none};
  const Look look = {trace, maps, options, &found, found.n_layers * found.n_heads};
  if (!looks[finding](&look, error))
    return false;
  *result = found;
  return true;
}
