/* SPDX-License-Identifier: MIT */
/* A task from options: which tokens are masked, how many draws, and how it is told. */
#include "task.h"

#include "cli.h"
#include "texts.h"

#include "attn/ablation.h"

uint32_t
cli_task_get_seed (const CliOptions *options)
{
  return (uint32_t)(options->seed < G_MAXUINT32 ? options->seed : 1);
}

void
cli_task_note_labels (const CliOptions *options, const AttnTask *task)
{
  if (options->labels == NULL || options->session != NULL || task->kind == ATTN_TASK_LABELLED)
    return;
  cli_warn ("note: --labels has no use here: %s",
            options->mask_positions != NULL ? "what stood at --mask-positions is right there"
                                            : "the text has no mask that a word could be right at");
}

AttnTask *
cli_task_new_of (const CliOptions *options,
                 const CliSubject *subject,
                 const CliText *text,
                 GError **error)
{
  const GArray *masked = subject->masked;
  if (options->n_draws > ATTN_TASK_MAX_DRAWS) {
    cli_usage (error, "--masks %zu: at most %d", options->n_draws, ATTN_TASK_MAX_DRAWS);
    return NULL;
  }
  g_autoptr (AttnTokens) tokens =
      cli_encode (attn_model_peek_tokenizer (subject->model), text, subject->max_tokens, error);
  if (tokens == NULL)
    return NULL;
  AttnTaskOptions asked = {
      .positions = masked != NULL ? (const size_t *)(void *)masked->data : NULL,
      .n_positions = masked != NULL ? masked->len : 0,
      .n_draws = options->n_draws,
      .seed = cli_task_get_seed (options),
      .pool = subject->pool,
  };
  g_autofree int32_t *labels = NULL;
  if (options->labels != NULL) {
    labels = attn_ablation_find_labels (subject->model, options->labels, &asked.n_labels, error);
    if (labels == NULL)
      return NULL;
    asked.labels = labels;
  }
  AttnTask *task = attn_task_new (subject->model, tokens, &asked, error);
  if (task == NULL && text->place != NULL)
    g_prefix_error (error, "%s: ", text->place);
  if (task != NULL)
    cli_task_note_labels (options, task);
  return task;
}

AttnTask *
cli_task_new (const CliOptions *options, CliSubject *subject, GError **error)
{
  g_autoptr (GPtrArray) texts = cli_texts_read (options, error);
  if (texts == NULL || !cli_subject_init (subject, options, error))
    return NULL;
  return cli_task_new_of (options, subject, g_ptr_array_index (texts, 0), error);
}

void
cli_task_append (GString *json, const AttnTask *task)
{
  g_string_append (json, "{\"loss\":");
  cli_append_number (json, task->loss);
  g_string_append_printf (json, ",\"task\":\"%s\",\"draws\":%zu",
                          attn_task_peek_kind_name (task->kind), task->n_draws);
}
