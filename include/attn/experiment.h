/* SPDX-License-Identifier: MIT */
/* Several numbers of heads trained with several seeds each (train.h), and what came of it.
 *
 * For: the experiment whether more heads are better. It reports what was measured, whatever that
 * is. Order of calls: attn_experiment_new(), attn_experiment_run(), then the measurements; they may
 * also be asked for from the report, of what there is so far.
 *
 * Letters: h heads. */
#pragma once

#include "attn/pool.h"
#include "attn/train.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

#define ATTN_EXPERIMENT_MAX_SEEDS 1000

typedef struct {
  AttnTrainOptions train; /* n_heads and seed are set for each run */
  const size_t *heads;    /* [n_heads] that divide d_model */
  size_t n_heads, n_seeds;
} AttnExperimentOptions;

/* What a point of a run tells. */
typedef enum {
  ATTN_MEASURE_LOSS,
  ATTN_MEASURE_PREVIOUS, /* share of right answers, of each question … */
  ATTN_MEASURE_FIRST,
  ATTN_MEASURE_MARKED,
  ATTN_N_MEASURES,
} AttnMeasure;

/* Returns: "loss", "previous", "first", "marked"; static. */
const char *attn_measure_peek_name (AttnMeasure measure);

/* Of the seeds that have come so far. */
typedef struct {
  size_t n; /* seeds; 0: nothing yet, and the others are 0 */
  double mean, least, most;
} AttnSpread;

typedef struct AttnExperiment AttnExperiment;

/**
 * attn_experiment_new:
 *
 * Copies @options. Returns: for attn_experiment_free(), or NULL with @error: SHAPE (no heads, a
 *   number of seeds out of its range, what attn_train_run() would refuse), TOO_LARGE.
 */
AttnExperiment *attn_experiment_new (const AttnExperimentOptions *options, GError **error);

/* Returns: (transfer full): what there is of @experiment, for another thread to look at. */
AttnExperiment *attn_experiment_copy (const AttnExperiment *experiment);

void attn_experiment_free (AttnExperiment *experiment);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnExperiment, attn_experiment_free)

/* Told on the caller's thread after each point. @fraction: 0 … 1 of all steps. Returns: whether to
 * go on. */
typedef bool (*AttnExperimentFunc) (const AttnExperiment *experiment, double fraction, void *data);

/**
 * attn_experiment_run:
 * @pool:   (nullable)
 * @report: (nullable)
 *
 * Trains with the first seed for all numbers of heads, then with the next one.
 *
 * Returns: false with @error: TOO_LARGE, CANCELLED; what was measured until then stays.
 * Test: tests/core/test-experiment.c
 */
bool attn_experiment_run (AttnExperiment *experiment,
                          AttnPool *pool,
                          AttnExperimentFunc report,
                          void *report_data,
                          GError **error);

/* Returns: (transfer none): as given; heads are the experiment's own. */
const AttnExperimentOptions *attn_experiment_peek_options (const AttnExperiment *experiment);

/* Returns: (transfer none): [@n] points so far of number of heads @index with seed @seed, both from
 * 0 (the seed that is trained with is one more). */
const AttnTrainPoint *attn_experiment_peek_points (const AttnExperiment *experiment,
                                                   size_t index,
                                                   size_t seed,
                                                   size_t *n);

/* Returns: points of a whole run, and the step of point @point. */
size_t attn_experiment_get_n_points (const AttnExperiment *experiment);
size_t attn_experiment_get_step (const AttnExperiment *experiment, size_t point);

/* Returns: points of all runs so far; attn_experiment_run() makes them in one order always. */
size_t attn_experiment_count_points (const AttnExperiment *experiment);

/* Returns: whether there are all points of all runs, so that nobody stopped it. */
bool attn_experiment_is_whole (const AttnExperiment *experiment);

/* Returns: seconds that a whole run took; 0 while it is not over. */
double attn_experiment_get_seconds (const AttnExperiment *experiment, size_t index, size_t seed);

/* Returns: number of heads @index after point @point. */
AttnSpread attn_experiment_get_spread (const AttnExperiment *experiment,
                                       size_t index,
                                       size_t point,
                                       AttnMeasure measure);

/* The same after the last point. */
AttnSpread
attn_experiment_get_result (const AttnExperiment *experiment, size_t index, AttnMeasure measure);

/* How a number of heads did against another one, by the losses after the last point. */
typedef enum {
  ATTN_EXPERIMENT_UNKNOWN, /* one of them has no result yet */
  ATTN_EXPERIMENT_BETTER,  /* every seed's loss below every seed's of the other */
  ATTN_EXPERIMENT_ALIKE,   /* the seeds' losses overlap */
  ATTN_EXPERIMENT_WORSE,
} AttnExperimentVerdict;

/* Returns: how number of heads @index did against number @other. */
AttnExperimentVerdict
attn_experiment_compare (const AttnExperiment *experiment, size_t index, size_t other);

/* Returns: the number of heads with the lowest mean loss; G_MAXSIZE where there is none yet. */
size_t attn_experiment_find_best (const AttnExperiment *experiment);

G_END_DECLS
