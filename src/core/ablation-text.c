/* SPDX-License-Identifier: MIT */
/* What came of heads being off, as JSON and as a table; which head matters most. */
#include "attn/ablation.h"
#include "attn/number.h"
#include "attn/prune.h"
#include "attn/quote.h"

#include <math.h>
#include <string.h>

/* ---- ranks ---- */

typedef struct {
  double value;
  size_t index;
} Ranked;

static int
compare_up (const void *a, const void *b)
{
  const Ranked *first = a, *second = b;
  if (isnan (first->value) || isnan (second->value))
    return isnan (first->value) != isnan (second->value)
               ? (isnan (first->value) ? 1 : -1)
               : (first->index > second->index) - (first->index < second->index);
  if (first->value != second->value)
    return first->value < second->value ? -1 : 1;
  return (first->index > second->index) - (first->index < second->index);
}

static Ranked *
sort (const double *values, size_t n, double sign)
{
  Ranked *ranked = g_new (Ranked, n);
  for (size_t i = 0; i < n; i++)
    ranked[i] = (Ranked){sign * values[i], i};
  qsort (ranked, n, sizeof *ranked, compare_up);
  return ranked;
}

size_t *
attn_ablation_rank (const AttnAblationNumbers *numbers)
{
  if (numbers->each == NULL)
    return NULL;
  const size_t n = numbers->clean->n_layers * numbers->clean->n_heads;
  g_autofree Ranked *ranked = sort (numbers->each, n, -1);
  size_t *heads = g_new (size_t, n);
  for (size_t i = 0; i < n; i++)
    heads[i] = ranked[i].index;
  return heads;
}

double
attn_ablation_correlate (const AttnAblationNumbers *numbers)
{
  if (numbers->each == NULL || numbers->importance == NULL)
    return (double)NAN;
  const size_t n = numbers->clean->n_layers * numbers->clean->n_heads;
  g_autofree double *effects = g_new (double, n);
  for (size_t i = 0; i < n; i++)
    effects[i] = fabs (numbers->each[i] - numbers->clean->task->loss);
  return attn_rank_correlation (effects, numbers->importance->importance, n);
}

/* ---- JSON ---- */

static void
append_number (GString *json, const char *before, double value)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append (json, before);
  g_string_append (json, attn_number_format (number, value, ATTN_NUMBER_JSON));
}

static void
append_place (GString *json, const AttnAblationNumbers *numbers, size_t i)
{
  const size_t H = numbers->clean->n_heads;
  g_string_append_printf (json, "%s{\"layer\":%zu,\"head\":%zu", i > 0 ? "," : "", i / H + 1,
                          i % H + 1);
}

static void
append_each (GString *json, const AttnAblationNumbers *numbers)
{
  g_string_append (json, ",\"each\":[");
  for (size_t i = 0; i < numbers->clean->n_layers * numbers->clean->n_heads; i++) {
    append_place (json, numbers, i);
    append_number (json, ",\"loss\":", numbers->each[i]);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

static void
append_importance (GString *json, const AttnAblationNumbers *numbers)
{
  const AttnImportance *importance = numbers->importance;
  g_string_append (json, ",\"importance\":[");
  for (size_t i = 0; i < importance->n_layers * importance->n_heads; i++) {
    append_place (json, numbers, i);
    append_number (json, ",\"gradient\":", importance->gradient[i]);
    append_number (json, ",\"importance\":", importance->importance[i]);
    append_number (json, ",\"importance_l2\":", importance->importance_l2[i]);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
  if (numbers->each != NULL)
    append_number (json, ",\"rank_correlation_size\":", attn_ablation_correlate (numbers));
}

static void
append_off (GString *json, const AttnAblationNumbers *numbers)
{
  const AttnAblationOff *off = numbers->off;
  g_autofree char *list = attn_head_list_dup (off->gates);
  g_string_append_printf (json, ",\"off\":\"%s\"", list);
  append_number (json, ",\"loss_off\":", off->loss);
  if (off->after == NULL)
    return; /* there is nothing to guess with */
  g_string_append (json, ",\"before\":");
  attn_predictions_append_json (json, numbers->clean->before);
  g_string_append (json, ",\"after\":");
  attn_predictions_append_json (json, off->after);
}

char *
attn_ablation_dup_json (const AttnAblationNumbers *numbers)
{
  const AttnTask *task = numbers->clean->task;
  GString *json = g_string_new (NULL);
  append_number (json, "{\"loss\":", task->loss);
  g_string_append_printf (json, ",\"task\":\"%s\",\"draws\":%zu,\"kind\":\"%s\"",
                          attn_task_peek_kind_name (task->kind), task->n_draws,
                          attn_ablate_kind_peek_name (numbers->kind));
  if (numbers->off != NULL)
    append_off (json, numbers);
  if (numbers->each != NULL)
    append_each (json, numbers);
  if (numbers->importance != NULL)
    append_importance (json, numbers);
  g_string_append (json, "}\n");
  return g_string_free (json, FALSE);
}

/* ---- the table ---- */

static void
append_field (GString *csv, const double *values, size_t i, double minus)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append_c (csv, ',');
  if (values != NULL)
    g_string_append (csv, attn_number_format (number, values[i] - minus, ATTN_NUMBER_CSV));
}

char *
attn_ablation_dup_csv (const AttnAblationNumbers *numbers)
{
  const AttnAblationClean *clean = numbers->clean;
  const AttnImportance *importance = numbers->importance;
  const AttnAblationOff *off = numbers->off;
  GString *csv = g_string_new ("layer,head,off,loss,effect,gradient,importance,importance_l2\n");
  for (size_t i = 0; i < clean->n_layers * clean->n_heads; i++) {
    const bool is_off = off != NULL && off->gates->gates[i] != ATTN_GATE_KEEP;
    g_string_append_printf (csv, "%zu,%zu,%d", i / clean->n_heads + 1, i % clean->n_heads + 1,
                            is_off);
    append_field (csv, numbers->each, i, 0);
    append_field (csv, numbers->each, i, clean->task->loss);
    append_field (csv, importance != NULL ? importance->gradient : NULL, i, 0);
    append_field (csv, importance != NULL ? importance->importance : NULL, i, 0);
    append_field (csv, importance != NULL ? importance->importance_l2 : NULL, i, 0);
    g_string_append_c (csv, '\n');
  }
  return g_string_free (csv, FALSE);
}
