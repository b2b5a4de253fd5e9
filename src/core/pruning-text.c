/* SPDX-License-Identifier: MIT */
/* Pruning curves as JSON and CSV, with the point where each falls. */
#include "attn/number.h"
#include "attn/pruning.h"

static void
append_number (GString *json, double value)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append (json, attn_number_format (number, value, ATTN_NUMBER_JSON));
}

/* A number, or null for what there is not. */
static void
append_value (GString *json, const char *key, double value, bool has)
{
  g_string_append_printf (json, ",\"%s\":", key);
  if (has)
    append_number (json, value);
  else
    g_string_append (json, "null");
}

static void
append_fall (GString *json, const AttnPruning *pruning, size_t curve, const char *key, bool p)
{
  const size_t point = attn_pruning_find_fall (pruning, curve, p);
  const size_t removed = attn_prune_get_removed (pruning->n_heads, point);
  g_string_append_printf (json, ",\"%s\":", key);
  if (point == pruning->n_points) {
    g_string_append (json, "null");
    return;
  }
  g_string_append_printf (json, "{\"removed\":%zu,\"share\":", removed);
  append_number (json, (double)removed / (double)pruning->n_heads);
  g_string_append_c (json, '}');
}

static void
append_points (GString *json, const AttnPruning *pruning, const AttnPruneCurve *curve)
{
  const bool labelled = pruning->kind != ATTN_TASK_VECTOR;
  g_string_append (json, ",\"points\":[");
  for (size_t i = 0; i < pruning->n_points; i++) {
    const size_t removed = attn_prune_get_removed (pruning->n_heads, i);
    g_string_append_printf (json, "%s{\"removed\":%zu", i > 0 ? "," : "", removed);
    append_value (json, "share", (double)removed / (double)pruning->n_heads, true);
    append_value (json, "loss", curve->scores[i].loss, true);
    append_value (json, "accuracy", curve->scores[i].accuracy, labelled);
    g_string_append_c (json, '}');
  }
  g_string_append (json, "],\"heads\":[");
  const size_t H = pruning->n_heads / pruning->n_layers;
  for (size_t i = 0; i < pruning->n_heads; i++)
    g_string_append_printf (json, "%s[%zu,%zu]", i > 0 ? "," : "", curve->heads[i] / H + 1,
                            curve->heads[i] % H + 1);
  g_string_append_c (json, ']');
}

