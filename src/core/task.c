/* SPDX-License-Identifier: MIT */
/* Losses of a text: which tokens are masked, what is right there, and means over draws. */
#include "attn/task.h"

#include "model-private.h"
#include "trace-private.h"

#include "attn/error.h"
#include "attn/predict.h"
#include "attn/run.h"
#include "attn/tokenizer.h"

#include <math.h>

static const char *const names[ATTN_N_TASKS] = {
    [ATTN_TASK_MASKED] = "masked", [ATTN_TASK_GUESSED] = "guessed", [ATTN_TASK_DRAWN] = "drawn",
    [ATTN_TASK_NEXT] = "next",     [ATTN_TASK_VECTOR] = "vector",
};

const char *
attn_task_peek_kind_name (AttnTaskKind kind)
{
  g_return_val_if_fail (kind < ATTN_N_TASKS, NULL);
  return names[kind];
}

static size_t
count_masks (const AttnTokens *tokens)
{
  size_t n = 0;
  for (size_t t = 0; t < attn_tokens_get_n (tokens); t++)
    n += attn_tokens_peek (tokens, t)->mask;
  return n;
}

static AttnTaskKind
find_kind (const AttnModel *model, const AttnTokens *tokens, const AttnTaskOptions *options)
{
  if (options->positions != NULL)
    return ATTN_TASK_MASKED;
  if (!attn_model_has_lm_head (model))
    return ATTN_TASK_VECTOR;
  if (model->arch->causal)
    return ATTN_TASK_NEXT;
  return count_masks (tokens) > 0 ? ATTN_TASK_GUESSED : ATTN_TASK_DRAWN;
}

/* Adds a draw: the text with @positions masked, and its own tokens as labels. */
static bool
add_masked (AttnTask *task,
            AttnModel *model,
            AttnTokens *tokens,
            const size_t *positions,
            size_t n,
            const AttnRunOptions *options,
            GError **error)
{
  AttnTokenizer *tokenizer = attn_model_peek_tokenizer (model);
  g_autoptr (AttnTokens) masked =
      attn_tokenizer_mask_tokens (tokenizer, tokens, positions, n, error);
  if (masked == NULL)
    return false;
  g_autofree int32_t *labels = g_new (int32_t, MAX (n, 1));
  for (size_t i = 0; i < n; i++)
    labels[i] = attn_tokens_peek (tokens, positions[i])->id;
  AttnTrace *clean = attn_model_run (model, masked, options, error);
  if (clean == NULL)
    return false;
  task->clean[task->n_draws] = clean;
  task->targets[task->n_draws++] = attn_target_new_labels (clean, positions, labels, n, error);
  return task->targets[task->n_draws - 1] != NULL;
}

/* Returns: (transfer full): the ordinary tokens' positions; [@n]. */
static size_t *
list_ordinary (const AttnTokens *tokens, size_t *n)
{
  size_t *ordinary = g_new (size_t, attn_tokens_get_n (tokens));
  *n = 0;
  for (size_t t = 0; t < attn_tokens_get_n (tokens); t++)
    if (!attn_tokens_peek (tokens, t)->special)
      ordinary[(*n)++] = t;
  return ordinary;
}

static int
compare_positions (const void *a, const void *b)
{
  const size_t first = *(const size_t *)a, second = *(const size_t *)b;
  return (first > second) - (first < second);
}

static bool
add_drawn (AttnTask *task,
           AttnModel *model,
           AttnTokens *tokens,
           const AttnTaskOptions *asked,
           const AttnRunOptions *options,
           GError **error)
{
  size_t n;
  g_autofree size_t *ordinary = list_ordinary (tokens, &n);
  if (n == 0) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "the text has no token that could be masked and guessed");
    return false;
  }
  const size_t n_masked = MAX ((size_t)lround (ATTN_TASK_SHARE * (double)n), 1);
  g_autoptr (GRand) random = g_rand_new_with_seed (asked->seed);
  for (size_t draw = 0; draw < MAX (asked->n_draws, 1); draw++) {
    for (size_t i = 0; i < n_masked; i++) { /* the first of a shuffle */
      const size_t other = i + (size_t)g_rand_int_range (random, 0, (gint32)(n - i));
      const size_t swapped = ordinary[i];
      ordinary[i] = ordinary[other];
      ordinary[other] = swapped;
    }
    g_autofree size_t *positions = g_memdup2 (ordinary, n_masked * sizeof *ordinary);
    qsort (positions, n_masked, sizeof *positions, compare_positions);
    if (!add_masked (task, model, tokens, positions, n_masked, options, error))
      return false;
  }
  return true;
}

