/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --several: how far the heads of a layer look from each other, and what one head
 * in their place would lose. */
#include "lab-parts.h"
#include "language.h"

#include "attn-draw/several.h"
#include "attn-hub/store.h"
#include "attn/lab-text.h"

/* A number that is none is easily overlooked among many, and a file or a picture is seen later. */
static void
warn_of_unknown (const AttnLayerHeads *heads)
{
  if (heads->n_unknown > 0)
    cli_warn ("warning: layer %zu: %zu of %zu pairs of heads could not be compared: weights of "
              "theirs are not numbers",
              heads->layer + 1, heads->n_unknown, heads->n_heads * (heads->n_heads - 1) / 2);
}

bool
cli_lab_several (const CliOptions *options, GError **error)
{
  const bool is_csv = g_strcmp0 (options->format, "csv") == 0;
  g_auto (CliLabRun) run = {0};
  if (!cli_lab_run_init (&run, options, error))
    return false;
  g_autoptr (AttnLayerHeads) heads =
      attn_layer_heads_new (run.trace, run.layer, run.subject.pool, error);
  if (heads == NULL)
    return false;
  warn_of_unknown (heads);
  g_autofree char *text =
      is_csv ? attn_layer_heads_dup_csv (heads) : attn_layer_heads_dup_json (heads);
  g_autoptr (GString) whole = g_string_new (text);
  return cli_answer (options, whole, error);
}

/* Which heads stand side by side, and what is marked; heads count from 1 in options. */
static bool
read_marks (const CliOptions *options, AttnDrawSeveral *several, GError **error)
{
  const size_t n = several->heads->n_heads, n_tokens = several->heads->n_tokens;
  if (options->head_b > n)
    return cli_usage (error, "--head-b %zu: the model has heads 1 to %zu", options->head_b, n);
  if (options->mark > n)
    return cli_usage (error, "--mark %zu: the model has heads 1 to %zu", options->mark, n);
  if (options->pin_query != G_MAXSIZE && options->pin_query >= n_tokens)
    return cli_usage (error, "--follow %zu: the text has tokens 0 to %zu", options->pin_query,
                      n_tokens - 1);
  if (options->head_b > 0) {
    several->pair[0] = options->head > 0 ? options->head - 1 : 0;
    several->pair[1] = options->head_b - 1;
  }
  const size_t mark = options->mark > 0 ? options->mark : options->head;
  several->head = mark > 0 ? mark - 1 : G_MAXSIZE;
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
  warn_of_unknown (heads);
  picture.model_name = attn_hub_peek_model_name (run.subject.model);
  picture.text = run.text->text;
  picture.pair = run.text->pair;
  picture.max_tokens = options->max_tokens;
  picture.weights_sha256 = cli_hash_wait (hash);
  picture.translate = cli_language_use (picture.language);
  g_autoptr (GBytes) bytes = attn_draw_several_write (&several, &picture, error);
  return bytes != NULL && cli_lab_write_figure (options, bytes, error);
}
