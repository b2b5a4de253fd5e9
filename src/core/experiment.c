/* SPDX-License-Identifier: MIT */
/* Several numbers of heads trained with several seeds each. */
#include "attn/experiment.h"

#include "attn/error.h"

#include <string.h>

typedef struct {
  size_t n; /* points so far */
  double seconds;
} Run;

struct AttnExperiment {
  AttnExperimentOptions options;
  size_t *heads;          /* [n_heads] */
  size_t n_points;        /* of a whole run */
  Run *runs;              /* [n_heads, n_seeds] */
  AttnTrainPoint *points; /* [n_heads, n_seeds, n_points] */
};

const char *
attn_measure_peek_name (AttnMeasure measure)
{
  static const char *const names[] = {"loss", "previous", "first", "marked"};
  g_return_val_if_fail (measure < ATTN_N_MEASURES, "");
  return names[measure];
}

static bool
check (const AttnExperimentOptions *options, GError **error)
{
  const AttnTrainOptions *train = &options->train;
  if (options->n_heads == 0 || options->n_seeds == 0 ||
      options->n_seeds > ATTN_EXPERIMENT_MAX_SEEDS) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "%zu numbers of heads and %zu seeds, wanted at least 1, and at most %d seeds",
                 options->n_heads, options->n_seeds, ATTN_EXPERIMENT_MAX_SEEDS);
    return false;
  }
  for (size_t i = 0; i < options->n_heads; i++)
    if (options->heads[i] == 0 || train->d_model % options->heads[i] != 0) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE, "%zu heads do not divide d_model, %zu",
                   options->heads[i], train->d_model);
      return false;
    }
  if (train->n_steps > 0 && train->n_steps <= ATTN_TRAIN_MAX_STEPS && train->report_every > 0)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "steps and steps between reports are %zu and %zu, wanted more than 0 and at most %d",
               train->n_steps, train->report_every, ATTN_TRAIN_MAX_STEPS);
  return false;
}

static bool
allocate (AttnExperiment *experiment, GError **error)
{
  const AttnExperimentOptions *options = &experiment->options;
  gsize n_runs, n_points, n_bytes;
  if (g_size_checked_mul (&n_runs, options->n_heads, options->n_seeds) &&
      g_size_checked_mul (&n_points, n_runs, experiment->n_points) &&
      g_size_checked_mul (&n_bytes, n_points, sizeof (AttnTrainPoint))) {
    experiment->runs = g_try_new0 (Run, n_runs);
    experiment->points = g_try_malloc0 (n_bytes);
    if (experiment->runs != NULL && experiment->points != NULL)
      return true;
  }
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "%zu points of training curves",
               experiment->n_points);
  return false;
}

AttnExperiment *
attn_experiment_new (const AttnExperimentOptions *options, GError **error)
{
  if (!check (options, error))
    return NULL;
  g_autoptr (AttnExperiment) experiment = g_new0 (AttnExperiment, 1);
  const AttnTrainOptions *train = &options->train;
  experiment->options = *options;
  experiment->heads = g_memdup2 (options->heads, options->n_heads * sizeof *options->heads);
  experiment->options.heads = experiment->heads;
  experiment->n_points = 1 + (train->n_steps - 1) / train->report_every + 1;
  return allocate (experiment, error) ? g_steal_pointer (&experiment) : NULL;
}

AttnExperiment *
attn_experiment_copy (const AttnExperiment *experiment)
{
  const AttnExperimentOptions *options = &experiment->options;
  const size_t n_runs = options->n_heads * options->n_seeds;
  AttnExperiment *copy = g_memdup2 (experiment, sizeof *experiment);
  copy->heads = g_memdup2 (experiment->heads, options->n_heads * sizeof *experiment->heads);
  copy->options.heads = copy->heads;
  copy->runs = g_memdup2 (experiment->runs, n_runs * sizeof *experiment->runs);
  copy->points =
      g_memdup2 (experiment->points, n_runs * experiment->n_points * sizeof *experiment->points);
  return copy;
}

void
attn_experiment_free (AttnExperiment *experiment)
{
  if (experiment == NULL)
    return;
  g_free (experiment->heads);
  g_free (experiment->runs);
  g_free (experiment->points);
  g_free (experiment);
}

/* ---- running ---- */

static size_t
find_run (const AttnExperiment *experiment, size_t index, size_t seed)
{
  return index * experiment->options.n_seeds + seed;
}

typedef struct {
  AttnExperiment *experiment;
  AttnExperimentFunc report;
  void *report_data;
  size_t run, n_before; /* the run that is trained, and how many were before it */
} Telling;

static bool
told_cb (const AttnTrainPoint *point, void *data)
{
  Telling *telling = data;
  AttnExperiment *experiment = telling->experiment;
  const AttnExperimentOptions *options = &experiment->options;
  Run *run = &experiment->runs[telling->run];
  experiment->points[telling->run * experiment->n_points + run->n++] = *point;
  if (telling->report == NULL)
    return true;
  const double done = (double)point->step / (double)options->train.n_steps;
  const double fraction =
      ((double)telling->n_before + done) / (double)(options->n_heads * options->n_seeds);
  return telling->report (experiment, fraction, telling->report_data);
}