static void
append_curves (GString *json, const AttnPruning *pruning)
{
  const bool labelled = pruning->kind != ATTN_TASK_VECTOR;
  g_string_append (json, ",\"curves\":[");
  for (size_t i = 0; i < pruning->n_curves; i++) {
    const AttnPruneCurve *curve = &pruning->curves[i];
    g_string_append_printf (json, "%s{\"order\":\"%s\"", i > 0 ? "," : "",
                            attn_prune_order_peek_name (curve->order));
    if (curve->order == ATTN_PRUNE_AT_RANDOM)
      g_string_append_printf (json, ",\"seed\":%u", curve->seed);
    append_fall (json, pruning, i, labelled ? "accuracy_falls" : "cosine_falls", false);
    if (labelled)
      append_fall (json, pruning, i, "likelihood_falls", true);
    append_points (json, pruning, curve);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

/* All of a layer's heads removed, and what one of them alone adds to the loss. */
static void
append_layers (GString *json, const AttnPruning *pruning)
{
  const double clean = pruning->curves[0].scores[0].loss;
  g_string_append (json, ",\"layers\":[");
  for (size_t layer = 0; layer < pruning->n_layers; layer++) {
    double least, largest;
    const double mean = attn_pruning_get_layer (pruning, layer, &least, &largest);
    g_string_append_printf (json, "%s{\"layer\":%zu", layer > 0 ? "," : "", layer + 1);
    append_value (json, "loss", pruning->layers[layer].loss, true);
    append_value (json, "accuracy", pruning->layers[layer].accuracy,
                  pruning->kind != ATTN_TASK_VECTOR);
    append_value (json, "effect", pruning->layers[layer].loss - clean, true);
    append_value (json, "head_effect_mean", mean, pruning->effects != NULL);
    append_value (json, "head_effect_largest", largest, pruning->effects != NULL);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

/* What orders went by, where both are known, and how far they agree. */
static void
append_heads (GString *json, const AttnPruning *pruning)
{
  const size_t H = pruning->n_heads / pruning->n_layers;
  if (pruning->importance == NULL || pruning->effects == NULL)
    return;
  append_value (json, "rank_correlation", attn_pruning_correlate (pruning, false), true);
  append_value (json, "rank_correlation_size", attn_pruning_correlate (pruning, true), true);
  g_string_append (json, ",\"heads\":[");
  for (size_t i = 0; i < pruning->n_heads; i++) {
    g_string_append_printf (json, "%s{\"layer\":%zu,\"head\":%zu", i > 0 ? "," : "", i / H + 1,
                            i % H + 1);
    append_value (json, "importance", pruning->importance[i], true);
    append_value (json, "ablation_effect", pruning->effects[i], true);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

char *
attn_pruning_dup_json (const AttnPruning *pruning)
{
  GString *text = g_string_new (NULL);
  const AttnScore *clean = &pruning->curves[0].scores[0];
  const bool labelled = pruning->kind != ATTN_TASK_VECTOR;
  g_string_append (text, "{\"loss\":");
  append_number (text, clean->loss);
  append_value (text, "accuracy", clean->accuracy, labelled);
  g_string_append_printf (
      text, ",\"task\":\"%s\",\"draws\":%zu,\"texts\":%zu,\"step\":%zu",
      pruning->mixes_kinds ? "several" : attn_task_peek_kind_name (pruning->kind), pruning->n_draws,
      pruning->n_texts, attn_prune_get_step (pruning->n_heads));
  g_string_append_printf (
      text,
      ",\"rule\":\"a curve falls at the first point where the %s is below %g of that with all "
      "heads%s\"",
      labelled ? "accuracy" : "cosine (1 - loss)", ATTN_PRUNE_FALL,
      labelled ? "; the likelihood is exp(-loss)" : "");
  append_heads (text, pruning);
  append_layers (text, pruning);
  append_curves (text, pruning);
  g_string_append (text, "}\n");
  return g_string_free (text, FALSE);
}

static void
append_row (GString *csv,
            const char *curve,
            const char *which,
            size_t removed,
            const AttnPruning *pruning,
            const AttnScore *score)
{
  char share[ATTN_NUMBER_SIZE], loss[ATTN_NUMBER_SIZE], accuracy[ATTN_NUMBER_SIZE];
  g_string_append_printf (
      csv, "%s,%s,%zu,%s,%s,%s\n", curve, which, removed,
      attn_number_format (share, (double)removed / (double)pruning->n_heads, ATTN_NUMBER_CSV),
      attn_number_format (loss, score->loss, ATTN_NUMBER_CSV),
      attn_number_format (accuracy, score->accuracy, ATTN_NUMBER_CSV));
}

char *
attn_pruning_dup_csv (const AttnPruning *pruning)
{
  GString *text = g_string_new (NULL);
  char which[24] = "";
  g_string_append (text, "curve,which,removed,share,loss,accuracy\n");
  for (size_t i = 0; i < pruning->n_curves; i++) {
    const AttnPruneCurve *curve = &pruning->curves[i];
    if (curve->order == ATTN_PRUNE_AT_RANDOM)
      g_snprintf (which, sizeof which, "%u", curve->seed);
    for (size_t point = 0; point < pruning->n_points; point++)
      append_row (text, attn_prune_order_peek_name (curve->order),
                  curve->order == ATTN_PRUNE_AT_RANDOM ? which : "",
                  attn_prune_get_removed (pruning->n_heads, point), pruning, &curve->scores[point]);
  }
  for (size_t layer = 0; layer < pruning->n_layers; layer++) {
    g_snprintf (which, sizeof which, "%zu", layer + 1);
    append_row (text, "layer", which, pruning->n_heads / pruning->n_layers, pruning,
                &pruning->layers[layer]);
  }
  return g_string_free (text, FALSE);
}
