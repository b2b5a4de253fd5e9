/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --several: how far the heads of a layer look from each other, and what one head
 * in their place would lose. */
#include "lab-parts.h"
#include "language.h"

#include "attn-draw/several.h"

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

/* Which heads stand side by side, and what is marked; heads count from 1 in options. */
static bool
read_marks (const CliOptions *options, AttnDrawSeveral *several, GError **error)
{
  const size_t n = several->heads->n_heads, n_tokens = several->heads->n_tokens;
  if (options->head_b > n)
    return cli_usage (error, "--head-b %zu: the model has heads 1 to %zu", options->head_b, n);
  if (options->pin_query != G_MAXSIZE && options->pin_query >= n_tokens)
    return cli_usage (error, "--follow %zu: the text has tokens 0 to %zu", options->pin_query,
                      n_tokens - 1);
  if (options->head_b > 0) {
    several->pair[0] = options->head > 0 ? options->head - 1 : 0;
    several->pair[1] = options->head_b - 1;
  }
  several->head = options->head > 0 ? options->head - 1 : G_MAXSIZE;
  several->query = options->pin_query;
  return true;
}

bool
cli_lab_several_figure (const CliOptions *options, GError **error)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  AttnDrawPicture picture = {0};
  if (!cli_lab_read_picture (options, &picture, view, error))
    return false;
  g_auto (CliLabRun) run = {0};
  if (!cli_lab_run_init (&run, options, error))
    return false;
  g_autoptr (CliHash) hash = cli_hash_start (&run.subject);
  g_autoptr (AttnLayerHeads) heads =
      attn_layer_heads_new (run.trace, run.layer, run.subject.pool, error);
  AttnDrawSeveral several = {.heads = heads};
  if (heads == NULL || !read_marks (options, &several, error))
    return false;
  picture.model_name = attn_model_peek_name (run.subject.model);
  picture.text = run.text->text;
  picture.pair = run.text->pair;
  picture.max_tokens = options->max_tokens;
  picture.weights_sha256 = cli_hash_wait (hash);
  picture.translate = cli_language_use (picture.language);
  g_autoptr (GBytes) bytes = attn_draw_several_write (&several, &picture, error);
  return bytes != NULL && cli_lab_write_figure (options, bytes, error);
}
