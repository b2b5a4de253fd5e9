/* SPDX-License-Identifier: MIT */
/* What is asked of heads that are off, and what comes of it: lists, labels, patching, ranks. */
#include "text-run.h"

#include "attn/ablation.h"
#include "attn/error.h"

#include <math.h>
#include <string.h>

#define TEXT "the [MASK] sat"

static AttnAblationClean *
make (AttnModel *model, const char *text, const AttnAblationAsked *asked, GError **error)
{
  g_autoptr (AttnTokens) tokens = test_text_encode (model, text, NULL);
  return attn_ablation_clean_new (model, tokens, asked, NULL, 0, &(AttnImportanceOptions){0},
                                  error);
}

/* A list is read as it is written, in whatever order; heads that are not there are told. */
static void
test_list (void)
{
  size_t outside[2] = {7, 7};
  g_autoptr (AttnHeadGates) gates = attn_head_gates_new (3, 4);
  g_assert_true (attn_head_list_read ("3-4,1-2", ATTN_GATE_MEAN, gates, outside));
  g_assert_cmpuint (outside[0], ==, 0);
  g_assert_cmpuint (attn_head_gates_count (gates), ==, 2);
  g_assert_cmpint (attn_head_gates_get (gates, 2, 3), ==, ATTN_GATE_MEAN);
  g_autofree char *list = attn_head_list_dup (gates);
  g_assert_cmpstr (list, ==, "1-2,3-4");
  g_assert_true (attn_head_list_read ("2-1,4-1,2-9", ATTN_GATE_ZERO, gates, outside));
  g_assert_cmpuint (outside[0], ==, 4);
  g_assert_cmpuint (outside[1], ==, 1);
  static const char *const wrong[] = {"1", "1-2-3", "0-1", "1-0", "a-1", "1-1,", "1-1 2-2"};
  for (size_t i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (attn_head_list_read (wrong[i], ATTN_GATE_ZERO, gates, NULL));
}

/* A label that is named takes the place of the best guess; one that is no token is refused. */
static void
test_labels (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  AttnAblationAsked asked = ATTN_ABLATION_ASKED;
  g_autoptr (AttnAblationClean) guessed = make (model, TEXT, &asked, &error);
  g_assert_no_error (error);
  g_assert_cmpint (guessed->task->kind, ==, ATTN_TASK_GUESSED);
  const AttnPrediction *prediction = &guessed->before->items[0];
  g_assert_cmpint (guessed->task->labels[0], ==, prediction->guesses[0].id);
  asked.labels = (char *)(guintptr)prediction->guesses[1].piece;
  g_autoptr (AttnAblationClean) labelled = make (model, TEXT, &asked, &error);
  g_assert_no_error (error);
  g_assert_cmpint (labelled->task->kind, ==, ATTN_TASK_LABELLED);
  g_assert_cmpint (labelled->task->labels[0], ==, prediction->guesses[1].id);
  g_assert_cmpfloat_with_epsilon (labelled->task->loss, -log ((double)prediction->guesses[1].p),
                                  1e-5); /* p is kept in single precision */
  asked.labels = (char *)(guintptr) "no-such-word-here";
  g_assert_null (make (model, TEXT, &asked, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
}

/* Patched from the very same text nothing changes; from another one it does, and each head is its
 * entry among all; a text of another length is refused. */
static void
test_patch (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  AttnAblationAsked asked = ATTN_ABLATION_ASKED;
  g_autoptr (AttnAblationClean) clean = make (model, TEXT, &asked, &error);
  g_assert_no_error (error);
  asked.kind = ATTN_ABLATE_PATCH;
  asked.off = (char *)(guintptr) "1-1,2-2";
  asked.patch = (char *)(guintptr)TEXT;
  g_autoptr (AttnAblationOff) same = attn_ablation_off_new (clean, &asked, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (same->loss, clean->task->loss, 1e-6); /* single precision */
  asked.off = (char *)(guintptr) "2-1";
  asked.patch = (char *)(guintptr) "sat the the";
  g_autoptr (AttnAblationOff) other = attn_ablation_off_new (clean, &asked, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (fabs (other->loss - clean->task->loss), >, 1e-6);
  g_autofree double *each = attn_ablation_compute_each (clean, &asked, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (each[clean->n_heads], other->loss, 1e-6);
  asked.patch = (char *)(guintptr) "the";
  g_assert_null (attn_ablation_off_new (clean, &asked, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_clear_error (&error);
  asked.patch = NULL;
  g_assert_null (attn_ablation_compute_each (clean, &asked, NULL, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_INVALID_TEXT);
}

/* Numbers by hand: effects of 0.1, 0.4, −0.2 and 0.3 against importances. */
static void
test_ranks (void)
{
  AttnTask task = {.loss = 1, .kind = ATTN_TASK_NEXT, .n_draws = 1};
  const AttnAblationClean clean = {.task = &task, .n_layers = 2, .n_heads = 2};
  const double each[] = {1.1, 1.4, 0.8, 1.3};
  double same[] = {1, 4, 2, 3}, opposite[] = {4, 1, 3, 2}, flat[] = {1, 1, 1, 1};
  double tied[] = {1, 3, 1, 3};
  AttnImportance importance = {2, 2, same, same, same};
  const AttnAblationNumbers numbers = {.clean = &clean, .each = each, .importance = &importance};
  g_assert_cmpfloat_with_epsilon (attn_ablation_correlate (&numbers), 1, 1e-12);
  importance.importance = opposite;
  g_assert_cmpfloat_with_epsilon (attn_ablation_correlate (&numbers), -1, 1e-12);
  importance.importance = flat;
  g_assert_true (isnan (attn_ablation_correlate (&numbers)));
  importance.importance = tied; /* ranks 0.5 2.5 0.5 2.5 against 0 3 1 2: 4 / √(5 × 4) */
  g_assert_cmpfloat_with_epsilon (attn_ablation_correlate (&numbers), 4 / sqrt (20), 1e-12);
  g_autofree size_t *ranked = attn_ablation_rank (&numbers);
  static const size_t wanted[] = {1, 3, 0, 2};
  g_assert_cmpmem (ranked, sizeof wanted, wanted, sizeof wanted);
  g_autofree char *csv = attn_ablation_dup_csv (&numbers);
  g_assert_nonnull (strstr (csv, "\n1,2,0,1.4,0.4,4,3,4\n"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ablation/list", test_list);
  g_test_add_func ("/ablation/labels", test_labels);
  g_test_add_func ("/ablation/patch", test_patch);
  g_test_add_func ("/ablation/ranks", test_ranks);
  return g_test_run ();
}
