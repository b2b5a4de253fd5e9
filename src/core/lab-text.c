/* SPDX-License-Identifier: MIT */
/* What the lab found as JSON and as CSV. */
#include "attn/lab-text.h"

#include "attn/number.h"
#include "attn/quote.h"

#include <string.h>

static void
append_number (GString *text, double value, AttnNumberStyle style)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append (text, attn_number_format (number, value, style));
}

static void
append_member (GString *json, const char *name, double value)
{
  g_string_append_printf (json, ",\"%s\":", name);
  append_number (json, value, ATTN_NUMBER_JSON);
}

/* ---- times ---- */

char *
attn_times_dup_json (const AttnTimes *times)
{
  const AttnTimingOptions *options = &times->options;
  GString *json = g_string_new (NULL);
  g_string_append_printf (json, "{\"d_model\":%zu,\"tokens\":%zu,\"threads\":%zu,\"kernel\":",
                          options->d_model, options->n_tokens, times->n_threads);
  attn_quote_json (json, times->kernel, strlen (times->kernel));
  g_string_append (json, ",\"times\":[");
  for (size_t i = 0; i < times->n; i++) {
    const AttnTiming *timing = &times->timings[i];
    g_string_append_printf (json, "%s{\"heads\":%zu,\"d_k\":%zu,\"runs\":%zu", i > 0 ? ",\n" : "\n",
                            timing->n_heads, options->d_model / timing->n_heads, timing->n_runs);
    append_member (json, "median_ms", timing->median);
    append_member (json, "low_ms", timing->low);
    append_member (json, "high_ms", timing->high);
    g_string_append_c (json, '}');
  }
  g_string_append (json, "]}\n");
  return g_string_free (json, FALSE);
}

char *
attn_times_dup_csv (const AttnTimes *times)
{
  const AttnTiming *timings = times->timings;
  GString *csv = g_string_new ("heads,d_k,runs,median_ms,low_ms,high_ms\n");
  for (size_t i = 0; i < times->n; i++) {
    const double values[] = {timings[i].median, timings[i].low, timings[i].high};
    g_string_append_printf (csv, "%zu,%zu,%zu", timings[i].n_heads,
                            times->options.d_model / timings[i].n_heads, timings[i].n_runs);
    for (size_t k = 0; k < G_N_ELEMENTS (values); k++) {
      g_string_append_c (csv, ',');
      append_number (csv, values[k], ATTN_NUMBER_CSV);
    }
    g_string_append_c (csv, '\n');
  }
  return g_string_free (csv, FALSE);
}

/* ---- training ---- */

static void
append_right (GString *json, const AttnTrainPoint *point)
{
  g_string_append (json, ",\"right\":{");
  for (size_t i = 0; i < ATTN_TRAIN_QUESTIONS; i++) {
    g_string_append_printf (json, "%s\"%s\":", i > 0 ? "," : "",
                            attn_measure_peek_name ((AttnMeasure)(ATTN_MEASURE_PREVIOUS + i)));
    append_number (json, point->right[i], ATTN_NUMBER_JSON);
  }
  g_string_append_c (json, '}');
}

static void
append_curve (GString *json, const AttnTrainPoint *points, size_t n)
{
  g_string_append (json, ",\"curve\":[");
  for (size_t i = 0; i < n; i++) {
    g_string_append_printf (json, "%s{\"step\":%zu", i > 0 ? "," : "", points[i].step);
    append_member (json, "loss", points[i].loss);
    append_right (json, &points[i]);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

/* Returns: whether the run was over. */
static bool
append_run (
    GString *json, const AttnExperiment *experiment, size_t index, size_t seed, bool is_first)
{
  const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);
  size_t n;
  const AttnTrainPoint *points = attn_experiment_peek_points (experiment, index, seed, &n);
  if (n < attn_experiment_get_n_points (experiment))
    return false;
  g_string_append_printf (json, "%s{\"heads\":%zu,\"d_k\":%zu,\"seed\":%zu",
                          is_first ? "\n" : ",\n", options->heads[index],
                          options->train.d_model / options->heads[index], seed + 1);
  append_curve (json, points, n);
  append_member (json, "loss", points[n - 1].loss);
  append_right (json, &points[n - 1]);
  append_member (json, "seconds", attn_experiment_get_seconds (experiment, index, seed));
  g_string_append_c (json, '}');
  return true;
}

static void
append_summary (GString *json, const AttnExperiment *experiment, size_t index)
{
  const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);
  const size_t n_seeds = attn_experiment_get_result (experiment, index, ATTN_MEASURE_LOSS).n;
  g_string_append_printf (json, "{\"heads\":%zu,\"seeds\":%zu", options->heads[index], n_seeds);
  for (size_t i = 0; i < ATTN_N_MEASURES && n_seeds > 0; i++) {
    const AttnSpread spread = attn_experiment_get_result (experiment, index, (AttnMeasure)i);
    g_string_append_printf (json, ",\"%s\":{\"mean\":", attn_measure_peek_name ((AttnMeasure)i));
    append_number (json, spread.mean, ATTN_NUMBER_JSON);
    append_member (json, "least", spread.least);
    append_member (json, "most", spread.most);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, '}');
}

static void
append_runs (GString *json, const AttnExperiment *experiment)
{
  const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);
  bool is_first = true;
  for (size_t i = 0; i < options->n_heads; i++)
    for (size_t seed = 0; seed < options->n_seeds; seed++)
      if (append_run (json, experiment, i, seed, is_first))
        is_first = false;
}

