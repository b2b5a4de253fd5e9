/* SPDX-License-Identifier: MIT */
/* Pruning curves as JSON and CSV, with the point where each falls. */
#include "prune-answer.h"

#include "cli.h"

#include "attn/names.h"
#include "attn/number.h"

#include <math.h>

static const char *const names[CLI_N_PRUNE_ORDERS] = {
    [CLI_PRUNE_IMPORTANCE] = "importance",
    [CLI_PRUNE_ABLATION] = "ablation",
    [CLI_PRUNE_RANDOM] = "random",
};

CliPruneOrder
cli_prune_find_order (const char *name)
{
  return attn_name_find (name, names, CLI_N_PRUNE_ORDERS);
}

static void
curve_clear (void *data)
{
  CliCurve *curve = data;
  g_free (curve->heads);
  g_free (curve->scores);
}

GArray *
cli_prune_new_curves (void)
{
  GArray *curves = g_array_new (FALSE, FALSE, sizeof (CliCurve));
  g_array_set_clear_func (curves, curve_clear);
  return curves;
}

void
cli_prune_clear (CliPrune *prune)
{
  cli_subject_clear (&prune->subject);
  g_clear_pointer (&prune->importance, g_free);
  g_clear_pointer (&prune->effects, g_free);
  g_clear_pointer (&prune->layers, g_free);
  g_clear_pointer (&prune->curves, g_array_unref);
}

/* A number, or null for what there is not. */
static void
append_value (GString *json, const char *key, double value, bool has)
{
  g_string_append_printf (json, ",\"%s\":", key);
  if (has)
    cli_append_number (json, value);
  else
    g_string_append (json, "null");
}

/* What more is better of, for the rule: the accuracy, or of a vector the cosine. */
static double
get_quality (const CliPrune *prune, const AttnScore *score)
{
  return prune->kind == ATTN_TASK_VECTOR ? 1 - score->loss : score->accuracy;
}

static void
append_fall (GString *json, const CliPrune *prune, const CliCurve *curve, const char *key, bool p)
{
  g_autofree double *quality = g_new (double, prune->n_points);
  for (size_t i = 0; i < prune->n_points; i++)
    quality[i] = p ? exp (-curve->scores[i].loss) : get_quality (prune, &curve->scores[i]);
  const size_t point = attn_prune_find_fall (quality, prune->n_points);
  const size_t removed = attn_prune_get_removed (prune->n_heads, point);
  g_string_append_printf (json, ",\"%s\":", key);
  if (point == prune->n_points) {
    g_string_append (json, "null");
    return;
  }
  g_string_append_printf (json, "{\"removed\":%zu,\"share\":", removed);
  cli_append_number (json, (double)removed / (double)prune->n_heads);
  g_string_append_c (json, '}');
}

static void
append_points (GString *json, const CliPrune *prune, const CliCurve *curve)
{
  const bool labelled = prune->kind != ATTN_TASK_VECTOR;
  g_string_append (json, ",\"points\":[");
  for (size_t i = 0; i < prune->n_points; i++) {
    const size_t removed = attn_prune_get_removed (prune->n_heads, i);
    g_string_append_printf (json, "%s{\"removed\":%zu", i > 0 ? "," : "", removed);
    append_value (json, "share", (double)removed / (double)prune->n_heads, true);
    append_value (json, "loss", curve->scores[i].loss, true);
    append_value (json, "accuracy", curve->scores[i].accuracy, labelled);
    g_string_append_c (json, '}');
  }
  g_string_append (json, "],\"heads\":[");
  const size_t H = prune->n_heads / prune->n_layers;
  for (size_t i = 0; i < prune->n_heads; i++)
    g_string_append_printf (json, "%s[%zu,%zu]", i > 0 ? "," : "", curve->heads[i] / H + 1,
                            curve->heads[i] % H + 1);
  g_string_append_c (json, ']');
}

