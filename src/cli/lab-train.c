/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --train: small attention layers with several numbers of heads, trained on a toy
 * task, and what was measured. */
#include "lab-parts.h"
#include "subject.h"

#include "attn-draw/lab-charts.h"
#include "attn/error.h"
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

static char *
dup_csv (const void *data)
{
  return attn_experiment_dup_csv (data);
}

static char *
dup_json (const void *data)
{
  return attn_experiment_dup_json (data);
}

static const CliLabForms forms = {dup_csv, dup_json, write_chart};

/* @data: [1] points that are wanted. */
static bool
told_cb (const AttnExperiment *experiment, double fraction G_GNUC_UNUSED, void *data)
{
  return attn_experiment_is_whole (experiment) ||
         attn_experiment_count_points (experiment) < *(const size_t *)data;
}

/* @n_points: to end after; 0 for all. */
static bool
run (AttnExperiment *experiment, AttnPool *pool, size_t n_points, GError **error)
{
  g_autoptr (GError) trouble = NULL;
  if (attn_experiment_run (experiment, pool, n_points > 0 ? told_cb : NULL, &n_points, &trouble))
    return true;
  if (n_points > 0 && g_error_matches (trouble, ATTN_ERROR, ATTN_ERROR_CANCELLED))
    return true; /* as far as it was wanted */
  g_propagate_error (error, g_steal_pointer (&trouble));
  return false;
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
  if (options->n_steps > 0)
    asked.train.n_steps = options->n_steps;
  if (!cli_lab_check_size ("--seeds", asked.n_seeds, ATTN_EXPERIMENT_MAX_SEEDS, error) ||
      !cli_lab_check_size ("--steps", asked.train.n_steps, ATTN_TRAIN_MAX_STEPS, error))
    return false;
  g_autoptr (AttnPool) pool = cli_make_pool (options);
  g_autoptr (AttnExperiment) experiment = attn_experiment_new (&asked, error);
  return experiment != NULL && run (experiment, pool, options->n_points, error) &&
         cli_lab_answer (options, &forms, experiment, error);
}
