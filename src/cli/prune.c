/* SPDX-License-Identifier: MIT */
/* Pruning curves of what options name. */
#include "prune.h"

#include "cli.h"
#include "language.h"
#include "task.h"

#include "attn-draw/pruning.h"
#include "attn-hub/store.h"

/* Where tasks come from: one text after the other, again and again. */
typedef struct {
  const CliOptions *options;
  const CliSubject *subject;
  const GPtrArray *texts;
  size_t text;    /* of … */
  AttnTask *task; /* … this one; owned; nullable */
} Tasks;

static const AttnTask *
get_task (size_t text, void *data, GError **error)
{
  Tasks *tasks = data;
  if (tasks->task != NULL && tasks->text == text)
    return tasks->task;
  g_clear_pointer (&tasks->task, attn_task_free);
  tasks->text = text;
  tasks->task = cli_task_new_of (tasks->options, tasks->subject,
                                 g_ptr_array_index (tasks->texts, text), error);
  return tasks->task;
}

bool
cli_prune_init (CliPrune *prune,
                const CliOptions *options,
                const AttnPruningAsked *asked,
                GError **error)
{
  prune->texts = cli_texts_read (options, error);
  if (prune->texts == NULL || !cli_subject_init (&prune->subject, options, error))
    return false;
  const AttnPruningAsked all =
      attn_pruning_ask_all (prune->subject.model, cli_task_get_seed (options));
  Tasks tasks = {.options = options, .subject = &prune->subject, .texts = prune->texts};
  prune->pruning =
      attn_pruning_new (asked != NULL ? asked : &all, prune->texts->len, get_task, &tasks,
                        &(AttnPruneOptions){.pool = prune->subject.pool}, error);
  g_clear_pointer (&tasks.task, attn_task_free);
  return prune->pruning != NULL;
}

void
cli_prune_clear (CliPrune *prune)
{
  g_clear_pointer (&prune->pruning, attn_pruning_unref);
  g_clear_pointer (&prune->texts, g_ptr_array_unref);
  cli_subject_clear (&prune->subject);
}

GBytes *
cli_prune_draw (const CliPrune *prune,
                const CliOptions *options,
                size_t layer,
                size_t head,
                AttnDrawPicture *picture,
                GError **error)
{
  g_autoptr (CliHash) hash = cli_hash_start (&prune->subject);
  const AttnDrawPruning drawn = {.pruning = prune->pruning, .layer = layer, .head = head};
  const CliText *text = g_ptr_array_index (prune->texts, 0);
  picture->model_name = attn_hub_peek_model_name (prune->subject.model);
  picture->text = text->text;
  picture->pair = text->pair;
  picture->max_tokens = options->max_tokens;
  picture->weights_sha256 = cli_hash_wait (hash);
  picture->translate = cli_language_use (picture->language);
  return attn_draw_pruning_write (&drawn, picture, error);
}