bool
attn_experiment_run (AttnExperiment *experiment,
                     AttnPool *pool,
                     AttnExperimentFunc report,
                     void *report_data,
                     GError **error)
{
  const AttnExperimentOptions *options = &experiment->options;
  Telling telling = {.experiment = experiment, .report = report, .report_data = report_data};
  memset (experiment->runs, 0, options->n_heads * options->n_seeds * sizeof *experiment->runs);
  for (size_t seed = 0; seed < options->n_seeds; seed++)
    for (size_t i = 0; i < options->n_heads; i++) {
      AttnTrainOptions train = options->train;
      const gint64 begin_us = g_get_monotonic_time ();
      train.n_heads = experiment->heads[i];
      train.seed = (uint32_t)seed + 1;
      telling.run = find_run (experiment, i, seed);
      if (!attn_train_run (&train, pool, told_cb, &telling, NULL, error))
        return false;
      experiment->runs[telling.run].seconds =
          (double)(g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC;
      telling.n_before++;
    }
  return true;
}

/* ---- what came of it ---- */

const AttnExperimentOptions *
attn_experiment_peek_options (const AttnExperiment *experiment)
{
  return &experiment->options;
}

const AttnTrainPoint *
attn_experiment_peek_points (const AttnExperiment *experiment, size_t index, size_t seed, size_t *n)
{
  const size_t run = find_run (experiment, index, seed);
  *n = experiment->runs[run].n;
  return experiment->points + run * experiment->n_points;
}

size_t
attn_experiment_get_n_points (const AttnExperiment *experiment)
{
  return experiment->n_points;
}

static size_t
count_runs (const AttnExperiment *experiment)
{
  return experiment->options.n_heads * experiment->options.n_seeds;
}

size_t
attn_experiment_count_points (const AttnExperiment *experiment)
{
  size_t n = 0;
  for (size_t i = 0; i < count_runs (experiment); i++)
    n += experiment->runs[i].n;
  return n;
}

bool
attn_experiment_is_whole (const AttnExperiment *experiment)
{
  return attn_experiment_count_points (experiment) ==
         count_runs (experiment) * experiment->n_points;
}

size_t
attn_experiment_get_step (const AttnExperiment *experiment, size_t point)
{
  const AttnTrainOptions *train = &experiment->options.train;
  return MIN (point * train->report_every, train->n_steps);
}

double
attn_experiment_get_seconds (const AttnExperiment *experiment, size_t index, size_t seed)
{
  return experiment->runs[find_run (experiment, index, seed)].seconds;
}

static double
get_measure (const AttnTrainPoint *point, AttnMeasure measure)
{
  return measure == ATTN_MEASURE_LOSS ? point->loss : point->right[measure - ATTN_MEASURE_PREVIOUS];
}

AttnSpread
attn_experiment_get_spread (const AttnExperiment *experiment,
                            size_t index,
                            size_t point,
                            AttnMeasure measure)
{
  AttnSpread spread = {0};
  for (size_t seed = 0; seed < experiment->options.n_seeds; seed++) {
    size_t n;
    const AttnTrainPoint *points = attn_experiment_peek_points (experiment, index, seed, &n);
    if (point >= n)
      continue;
    const double value = get_measure (&points[point], measure);
    spread.least = spread.n == 0 ? value : MIN (spread.least, value);
    spread.most = spread.n == 0 ? value : MAX (spread.most, value);
    spread.mean += value;
    spread.n++;
  }
  if (spread.n > 0)
    spread.mean /= (double)spread.n;
  return spread;
}

AttnSpread
attn_experiment_get_result (const AttnExperiment *experiment, size_t index, AttnMeasure measure)
{
  return attn_experiment_get_spread (experiment, index, experiment->n_points - 1, measure);
}

AttnExperimentVerdict
attn_experiment_compare (const AttnExperiment *experiment, size_t index, size_t other)
{
  const AttnSpread a = attn_experiment_get_result (experiment, index, ATTN_MEASURE_LOSS);
  const AttnSpread b = attn_experiment_get_result (experiment, other, ATTN_MEASURE_LOSS);
  if (a.n == 0 || b.n == 0)
    return ATTN_EXPERIMENT_UNKNOWN;
  if (a.most < b.least)
    return ATTN_EXPERIMENT_BETTER;
  return a.least > b.most ? ATTN_EXPERIMENT_WORSE : ATTN_EXPERIMENT_ALIKE;
}

size_t
attn_experiment_find_best (const AttnExperiment *experiment)
{
  size_t best = G_MAXSIZE;
  double least = 0;
  for (size_t i = 0; i < experiment->options.n_heads; i++) {
    const AttnSpread loss = attn_experiment_get_result (experiment, i, ATTN_MEASURE_LOSS);
    if (loss.n > 0 && (best == G_MAXSIZE || loss.mean < least)) {
      best = i;
      least = loss.mean;
    }
  }
  return best;
}