/* Labels are what the model itself guesses first. */
static AttnTarget *
new_guessed (AttnTrace *clean, AttnPool *pool, GError **error)
{
  g_autoptr (AttnPredictions) predictions = attn_trace_predict (clean, 1, pool, error);
  if (predictions == NULL)
    return NULL;
  g_autofree size_t *positions = g_new (size_t, MAX (predictions->n, 1));
  g_autofree int32_t *labels = g_new (int32_t, MAX (predictions->n, 1));
  for (size_t i = 0; i < predictions->n; i++) {
    positions[i] = predictions->items[i].position;
    labels[i] = predictions->items[i].guesses[0].id;
  }
  return attn_target_new_labels (clean, positions, labels, predictions->n, error);
}

/* The kinds that run the text as it is. */
static bool
add_whole (AttnTask *task,
           AttnModel *model,
           AttnTokens *tokens,
           const AttnRunOptions *options,
           GError **error)
{
  AttnTrace *clean = attn_model_run (model, tokens, options, error);
  if (clean == NULL)
    return false;
  task->clean[task->n_draws++] = clean;
  if (task->kind == ATTN_TASK_GUESSED)
    task->targets[0] = new_guessed (clean, options->pool, error);
  else if (task->kind == ATTN_TASK_NEXT)
    task->targets[0] = attn_target_new_next (clean, error);
  else
    task->targets[0] = attn_target_new_vector (clean);
  return task->targets[0] != NULL;
}

static bool
add_draws (AttnTask *task,
           AttnModel *model,
           AttnTokens *tokens,
           const AttnTaskOptions *asked,
           GError **error)
{
  const AttnRunOptions options = {.pool = asked->pool};
  switch (task->kind) {
  case ATTN_TASK_MASKED:
    return add_masked (task, model, tokens, asked->positions, asked->n_positions, &options, error);
  case ATTN_TASK_DRAWN:
    return add_drawn (task, model, tokens, asked, &options, error);
  case ATTN_TASK_GUESSED:
  case ATTN_TASK_NEXT:
  case ATTN_TASK_VECTOR:
  case ATTN_N_TASKS:
    break;
  }
  return add_whole (task, model, tokens, &options, error);
}

AttnTask *
attn_task_new (AttnModel *model, AttnTokens *tokens, const AttnTaskOptions *options, GError **error)
{
  g_autoptr (AttnTask) task = g_new0 (AttnTask, 1);
  task->kind = find_kind (model, tokens, options);
  const size_t n = task->kind == ATTN_TASK_DRAWN ? MAX (options->n_draws, 1) : 1;
  task->clean = g_new0 (AttnTrace *, n);
  task->targets = g_new0 (AttnTarget *, n);
  if (!add_draws (task, model, tokens, options, error))
    return NULL;
  for (size_t draw = 0; draw < task->n_draws; draw++) {
    double loss;
    if (!attn_target_compute_losses (task->targets[draw], &task->clean[draw], 1, options->pool,
                                     &loss, error))
      return NULL;
    task->loss += loss / (double)task->n_draws;
  }
  return g_steal_pointer (&task);
}

void
attn_task_free (AttnTask *task)
{
  if (task == NULL)
    return;
  for (size_t draw = 0; draw < task->n_draws; draw++) {
    attn_trace_unref (task->clean[draw]);
    attn_target_free (task->targets[draw]);
  }
  g_free (task->clean);
  g_free (task->targets);
  g_free (task);
}

bool
attn_task_compute_loss (const AttnTask *task,
                        const AttnHeadGates *gates,
                        bool frozen,
                        AttnPool *pool,
                        double *loss,
                        AttnTrace **first,
                        GError **error)
{
  const AttnRunOptions options = {.pool = pool};
  *loss = 0;
  for (size_t draw = 0; draw < task->n_draws; draw++) {
    AttnTrace *clean = task->clean[draw];
    const AttnRunInput input = {
        .tokens = clean->tokens, .gates = gates, .patterns_from = frozen ? clean : NULL};
    g_autoptr (AttnTrace) trace = NULL;
    double own;
    if (!attn_model_run_batch (clean->model, &input, 1, &options, &trace, error) ||
        !attn_target_compute_losses (task->targets[draw], &trace, 1, pool, &own, error))
      return false;
    *loss += own / (double)task->n_draws;
    if (draw == 0 && first != NULL)
      *first = g_steal_pointer (&trace);
  }
  return true;
}

bool
attn_task_ablate_each (const AttnTask *task,
                       const AttnAblation *ablation,
                       double *losses,
                       GError **error)
{
  const AttnConfig *config = task->clean[0]->model->config;
  const size_t n = config->n_layers * config->n_heads;
  g_autofree double *own = g_new (double, n);
  for (size_t i = 0; i < n; i++)
    losses[i] = 0;
  for (size_t draw = 0; draw < task->n_draws; draw++) {
    if (!attn_ablate_each (task->clean[draw], task->targets[draw], ablation, own, error))
      return false;
    for (size_t i = 0; i < n; i++)
      losses[i] += own[i] / (double)task->n_draws;
  }
  return true;
}
