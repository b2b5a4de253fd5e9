/* SPDX-License-Identifier: MIT */
/* headscope-cli prune-curve: loss and accuracy while heads are removed, a tenth at a time, as
 * numbers or as a figure. */
#include "cli.h"
#include "elsewhere.h"
#include "lab-parts.h"
#include "prune.h"
#include "task.h"

#include <string.h>

#define ORDERS_WANTED "wanted are some of importance, ablation and random, as importance,random"

/* Reads what --order names, and how many random orders there are. */
static bool
read_asked (const CliOptions *options, AttnPruningAsked *asked, GError **error)
{
  const char *wanted = options->order != NULL ? options->order : "ablation";
  g_auto (GStrv) names = g_strsplit (wanted, ",", -1);
  bool seen[ATTN_N_PRUNE_ORDERS] = {false};
  for (char **name = names; *name != NULL; name++) {
    const AttnPruneOrder order = attn_prune_order_find (*name);
    if (order == ATTN_N_PRUNE_ORDERS || seen[order])
      return cli_usage_value (error, "--order", wanted, ORDERS_WANTED);
    seen[order] = true;
    asked->orders[asked->n_orders++] = order;
  }
  if (asked->n_orders == 0)
    return cli_usage_value (error, "--order", wanted, ORDERS_WANTED);
  if (options->n_seeds > 0 && !seen[ATTN_PRUNE_AT_RANDOM])
    return cli_usage (error, "--seeds needs --order random");
  if (options->n_seeds > ATTN_PRUNE_MAX_SEEDS)
    return cli_usage (error, "--seeds %zu: at most %d", options->n_seeds, ATTN_PRUNE_MAX_SEEDS);
  asked->n_seeds = options->n_seeds;
  asked->seed = cli_task_get_seed (options);
  return true;
}

static bool
check_format (const CliOptions *options, GError **error)
{
  if (options->figure != NULL || options->format == NULL || strcmp (options->format, "json") == 0 ||
      strcmp (options->format, "csv") == 0)
    return true;
  return cli_usage_value (error, "--format", options->format,
                          "known are json and csv; a picture is asked for by --figure");
}

static bool
answer (const CliOptions *options, const AttnPruning *pruning, GError **error)
{
  const bool csv = g_strcmp0 (options->format, "csv") == 0;
  g_autofree char *text = csv ? attn_pruning_dup_csv (pruning) : attn_pruning_dup_json (pruning);
  g_autoptr (GString) whole = g_string_new (text);
  return cli_answer (options, whole, error);
}

static bool
draw (const CliOptions *options, CliPrune *prune, const AttnPruningAsked *asked, GError **error)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const size_t layer = MAX (options->layer, 1), head = MAX (options->head, 1);
  AttnDrawPicture picture = {0};
  if (!cli_lab_read_picture (options, &picture, view, error) ||
      !cli_prune_init (prune, options, asked, error) ||
      !cli_subject_check (&prune->subject, layer, head, error))
    return false;
  g_autoptr (GBytes) bytes = cli_prune_draw (prune, options, layer - 1, head - 1, &picture, error);
  return bytes != NULL && cli_lab_write_figure (options, bytes, error);
}

bool
cli_prune_curve (const CliOptions *options, GError **error)
{
  AttnPruningAsked asked = {0};
  g_auto (CliPrune) prune = {0};
  if (!check_format (options, error) || !cli_arrays_refuse (options, "pruning", error) ||
      !read_asked (options, &asked, error))
    return false;
  if (options->figure != NULL)
    return draw (options, &prune, &asked, error);
  return cli_prune_init (&prune, options, &asked, error) && answer (options, prune.pruning, error);
}
