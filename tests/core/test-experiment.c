/* SPDX-License-Identifier: MIT */
/* Experiments: their runs are those of the trainer, and what is told of them is computed from them.
 */
#include "attn/error.h"
#include "attn/experiment.h"

#include <math.h>

static const size_t heads[] = {1, 4};

static AttnExperimentOptions
get_options (void)
{
  AttnExperimentOptions options = {
      .train = ATTN_TRAIN_OPTIONS, .heads = heads, .n_heads = 2, .n_seeds = 2};
  options.train.d_model = 8;
  options.train.n_steps = 25; /* the last report comes before its time */
  options.train.report_every = 10;
  return options;
}

static void
test_refused (void)
{
  const size_t uneven = 3;
  AttnExperimentOptions options = get_options ();
  g_autoptr (GError) error = NULL;
  options.n_seeds = 0;
  g_assert_null (attn_experiment_new (&options, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_clear_error (&error);
  options = get_options ();
  options.heads = &uneven;
  options.n_heads = 1;
  g_assert_null (attn_experiment_new (&options, &error));
  g_assert_cmpstr (error->message, ==, "3 heads do not divide d_model, 8");
}

typedef struct {
  size_t n, stop_after;
  double fraction;
} Told;

static bool
told_cb (const AttnExperiment *experiment, double fraction, void *data)
{
  Told *told = data;
  g_assert_nonnull (experiment);
  g_assert_cmpfloat (fraction, >=, told->fraction);
  told->fraction = fraction;
  return ++told->n != told->stop_after;
}

/* To the bit what the trainer gives alone. */
static void
check_run (const AttnExperiment *experiment, size_t index, size_t seed)
{
  AttnTrainOptions train = attn_experiment_peek_options (experiment)->train;
  AttnTrainPoint last;
  size_t n;
  const AttnTrainPoint *points = attn_experiment_peek_points (experiment, index, seed, &n);
  train.n_heads = heads[index];
  train.seed = (uint32_t)seed + 1;
  g_assert_true (attn_train_run (&train, NULL, NULL, NULL, &last, NULL));
  g_assert_cmpuint (n, ==, 4);
  for (size_t i = 0; i < n; i++)
    g_assert_cmpuint (points[i].step, ==, attn_experiment_get_step (experiment, i));
  g_assert_cmpuint (points[3].step, ==, 25);
  g_assert_true (points[3].loss == last.loss);
  for (size_t i = 0; i < ATTN_TRAIN_QUESTIONS; i++)
    g_assert_true (points[3].right[i] == last.right[i]);
  g_assert_cmpfloat (attn_experiment_get_seconds (experiment, index, seed), >, 0);
}

static void
test_runs (void)
{
  const AttnExperimentOptions options = get_options ();
  g_autoptr (AttnExperiment) experiment = attn_experiment_new (&options, NULL);
  Told told = {0};
  g_assert_cmpuint (attn_experiment_get_n_points (experiment), ==, 4);
  g_assert_cmpuint (attn_experiment_find_best (experiment), ==, G_MAXSIZE);
  g_assert_cmpint (attn_experiment_compare (experiment, 0, 1), ==, ATTN_EXPERIMENT_UNKNOWN);
  g_assert_true (attn_experiment_run (experiment, NULL, told_cb, &told, NULL));
  g_assert_cmpuint (told.n, ==, 16);
  g_assert_cmpfloat (told.fraction, ==, 1);
  for (size_t i = 0; i < 2; i++)
    for (size_t seed = 0; seed < 2; seed++)
      check_run (experiment, i, seed);
}

/* Of two seeds the mean lies in the middle: double sums of two numbers, a rounding apart. */
static void
test_spread (void)
{
  const AttnExperimentOptions options = get_options ();
  g_autoptr (AttnExperiment) experiment = attn_experiment_new (&options, NULL);
  double means[2];
  g_assert_true (attn_experiment_run (experiment, NULL, NULL, NULL, NULL));
  for (size_t i = 0; i < 2; i++) {
    size_t n;
    const double a = attn_experiment_peek_points (experiment, i, 0, &n)[3].loss;
    const double b = attn_experiment_peek_points (experiment, i, 1, &n)[3].loss;
    const AttnSpread loss = attn_experiment_get_result (experiment, i, ATTN_MEASURE_LOSS);
    g_assert_cmpuint (loss.n, ==, 2);
    g_assert_true (loss.least == fmin (a, b) && loss.most == fmax (a, b));
    g_assert_cmpfloat_with_epsilon (loss.mean, (a + b) / 2, 1e-15);
    means[i] = loss.mean;
  }
  g_assert_cmpuint (attn_experiment_find_best (experiment), ==, means[0] <= means[1] ? 0 : 1);
  const AttnSpread first = attn_experiment_get_result (experiment, 0, ATTN_MEASURE_LOSS);
  const AttnSpread second = attn_experiment_get_result (experiment, 1, ATTN_MEASURE_LOSS);
  const AttnExperimentVerdict verdict = first.most < second.least   ? ATTN_EXPERIMENT_BETTER
                                        : first.least > second.most ? ATTN_EXPERIMENT_WORSE
                                                                    : ATTN_EXPERIMENT_ALIKE;
  g_assert_cmpint (attn_experiment_compare (experiment, 0, 1), ==, verdict);
  g_assert_cmpint (attn_experiment_compare (experiment, 1, 1), ==, ATTN_EXPERIMENT_ALIKE);
}

/* What there is stays, and a copy does not change any more. */
static void
test_stopped (void)
{
  const AttnExperimentOptions options = get_options ();
  g_autoptr (AttnExperiment) experiment = attn_experiment_new (&options, NULL);
  g_autoptr (GError) error = NULL;
  Told told = {.stop_after = 6};
  size_t n;
  g_assert_false (attn_experiment_run (experiment, NULL, told_cb, &told, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  g_autoptr (AttnExperiment) copy = attn_experiment_copy (experiment);
  g_assert_true (attn_experiment_run (experiment, NULL, NULL, NULL, NULL));
  attn_experiment_peek_points (copy, 0, 0, &n);
  g_assert_cmpuint (n, ==, 4);
  attn_experiment_peek_points (copy, 1, 0, &n);
  g_assert_cmpuint (n, ==, 2);
  attn_experiment_peek_points (copy, 0, 1, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (attn_experiment_get_result (copy, 0, ATTN_MEASURE_FIRST).n, ==, 1);
  g_assert_cmpuint (attn_experiment_get_spread (copy, 1, 1, ATTN_MEASURE_MARKED).n, ==, 1);
  g_assert_cmpuint (attn_experiment_find_best (copy), ==, 0);
  g_assert_cmpint (attn_experiment_compare (copy, 0, 1), ==, ATTN_EXPERIMENT_UNKNOWN);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experiment/refused", test_refused);
  g_test_add_func ("/experiment/runs", test_runs);
  g_test_add_func ("/experiment/spread", test_spread);
  g_test_add_func ("/experiment/stopped", test_stopped);
  return g_test_run ();
}
