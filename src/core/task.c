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
    [ATTN_TASK_MASKED] = "masked",     [ATTN_TASK_GUESSED] = "guessed",
    [ATTN_TASK_LABELLED] = "labelled", [ATTN_TASK_DRAWN] = "drawn",
    [ATTN_TASK_NEXT] = "next",         [ATTN_TASK_VECTOR] = "vector",
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
  if (count_masks (tokens) == 0)
    return ATTN_TASK_DRAWN;
  return options->n_labels > 0 ? ATTN_TASK_LABELLED : ATTN_TASK_GUESSED;
}

/* Keeps what is asked of the first draw. */
static void
note_labels (AttnTask *task, const size_t *positions, const int32_t *labels, size_t n)
{
  if (task->labels != NULL)
    return;
  task->positions = g_memdup2 (positions, n * sizeof *positions);
  task->labels = g_memdup2 (labels, n * sizeof *labels);
  task->n_labels = n;
}

/* What a draw is made of. */
typedef struct {
  AttnModel *model;
  AttnTokens *tokens;
  AttnRunOptions options;
} Maker;

/* Adds the loss of the last draw's run @clean with all heads, which is kept if it is the first. */
static bool
add_run (AttnTask *task, AttnTrace *clean, AttnPool *pool, GError **error)
{
  double loss;
  const bool done =
      task->targets[task->n_draws - 1] != NULL &&
      attn_target_compute_losses (task->targets[task->n_draws - 1], &clean, 1, pool, &loss, error);
  if (done)
    task->loss += loss;
  if (task->n_draws == 1)
    task->clean = clean;
  else
    attn_trace_unref (clean);
  return done;
}

/* Adds a draw: the text with @positions masked, and its own tokens as labels. */
static bool
add_masked (AttnTask *task, const Maker *maker, const size_t *positions, size_t n, GError **error)
{
  AttnTokens *masked = attn_tokenizer_mask_tokens (attn_model_peek_tokenizer (maker->model),
                                                   maker->tokens, positions, n, error);
  if (masked == NULL)
    return false;
  task->texts[task->n_draws++] = masked;
  g_autofree int32_t *labels = g_new (int32_t, MAX (n, 1));
  for (size_t i = 0; i < n; i++)
    labels[i] = attn_tokens_peek (maker->tokens, positions[i])->id;
  note_labels (task, positions, labels, n);
  AttnTrace *clean = attn_model_run (maker->model, masked, &maker->options, error);
  if (clean == NULL)
    return false;
  task->targets[task->n_draws - 1] = attn_target_new_labels (clean, positions, labels, n, error);
  return add_run (task, clean, maker->options.pool, error);
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

static void
draw_first (size_t *ordinary, size_t n, size_t n_masked, GRand *random)
{
  for (size_t i = 0; i < n_masked; i++) { /* the first of a shuffle */
    const size_t other = i + (size_t)g_rand_int_range (random, 0, (gint32)(n - i));
    const size_t swapped = ordinary[i];
    ordinary[i] = ordinary[other];
    ordinary[other] = swapped;
  }
}

static bool
add_drawn (AttnTask *task, const Maker *maker, const AttnTaskOptions *asked, GError **error)
{
  size_t n;
  g_autofree size_t *ordinary = list_ordinary (maker->tokens, &n);
  if (n == 0) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "the text has no token that could be masked and guessed");
    return false;
  }
  const size_t n_masked = MAX ((size_t)lround (ATTN_TASK_SHARE * (double)n), 1);
  const size_t n_draws = MAX (asked->n_draws, 1);
  g_autoptr (GRand) random = g_rand_new_with_seed (asked->seed);
  for (size_t draw = 0; draw < n_draws; draw++) {
    draw_first (ordinary, n, n_masked, random);
    g_autofree size_t *positions = g_memdup2 (ordinary, n_masked * sizeof *ordinary);
    qsort (positions, n_masked, sizeof *positions, compare_positions);
    if (!attn_progress_tell (asked->progress, asked->progress_data, (double)draw / (double)n_draws,
                             error) ||
        !add_masked (task, maker, positions, n_masked, error))
      return false;
  }
  return true;
}

/* Labels are what somebody said is right, and else what the model itself guesses first. */
static AttnTarget *
new_guessed (AttnTask *task, AttnTrace *clean, const AttnTaskOptions *asked, GError **error)
{
  g_autoptr (AttnPredictions) predictions = attn_trace_predict (clean, 1, asked->pool, error);
  if (predictions == NULL)
    return NULL;
  g_autofree size_t *positions = g_new (size_t, MAX (predictions->n, 1));
  g_autofree int32_t *labels = g_new (int32_t, MAX (predictions->n, 1));
  for (size_t i = 0; i < predictions->n; i++) {
    positions[i] = predictions->items[i].position;
    labels[i] = i < asked->n_labels ? asked->labels[i] : predictions->items[i].guesses[0].id;
  }
  note_labels (task, positions, labels, predictions->n);
  return attn_target_new_labels (clean, positions, labels, predictions->n, error);
}

/* The kinds that run the text as it is. */
static bool
add_whole (AttnTask *task, const Maker *maker, const AttnTaskOptions *asked, GError **error)
{
  AttnTrace *clean = attn_model_run (maker->model, maker->tokens, &maker->options, error);
  if (clean == NULL)
    return false;
  task->texts[task->n_draws++] = attn_tokens_ref (maker->tokens);
  if (task->kind == ATTN_TASK_GUESSED || task->kind == ATTN_TASK_LABELLED)
    task->targets[0] = new_guessed (task, clean, asked, error);
  else if (task->kind == ATTN_TASK_NEXT)
    task->targets[0] = attn_target_new_next (clean, error);
  else
    task->targets[0] = attn_target_new_vector (clean);
  return add_run (task, clean, maker->options.pool, error);
}