char *
attn_experiment_dup_json (const AttnExperiment *experiment)
{
  const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);
  const AttnTrainOptions *train = &options->train;
  const size_t best = attn_experiment_find_best (experiment);
  GString *json = g_string_new (NULL);
  g_string_append_printf (
      json, "{\"d_model\":%zu,\"tokens\":%zu,\"symbols\":%zu,\"sequences\":%zu,\"steps\":%zu",
      train->d_model, train->n_tokens, train->n_symbols, train->n_sequences, train->n_steps);
  append_member (json, "learning_rate", train->learning_rate);
  g_string_append (json, ",\"runs\":[");
  append_runs (json, experiment);
  g_string_append (json, "],\n\"summary\":[");
  for (size_t i = 0; i < options->n_heads; i++) {
    g_string_append (json, i > 0 ? ",\n" : "\n");
    append_summary (json, experiment, i);
  }
  if (best != G_MAXSIZE)
    g_string_append_printf (json, "],\n\"best\":%zu}\n", options->heads[best]);
  else
    g_string_append (json, "],\n\"best\":null}\n");
  return g_string_free (json, FALSE);
}

static void
append_lines (GString *csv, const AttnExperiment *experiment, size_t index, size_t seed)
{
  const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);
  size_t n;
  const AttnTrainPoint *points = attn_experiment_peek_points (experiment, index, seed, &n);
  for (size_t i = 0; i < n; i++) {
    g_string_append_printf (csv, "%zu,%zu,%zu,%zu,", options->heads[index],
                            options->train.d_model / options->heads[index], seed + 1,
                            points[i].step);
    append_number (csv, points[i].loss, ATTN_NUMBER_CSV);
    for (size_t k = 0; k < ATTN_TRAIN_QUESTIONS; k++) {
      g_string_append_c (csv, ',');
      append_number (csv, points[i].right[k], ATTN_NUMBER_CSV);
    }
    g_string_append_c (csv, '\n');
  }
}

char *
attn_experiment_dup_csv (const AttnExperiment *experiment)
{
  const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);
  GString *csv = g_string_new ("heads,d_k,seed,step,loss,previous,first,marked\n");
  for (size_t i = 0; i < options->n_heads; i++)
    for (size_t seed = 0; seed < options->n_seeds; seed++)
      append_lines (csv, experiment, i, seed);
  return g_string_free (csv, FALSE);
}

/* ---- the heads of a layer ---- */

static void
append_numbers (GString *json, const double *numbers, size_t n)
{
  g_string_append_c (json, '[');
  for (size_t i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (json, ',');
    append_number (json, numbers[i], ATTN_NUMBER_JSON);
  }
  g_string_append_c (json, ']');
}

/* Heads are counted from 1; null where there is only one, or none can be compared. */
static void
append_pair (GString *json, const char *name, const AttnLayerHeads *heads, const size_t pair[2])
{
  if (pair[0] == pair[1]) {
    g_string_append_printf (json, ",\"%s\":null", name);
    return;
  }
  g_string_append_printf (json, ",\"%s\":{\"heads\":[%zu,%zu]", name, pair[0] + 1, pair[1] + 1);
  append_member (json, "distance", heads->distances[pair[0] * heads->n_heads + pair[1]]);
  g_string_append_c (json, '}');
}

static void
append_distances (GString *json, const AttnLayerHeads *heads)
{
  const size_t n = heads->n_heads;
  g_string_append (json, ",\"distances\":[");
  for (size_t head = 0; head < n; head++) {
    if (head > 0)
      g_string_append_c (json, ',');
    append_numbers (json, heads->distances + head * n, n);
  }
  g_string_append_c (json, ']');
}

static void
append_one (GString *json, const AttnOneHead *one)
{
  const size_t n = one->map->n_columns;
  g_autofree double *row = g_new (double, n);
  g_string_append (json, ",\"one_head\":{\"lost\":");
  append_number (json, one->lost, ATTN_NUMBER_JSON);
  g_string_append (json, ",\"weights\":[");
  for (size_t query = 0; query < one->map->n_rows; query++) {
    for (size_t key = 0; key < n; key++)
      row[key] = (double)one->map->values[query * n + key];
    if (query > 0)
      g_string_append_c (json, ',');
    append_numbers (json, row, n);
  }
  g_string_append (json, "]}");
}

char *
attn_layer_heads_dup_json (const AttnLayerHeads *heads)
{
  GString *json = g_string_new (NULL);
  g_string_append_printf (json, "{\"layer\":%zu,\"heads\":%zu", heads->layer + 1, heads->n_heads);
  append_pair (json, "most_alike", heads, heads->alike);
  append_pair (json, "most_different", heads, heads->unlike);
  g_string_append_printf (json, ",\"pairs_not_compared\":%zu", heads->n_unknown);
  append_distances (json, heads);
  append_one (json, heads->one);
  g_string_append (json, "}\n");
  return g_string_free (json, FALSE);
}

char *
attn_layer_heads_dup_csv (const AttnLayerHeads *heads)
{
  const size_t n = heads->n_heads;
  GString *csv = g_string_new ("layer,head,other_head,distance\n");
  for (size_t head = 0; head < n; head++)
    for (size_t other = head + 1; other < n; other++) {
      g_string_append_printf (csv, "%zu,%zu,%zu,", heads->layer + 1, head + 1, other + 1);
      append_number (csv, heads->distances[head * n + other], ATTN_NUMBER_CSV);
      g_string_append_c (csv, '\n');
    }
  return g_string_free (csv, FALSE);
}
