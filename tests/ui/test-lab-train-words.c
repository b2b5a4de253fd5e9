/* SPDX-License-Identifier: MIT */
/* What the lab says of an experiment. */
#include "hs-application.h"
#include "hs-lab-train-words.h"
#include "hs-lab-train.h"

#include <string.h>

static AttnExperiment *
run_heads (size_t n_heads, size_t n_seeds, size_t n_steps)
{
  static const size_t heads[] = {1, 4};
  AttnExperimentOptions options = {
      .train = ATTN_TRAIN_OPTIONS, .heads = heads, .n_heads = n_heads, .n_seeds = n_seeds};
  options.train.n_steps = n_steps;
  g_autoptr (AttnExperiment) experiment = attn_experiment_new (&options, NULL);

  g_assert_true (attn_experiment_run (experiment, NULL, NULL, NULL, NULL));
  return g_steal_pointer (&experiment);
}

static AttnExperiment *
run_small (size_t n_seeds, size_t n_steps)
{
  return run_heads (2, n_seeds, n_steps);
}

/* Sentences follow the numbers, whichever way they fall. */
static void
test_finding (void)
{
  for (size_t n_steps = 1; n_steps <= 201; n_steps += 100) {
    g_autoptr (AttnExperiment) experiment = run_small (2, n_steps);
    g_autofree char *finding = hs_lab_train_dup_finding (experiment);
    const size_t best = attn_experiment_find_best (experiment);
    const AttnExperimentVerdict other = attn_experiment_compare (experiment, 1 - best, best);
    g_assert_nonnull (strstr (finding, best == 0 ? "with 1 head:" : "with 4 heads:"));
    g_assert_null (strstr (finding, "So far")); /* nothing is to come */
    const bool worse = other == ATTN_EXPERIMENT_WORSE;
    g_assert_true ((strstr (finding, "did worse with every seed") != NULL) == worse);
    g_assert_true ((strstr (finding, "within the spread") != NULL) == !worse);
  }
  g_autoptr (AttnExperiment) alone = run_small (1, 1);
  g_autofree char *finding = hs_lab_train_dup_finding (alone);
  g_assert_nonnull (strstr (finding, "One seed has no spread"));
  g_autoptr (AttnExperiment) single = run_heads (1, 1, 1);
  g_autofree char *nothing = hs_lab_train_dup_finding (single);
  g_assert_cmpstr (nothing, ==, ""); /* there is nothing to compare it with */
}

static AttnExperiment *
run_list (const size_t *heads, size_t n_heads, size_t n_seeds, size_t n_steps)
{
  AttnExperimentOptions options = {
      .train = ATTN_TRAIN_OPTIONS, .heads = heads, .n_heads = n_heads, .n_seeds = n_seeds};
  options.train.n_steps = n_steps;
  g_autoptr (AttnExperiment) experiment = attn_experiment_new (&options, NULL);

  g_assert_true (attn_experiment_run (experiment, NULL, NULL, NULL, NULL));
  return g_steal_pointer (&experiment);
}

static size_t
count_best (GtkWidget *widget)
{
  size_t n = gtk_widget_has_css_class (widget, "best-row");

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_best (child);
  return n;
}

/* The same training twice has the same numbers, and neither is told to be the better one. */
static void
test_equal (void)
{
  static const size_t heads[] = {4, 4};
  g_autoptr (AttnExperiment) experiment = run_list (heads, 2, 2, 101);
  g_autofree char *finding = hs_lab_train_dup_finding (experiment);
  GtkWidget *grid = g_object_ref_sink (gtk_grid_new ());

  g_assert_nonnull (strstr (finding, "alike: 4, 4."));
  g_assert_nonnull (strstr (finding, "4 heads did as well within the spread"));
  g_assert_null (strstr (finding, "more heads were better"));
  hs_lab_train_fill_table (GTK_GRID (grid), experiment);
  g_assert_cmpuint (count_best (grid), ==, 2 * 7); /* both rows' cells */
  g_object_unref (grid);
}

/* A mean of seeds that learned the task and seeds that did not is told to be one. */
static void
test_wide (void)
{
  static const size_t heads[] = {1, 2};
  g_autoptr (AttnExperiment) experiment = run_list (heads, 2, 3, 400);
  g_autofree char *finding = hs_lab_train_dup_finding (experiment);
  size_t n_wide = 0, n_told = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (heads); i++) {
    const AttnSpread loss = attn_experiment_get_result (experiment, i, ATTN_MEASURE_LOSS);
    n_wide += loss.most - loss.least >= 0.1 && loss.most >= 10 * loss.least;
  }
  for (const char *at = finding; (at = strstr (at, "some seeds learned it")) != NULL; at++)
    n_told++;
  g_assert_cmpuint (n_wide, >, 0);
  g_assert_cmpuint (n_told, ==, n_wide);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  g_test_add_func ("/lab-train-words/finding", test_finding);
  g_test_add_func ("/lab-train-words/equal", test_equal);
  g_test_add_func ("/lab-train-words/wide", test_wide);
  return g_test_run ();
}