static bool
add_draws (AttnTask *task, const Maker *maker, const AttnTaskOptions *asked, GError **error)
{
  switch (task->kind) {
  case ATTN_TASK_MASKED:
    return add_masked (task, maker, asked->positions, asked->n_positions, error);
  case ATTN_TASK_DRAWN:
    return add_drawn (task, maker, asked, error);
  case ATTN_TASK_GUESSED:
  case ATTN_TASK_LABELLED:
  case ATTN_TASK_NEXT:
  case ATTN_TASK_VECTOR:
  case ATTN_N_TASKS:
    break;
  }
  return add_whole (task, maker, asked, error);
}

AttnTask *
attn_task_new (AttnModel *model, AttnTokens *tokens, const AttnTaskOptions *options, GError **error)
{
  if (options->n_draws > ATTN_TASK_MAX_DRAWS) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE, "found %zu draws of masks, wanted at most %d",
                 options->n_draws, ATTN_TASK_MAX_DRAWS);
    return NULL;
  }
  const Maker maker = {model, tokens, {.pool = options->pool}};
  g_autoptr (AttnTask) task = g_new0 (AttnTask, 1);
  task->kind = find_kind (model, tokens, options);
  const size_t n = task->kind == ATTN_TASK_DRAWN ? MAX (options->n_draws, 1) : 1;
  task->texts = g_new0 (AttnTokens *, n);
  task->targets = g_new0 (AttnTarget *, n);
  if (!add_draws (task, &maker, options, error))
    return NULL;
  task->loss /= (double)task->n_draws;
  return g_steal_pointer (&task);
}

AttnTrace *
attn_task_run_clean (const AttnTask *task, size_t draw, AttnPool *pool, GError **error)
{
  g_return_val_if_fail (draw < task->n_draws, NULL);
  const AttnRunOptions options = {.pool = pool};
  return draw == 0 ? attn_trace_ref (task->clean)
                   : attn_model_run (task->clean->model, task->texts[draw], &options, error);
}

void
attn_task_free (AttnTask *task)
{
  if (task == NULL)
    return;
  for (size_t draw = 0; draw < task->n_draws; draw++) {
    attn_tokens_unref (task->texts[draw]);
    attn_target_free (task->targets[draw]);
  }
  if (task->clean != NULL)
    attn_trace_unref (task->clean);
  g_free (task->texts);
  g_free (task->targets);
  g_free (task->positions);
  g_free (task->labels);
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
  const AttnAblation ablation = {.frozen = frozen, .pool = pool};
  return attn_task_run (task, gates, &ablation, loss, first, error);
}

bool
attn_task_run (const AttnTask *task,
               const AttnHeadGates *gates,
               const AttnAblation *ablation,
               double *loss,
               AttnTrace **first,
               GError **error)
{
  AttnPool *pool = ablation->pool;
  const AttnRunOptions options = {.pool = pool};
  g_autoptr (AttnTrace) kept = NULL;
  double sum = 0;
  for (size_t draw = 0; draw < task->n_draws; draw++) {
    const bool frozen = ablation->frozen;
    g_autoptr (AttnTrace) clean = frozen ? attn_task_run_clean (task, draw, pool, error) : NULL;
    const AttnRunInput input = {.tokens = task->texts[draw],
                                .gates = gates,
                                .patterns_from = clean,
                                .patch_from = ablation->patch_from};
    g_autoptr (AttnTrace) trace = NULL;
    double own;
    if ((frozen && clean == NULL) ||
        !attn_model_run_batch (task->clean->model, &input, 1, &options, &trace, error) ||
        !attn_target_compute_losses (task->targets[draw], &trace, 1, pool, &own, error))
      return false;
    sum += own / (double)task->n_draws;
    if (draw == 0)
      kept = g_steal_pointer (&trace);
  }
  *loss = sum;
  if (first != NULL)
    *first = g_steal_pointer (&kept);
  return true;
}

/* A draw's progress among those of all. */
typedef struct {
  const AttnAblation *ablation;
  size_t draw, n_draws;
} Told;

static bool
told_cb (double fraction, void *data)
{
  const Told *told = data;
  return told->ablation->progress (((double)told->draw + fraction) / (double)told->n_draws,
                                   told->ablation->progress_data);
}

bool
attn_task_ablate_each (const AttnTask *task,
                       const AttnAblation *ablation,
                       double *losses,
                       GError **error)
{
  const AttnConfig *config = task->clean->model->config;
  const size_t n = config->n_layers * config->n_heads;
  g_autofree double *own = g_new (double, n);
  Told told = {.ablation = ablation, .n_draws = task->n_draws};
  AttnAblation each = *ablation;
  if (ablation->progress != NULL) {
    each.progress = told_cb;
    each.progress_data = &told;
  }
  for (size_t i = 0; i < n; i++)
    losses[i] = 0;
  for (size_t draw = 0; draw < task->n_draws; draw++) {
    g_autoptr (AttnTrace) clean = attn_task_run_clean (task, draw, ablation->pool, error);
    told.draw = draw;
    if (clean == NULL || !attn_ablate_each (clean, task->targets[draw], &each, own, error))
      return false;
    for (size_t i = 0; i < n; i++)
      losses[i] += own[i] / (double)task->n_draws;
  }
  return true;
}
