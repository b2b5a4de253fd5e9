/* SPDX-License-Identifier: MIT */
/* What a text asks of a model: each kind of task, and means over draws. */
#include "text-run.h"

#include "attn/error.h"
#include "attn/predict.h"
#include "attn/task.h"

#include <math.h>
#include <string.h>

/* The label is the best guess, so the loss is the least any label has. */
static void
test_guessed (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnTask) task = test_task_new (model, "the [MASK] sat", &(AttnTaskOptions){0});
  g_assert_cmpint (task->kind, ==, ATTN_TASK_GUESSED);
  g_autoptr (AttnPredictions) predictions = attn_trace_predict (task->clean, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (task->loss, -log ((double)predictions->items[0].guesses[0].p),
                                  1e-5); /* p is kept in single precision */
}

/* The same seed draws the same; each draw masks some tokens; the loss is the mean of the draws'. */
static void
test_drawn (void)
{
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  const char *text = "the cat watched the river while the old model was explaining attention";
  const AttnTaskOptions options = {.n_draws = 3, .seed = 5};
  g_autoptr (AttnTask) task = test_task_new (model, text, &options);
  g_autoptr (AttnTask) same = test_task_new (model, text, &options);
  g_assert_cmpint (task->kind, ==, ATTN_TASK_DRAWN);
  g_assert_cmpuint (task->n_draws, ==, 3);
  g_assert_cmpfloat (task->loss, ==, same->loss);
  double sum = 0;
  for (size_t draw = 0; draw < 3; draw++) {
    g_autoptr (GError) error = NULL;
    AttnTokens *tokens = task->texts[draw];
    size_t n_masks = 0, n_ordinary = 0;
    for (size_t t = 0; t < attn_tokens_get_n (tokens); t++) {
      n_masks += attn_tokens_peek (tokens, t)->mask;
      n_ordinary += !attn_tokens_peek (tokens, t)->special;
    }
    g_assert_cmpuint (n_masks, ==, (size_t)lround (ATTN_TASK_SHARE * (double)n_ordinary));
    double loss;
    g_autoptr (AttnTrace) clean = attn_task_run_clean (task, draw, NULL, &error);
    g_assert_true (
        attn_target_compute_losses (task->targets[draw], &clean, 1, NULL, &loss, &error));
    sum += loss;
  }
  g_assert_cmpfloat_with_epsilon (task->loss, sum / 3, 1e-12);
}

/* -ln p of each next token, from the logits. */
static void
test_next (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/gpt2");
  g_autoptr (AttnTask) task = test_task_new (model, "the cat sat", &(AttnTaskOptions){0});
  g_assert_cmpint (task->kind, ==, ATTN_TASK_NEXT);
  AttnTrace *trace = task->clean;
  const size_t n = attn_trace_get_n_tokens (trace), V = attn_model_peek_config (model)->vocab_size;
  g_autofree float *logits = g_new (float, n *V);
  g_assert_true (attn_trace_compute_logits (trace, 0, n, logits, NULL, &error));
  double loss = 0;
  for (size_t t = 0; t + 1 < n; t++) {
    double sum = 0;
    for (size_t i = 0; i < V; i++)
      sum += exp ((double)logits[t * V + i]);
    loss += log (sum) - (double)logits[t * V + (size_t)attn_trace_peek_ids (trace)[t + 1]];
  }
  g_assert_cmpfloat_with_epsilon (task->loss, loss / (double)(n - 1), 1e-6);
}

/* No head off is no loss; one off is what ablating each has for it. */
static void
test_vector (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/sentence-transformers");
  g_autoptr (AttnTask) task = test_task_new (model, "the cat sat", &(AttnTaskOptions){0});
  g_assert_cmpint (task->kind, ==, ATTN_TASK_VECTOR);
  const AttnConfig *config = attn_model_peek_config (model);
  const size_t n = config->n_layers * config->n_heads;
  g_autoptr (AttnHeadGates) gates = attn_head_gates_new (config->n_layers, config->n_heads);
  double loss;
  g_assert_true (attn_task_compute_loss (task, gates, false, NULL, &loss, NULL, &error));
  g_assert_cmpfloat (fabs (loss), <, 1e-12);
  g_autofree double *losses = g_new (double, n);
  g_assert_true (
      attn_task_ablate_each (task, &(AttnAblation){.gate = ATTN_GATE_MEAN}, losses, &error));
  attn_head_gates_set (gates, 1, 0, ATTN_GATE_MEAN);
  g_assert_true (attn_task_compute_loss (task, gates, false, NULL, &loss, NULL, &error));
  g_assert_cmpfloat_with_epsilon (loss, losses[config->n_heads], 1e-6);
}

static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  const size_t position = 1;
  const AttnTaskOptions options = {.positions = &position, .n_positions = 1};
  g_autoptr (AttnModel) causal = test_model_load ("golden/models/gpt2");
  g_autoptr (AttnTokens) tokens = test_text_encode (causal, "the cat", NULL);
  g_assert_null (attn_task_new (causal, tokens, &options, &error));
  g_assert_nonnull (strstr (error->message, "no mask"));
  g_clear_error (&error);
  g_autoptr (AttnTokens) single = test_text_encode (causal, "a", NULL);
  g_assert_cmpuint (attn_tokens_get_n (single), ==, 1);
  g_assert_null (attn_task_new (causal, single, &(AttnTaskOptions){0}, &error));
  g_assert_nonnull (strstr (error->message, "at least 2 tokens"));
  g_clear_error (&error);
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnTokens) empty = test_text_encode (model, "", NULL);
  g_assert_null (attn_task_new (model, empty, &(AttnTaskOptions){0}, &error));
  g_assert_nonnull (strstr (error->message, "no token that could be masked"));
  g_clear_error (&error);
  g_autoptr (AttnTokens) some = test_text_encode (model, "the cat", NULL);
  const AttnTaskOptions many = {.n_draws = ATTN_TASK_MAX_DRAWS + 1};
  g_assert_null (attn_task_new (model, some, &many, &error));
  g_assert_nonnull (strstr (error->message, "1001 draws"));
}

/* Asked the third time, it says no. */
static bool
stop_third (G_GNUC_UNUSED double fraction, void *data)
{
  return ++*(size_t *)data < 3;
}

static void
test_stopped (void)
{
  g_autoptr (GError) error = NULL;
  size_t n_asked = 0;
  g_autoptr (AttnModel) model = test_model_load ("golden/models/bert-mlm");
  g_autoptr (AttnTokens) tokens = test_text_encode (model, "the cat sat", NULL);
  const AttnTaskOptions options = {.n_draws = 5, .progress = stop_third, .progress_data = &n_asked};
  g_assert_null (attn_task_new (model, tokens, &options, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  g_assert_cmpuint (n_asked, ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/task/guessed", test_guessed);
  g_test_add_func ("/task/drawn", test_drawn);
  g_test_add_func ("/task/next", test_next);
  g_test_add_func ("/task/vector", test_vector);
  g_test_add_func ("/task/refused", test_refused);
  g_test_add_func ("/task/stopped", test_stopped);
  return g_test_run ();
}