static void
append_curves (GString *json, const CliPrune *prune)
{
  const bool labelled = prune->kind != ATTN_TASK_VECTOR;
  g_string_append (json, ",\"curves\":[");
  for (guint i = 0; i < prune->curves->len; i++) {
    const CliCurve *curve = &g_array_index (prune->curves, CliCurve, i);
    g_string_append_printf (json, "%s{\"order\":\"%s\"", i > 0 ? "," : "", names[curve->order]);
    if (curve->order == CLI_PRUNE_RANDOM)
      g_string_append_printf (json, ",\"seed\":%u", curve->seed);
    append_fall (json, prune, curve, labelled ? "accuracy_falls" : "cosine_falls", false);
    if (labelled)
      append_fall (json, prune, curve, "likelihood_falls", true);
    append_points (json, prune, curve);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

/* All of a layer's heads removed, and what one of them alone adds to the loss. */
static void
append_layers (GString *json, const CliPrune *prune)
{
  const double clean = g_array_index (prune->curves, CliCurve, 0).scores[0].loss;
  const size_t H = prune->n_heads / prune->n_layers;
  g_string_append (json, ",\"layers\":[");
  for (size_t layer = 0; layer < prune->n_layers; layer++) {
    double sum = 0, largest = -INFINITY;
    for (size_t head = 0; head < H; head++) {
      sum += prune->effects[layer * H + head];
      largest = fmax (largest, prune->effects[layer * H + head]);
    }
    g_string_append_printf (json, "%s{\"layer\":%zu", layer > 0 ? "," : "", layer + 1);
    append_value (json, "loss", prune->layers[layer].loss, true);
    append_value (json, "accuracy", prune->layers[layer].accuracy, prune->kind != ATTN_TASK_VECTOR);
    append_value (json, "effect", prune->layers[layer].loss - clean, true);
    append_value (json, "head_effect_mean", sum / (double)H, prune->asks_ablation);
    append_value (json, "head_effect_largest", largest, prune->asks_ablation);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

void
cli_prune_append_json (GString *text, const CliPrune *prune)
{
  const AttnScore *clean = &g_array_index (prune->curves, CliCurve, 0).scores[0];
  const bool labelled = prune->kind != ATTN_TASK_VECTOR;
  g_string_append (text, "{\"loss\":");
  cli_append_number (text, clean->loss);
  append_value (text, "accuracy", clean->accuracy, labelled);
  g_string_append_printf (text, ",\"task\":\"%s\",\"draws\":%zu,\"texts\":%zu,\"step\":%zu",
                          prune->mixes_kinds ? "several" : attn_task_peek_kind_name (prune->kind),
                          prune->n_draws, prune->n_texts, attn_prune_get_step (prune->n_heads));
  g_string_append_printf (
      text,
      ",\"rule\":\"a curve falls at the first point where the %s is below %g of that with all "
      "heads%s\"",
      labelled ? "accuracy" : "cosine (1 - loss)", ATTN_PRUNE_FALL,
      labelled ? "; the likelihood is exp(-loss)" : "");
  append_layers (text, prune);
  append_curves (text, prune);
  g_string_append (text, "}\n");
}

static void
append_row (GString *csv,
            const char *curve,
            const char *which,
            size_t removed,
            const CliPrune *prune,
            const AttnScore *score)
{
  char share[ATTN_NUMBER_SIZE], loss[ATTN_NUMBER_SIZE], accuracy[ATTN_NUMBER_SIZE];
  g_string_append_printf (
      csv, "%s,%s,%zu,%s,%s,%s\n", curve, which, removed,
      attn_number_format (share, (double)removed / (double)prune->n_heads, ATTN_NUMBER_CSV),
      attn_number_format (loss, score->loss, ATTN_NUMBER_CSV),
      attn_number_format (accuracy, score->accuracy, ATTN_NUMBER_CSV));
}

void
cli_prune_append_csv (GString *text, const CliPrune *prune)
{
  char which[24] = "";
  g_string_append (text, "curve,which,removed,share,loss,accuracy\n");
  for (guint i = 0; i < prune->curves->len; i++) {
    const CliCurve *curve = &g_array_index (prune->curves, CliCurve, i);
    if (curve->order == CLI_PRUNE_RANDOM)
      g_snprintf (which, sizeof which, "%u", curve->seed);
    for (size_t point = 0; point < prune->n_points; point++)
      append_row (text, names[curve->order], curve->order == CLI_PRUNE_RANDOM ? which : "",
                  attn_prune_get_removed (prune->n_heads, point), prune, &curve->scores[point]);
  }
  for (size_t layer = 0; layer < prune->n_layers; layer++) {
    g_snprintf (which, sizeof which, "%zu", layer + 1);
    append_row (text, "layer", which, prune->n_heads / prune->n_layers, prune,
                &prune->layers[layer]);
  }
}
