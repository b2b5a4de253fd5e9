/* SPDX-License-Identifier: MIT */
/* The trainer: its derivatives, the toy task's answers, the same numbers on any number of threads,
 * and that it learns what it can. */
#include "ops-backward.h"
#include "toy-net.h"
#include "toy-task.h"

#include "attn/error.h"
#include "attn/train.h"

#include <math.h>
#include <string.h>

#define STEP 4e-3f

static const AttnTrainOptions small = {
    .d_model = 6,
    .n_heads = 2,
    .n_tokens = 5,
    .n_symbols = 3,
    .n_sequences = 3,
    .n_steps = 4,
    .report_every = 3,
    .learning_rate = 0.01,
    .seed = 5,
};

static double
compute_loss (const AttnToyWeights *weights,
              const int32_t *ids,
              const int *labels,
              const AttnToyScratch *scratch)
{
  attn_toy_forward (weights, &small, ids, scratch);
  return attn_backward_cross_entropy (scratch->logits, scratch->logits, labels,
                                      ATTN_TRAIN_QUESTIONS * small.n_tokens, small.n_symbols, 1);
}

/* Every weight moved a little either way. The loss, about 20, is off by 1e-5 in single precision;
 * over two steps that is 2e-3. */
static void
test_derivatives (void)
{
  AttnToyWeights weights, derivatives;
  AttnToyScratch scratch;
  g_autoptr (GError) error = NULL;
  g_auto (AttnBlock) block = {0};
  AttnCutter cutter = {0};
  size_t n = 0;
  for (int round = 0; round < 2; round++) { /* count, then cut */
    attn_toy_cut_weights (&cutter, &small, &weights);
    n = cutter.used;
    attn_toy_cut_weights (&cutter, &small, &derivatives);
    attn_toy_cut_scratch (&cutter, &small, &scratch);
    if (round == 0)
      g_assert_true (attn_block_init (&block, &cutter, "the test", true, &error));
    if (round == 0)
      cutter = (AttnCutter){.base = block.data};
  }
  g_autoptr (GRand) random = g_rand_new_with_seed (small.seed);
  int32_t ids[5];
  int labels[ATTN_TRAIN_QUESTIONS * 5];
  attn_toy_start (&weights, &small, random);
  attn_toy_fill (random, small.n_tokens, small.n_symbols, ids, labels);
  const double before = compute_loss (&weights, ids, labels, &scratch);
  attn_toy_forward (&weights, &small, ids, &scratch);
  const double loss = attn_toy_backward (&weights, &small, ids, labels, 1, &scratch, &derivatives);
  g_assert_cmpfloat (loss, ==, before);
  for (size_t i = 0; i < n; i++) {
    float *weight = weights.words + i, kept = *weight;
    *weight = kept + STEP;
    const double above = compute_loss (&weights, ids, labels, &scratch);
    *weight = kept - STEP;
    const double below = compute_loss (&weights, ids, labels, &scratch);
    *weight = kept;
    const double wanted = (above - below) / (2 * (double)STEP);
    g_assert_cmpfloat_with_epsilon ((double)derivatives.words[i], wanted,
                                    5e-3 * (1 + fabs (wanted)));
  }
}

static void
test_task (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  for (int round = 0; round < 200; round++) {
    int32_t ids[7];
    int labels[ATTN_TRAIN_QUESTIONS][7], marked = -1;
    attn_toy_fill (random, 7, 4, ids, labels[0]);
    for (int t = 0; t < 7; t++)
      if (ids[t] >= 4) {
        g_assert_cmpint (marked, ==, -1);
        marked = t;
      }
    g_assert_cmpint (marked, >=, 0);
    for (int t = 0; t < 7; t++) {
      g_assert_cmpint (labels[ATTN_TOY_PREVIOUS][t], ==, t > 0 ? ids[t - 1] % 4 : -1);
      g_assert_cmpint (labels[ATTN_TOY_FIRST][t], ==, ids[0] % 4);
      g_assert_cmpint (labels[ATTN_TOY_MARKED][t], ==, ids[marked] % 4);
    }
  }
}

