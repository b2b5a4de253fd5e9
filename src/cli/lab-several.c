/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --several: how far the heads of a layer look from each other, and what one head
 * in their place would lose. */
#include "lab-parts.h"

static void
append_numbers (GString *json, const double *numbers, size_t n)
{
  g_string_append_c (json, '[');
  for (size_t i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (json, ',');
    cli_append_number (json, numbers[i]);
  }
  g_string_append_c (json, ']');
}

/* Heads are counted from 1; null where there is only one. */
static void
append_pair (GString *json, const char *name, const AttnLayerHeads *heads, const size_t pair[2])
{
  if (pair[0] == pair[1]) {
    g_string_append_printf (json, ",\"%s\":null", name);
    return;
  }
  g_string_append_printf (json, ",\"%s\":{\"heads\":[%zu,%zu],\"distance\":", name, pair[0] + 1,
                          pair[1] + 1);
  cli_append_number (json, heads->distances[pair[0] * heads->n_heads + pair[1]]);
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
  cli_append_number (json, one->lost);
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

bool
cli_lab_several (const CliOptions *options, GError **error)
{
  g_auto (CliLabRun) run = {0};
  if (!cli_lab_run_init (&run, options, error))
    return false;
  g_autoptr (AttnLayerHeads) heads =
      attn_layer_heads_new (run.trace, run.layer, run.subject.pool, error);
  if (heads == NULL)
    return false;
  g_autoptr (GString) json = g_string_new (NULL);
  g_string_append_printf (json, "{\"layer\":%zu,\"heads\":%zu", run.layer + 1, heads->n_heads);
  append_pair (json, "most_alike", heads, heads->alike);
  append_pair (json, "most_different", heads, heads->unlike);
  append_distances (json, heads);
  append_one (json, heads->one);
  g_string_append (json, "}\n");
  return cli_answer (options, json, error);
}
