/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --train: small attention layers with several numbers of heads, trained on a toy
 * task, and what was measured. */
#include "lab-parts.h"
#include "subject.h"

#include "attn-draw/lab-charts.h"
#include "attn/experiment.h"
#include "attn/lab-text.h"

#define DEFAULT_SEEDS 3

static GBytes *
write_chart (const void *data,
             const AttnDrawLabLook *look,
             AttnDrawFormat format,
             double scale,
             GError **error)
{
  return attn_draw_experiment_chart_write (data, look, format, scale, error);
}

static bool
answer (AttnExperiment *experiment, const CliOptions *options, GError **error)
{
  static const char *const formats = "known are json, csv, png, svg and pdf";
  AttnDrawFormat format;
  if (options->format != NULL && attn_draw_format_find (options->format, &format))
    return cli_lab_draw (options, format, write_chart, experiment, error);
  g_autofree char *text = NULL;
  if (g_strcmp0 (options->format, "csv") == 0)
    text = attn_experiment_dup_csv (experiment);
  else if (options->format == NULL || g_str_equal (options->format, "json"))
    text = attn_experiment_dup_json (experiment);
  else
    return cli_usage_value (error, "--format", options->format, "%s", formats);
  g_autoptr (GString) whole = g_string_new (text);
  return cli_answer (options, whole, error);
}

bool
cli_lab_train (const CliOptions *options, GError **error)
{
  AttnExperimentOptions asked = {.train = ATTN_TRAIN_OPTIONS, .n_seeds = DEFAULT_SEEDS};
  g_autoptr (GArray) heads =
      cli_lab_read_heads ("--train", options->train, asked.train.d_model, error);
  if (heads == NULL)
    return false;
  asked.heads = (const size_t *)(gconstpointer)heads->data;
  asked.n_heads = heads->len;
  if (options->n_seeds > 0)
    asked.n_seeds = options->n_seeds;
  if (asked.n_seeds > ATTN_EXPERIMENT_MAX_SEEDS)
    return cli_usage (error, "--seeds %zu: wanted is at most %d", asked.n_seeds,
                      ATTN_EXPERIMENT_MAX_SEEDS);
  if (options->n_steps > 0)
    asked.train.n_steps = options->n_steps;
  g_autoptr (AttnPool) pool = cli_make_pool (options);
  g_autoptr (AttnExperiment) experiment = attn_experiment_new (&asked, error);
  return experiment != NULL && attn_experiment_run (experiment, pool, NULL, NULL, error) &&
         answer (experiment, options, error);
}