static bool
collect (const AttnTrainPoint *point, void *data)
{
  g_array_append_val ((GArray *)data, *point);
  return true;
}

static GArray *
run (const AttnTrainOptions *options, size_t n_threads)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnPool) pool = attn_pool_new (n_threads);
  GArray *points = g_array_new (FALSE, FALSE, sizeof (AttnTrainPoint));
  attn_train_run (options, pool, collect, points, NULL, &error);
  g_assert_no_error (error);
  return points;
}

static void
test_threads (void)
{
  AttnTrainOptions options = small;
  options.n_sequences = 21; /* no multiple of the pieces */
  g_autoptr (GArray) one = run (&options, 1);
  g_autoptr (GArray) three = run (&options, 3);
  g_assert_cmpmem (one->data, one->len * sizeof (AttnTrainPoint), three->data,
                   three->len * sizeof (AttnTrainPoint));
  options.seed++;
  g_autoptr (GArray) other = run (&options, 1);
  g_assert_true (memcmp (one->data, other->data, one->len * sizeof (AttnTrainPoint)) != 0);
}

static void
test_reports (void)
{
  g_autoptr (GArray) points = run (&small, 1);
  static const size_t steps[] = {0, 3, 4};
  g_assert_cmpuint (points->len, ==, G_N_ELEMENTS (steps));
  for (guint i = 0; i < points->len; i++)
    g_assert_cmpuint (g_array_index (points, AttnTrainPoint, i).step, ==, steps[i]);
}

/* Four heads are enough for three questions; before, it is guessing among eight. */
static void
test_learns (void)
{
  AttnTrainOptions options = ATTN_TRAIN_OPTIONS;
  options.n_heads = 4;
  g_autoptr (GArray) points = run (&options, 0);
  const AttnTrainPoint *first = &g_array_index (points, AttnTrainPoint, 0);
  const AttnTrainPoint *last = &g_array_index (points, AttnTrainPoint, points->len - 1);
  g_assert_cmpfloat (first->loss, >, log (8) - 0.3);
  g_assert_cmpfloat (last->loss, <, 0.1);
  for (int question = 0; question < ATTN_TRAIN_QUESTIONS; question++) {
    g_assert_cmpfloat (first->right[question], <, 0.3);
    g_assert_cmpfloat (last->right[question], >, 0.95);
  }
}

static bool
stop (const AttnTrainPoint *point, void *data)
{
  *(size_t *)data = point->step;
  return point->step < 3;
}

static void
test_stop (void)
{
  g_autoptr (GError) error = NULL;
  size_t seen = 0;
  g_assert_false (attn_train_run (&small, NULL, stop, &seen, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  g_assert_cmpuint (seen, ==, 3);
}

static void
check_refused (AttnTrainOptions options, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (attn_train_run (&options, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_refused (void)
{
  AttnTrainOptions options = small;
  options.n_heads = 4;
  check_refused (options, "4 heads do not divide d_model, 6");
  options = small;
  options.n_tokens = 1;
  check_refused (options, "the number of tokens is 1, wanted 2 to 4096");
  options = small;
  options.d_model = options.n_heads = 5000;
  check_refused (options, "d_model is 5000");
  options = small;
  options.n_steps = 0;
  check_refused (options, "the number of steps is 0, wanted 1 to 100000");
  options.n_steps = 100001;
  check_refused (options, "the number of steps is 100001, wanted 1 to 100000");
  options = small;
  options.report_every = 0;
  check_refused (options, "wanted more than 0");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/train/derivatives", test_derivatives);
  g_test_add_func ("/train/task", test_task);
  g_test_add_func ("/train/threads", test_threads);
  g_test_add_func ("/train/reports", test_reports);
  g_test_add_func ("/train/learns", test_learns);
  g_test_add_func ("/train/stop", test_stop);
  g_test_add_func ("/train/refused", test_refused);
  return g_test_run ();
}
