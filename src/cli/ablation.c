/* SPDX-License-Identifier: MIT */
/* From options to numbers of heads that are off, and to their figure. */
#include "ablation.h"

#include "cli.h"
#include "language.h"
#include "task.h"

#include "attn-hub/store.h"
#include "attn/error.h"

#include <string.h>

#define OFF_WANTED "wanted are heads as LAYER-HEAD, both from 1: 3-4,1-7"

bool
cli_ablation_read (const CliOptions *options, AttnAblationAsked *asked, GError **error)
{
  const char *kind = options->kind != NULL ? options->kind : "zero";
  asked->kind = attn_ablate_kind_find (kind);
  if (asked->kind == ATTN_N_ABLATE_KINDS)
    return cli_usage_value (error, "--kind", kind,
                            "known are zero, uniform, mean, frozen and patch");
  if ((asked->kind == ATTN_ABLATE_PATCH) != (options->patch_text != NULL))
    return cli_usage (error, "--kind patch and --patch-text go together");
  if (options->n_draws > ATTN_TASK_MAX_DRAWS)
    return cli_usage (error, "--masks %zu: at most %d", options->n_draws, ATTN_TASK_MAX_DRAWS);
  asked->off = g_strdup (options->off);
  asked->labels = g_strdup (options->labels);
  asked->patch = g_strdup (options->patch_text);
  asked->n_draws = MAX (options->n_draws, 1);
  asked->seed = options->seed < G_MAXUINT32 ? options->seed : 1;
  asked->each = options->each;
  asked->importance = options->importance;
  return true;
}

/* @gates: of the whole list, kept again one by one. */
static bool
check_twice (const char *off, AttnHeadGates *gates, GError **error)
{
  g_auto (GStrv) heads = g_strsplit (off, ",", -1);
  for (char **head = heads; *head != NULL; head++) {
    const size_t before = attn_head_gates_count (gates);
    size_t outside[2];
    attn_head_list_read (*head, ATTN_GATE_KEEP, gates, outside);
    if (outside[0] == 0 && attn_head_gates_count (gates) == before)
      return cli_usage_value (error, "--off", off, "%s stands there twice", *head);
  }
  return true;
}

/* Heads that are named are to be there, once each. */
static bool
check_off (const CliAblation *ablation, bool forgives, GError **error)
{
  const AttnConfig *config = attn_model_peek_config (ablation->subject.model);
  g_autoptr (AttnHeadGates) gates = attn_head_gates_new (config->n_layers, config->n_heads);
  size_t outside[2] = {0};
  if (ablation->asked.off == NULL || *ablation->asked.off == '\0')
    return true;
  if (!attn_head_list_read (ablation->asked.off, ATTN_GATE_ZERO, gates, outside))
    return cli_usage_value (error, "--off", ablation->asked.off, OFF_WANTED);
  if (!check_twice (ablation->asked.off, gates, error))
    return false;
  if (outside[0] == 0)
    return true;
  if (!forgives)
    return cli_usage_value (
        error, "--off", ablation->asked.off,
        "there is no %zu-%zu: the model has layers 1 to %zu with heads 1 to %zu", outside[0],
        outside[1], config->n_layers, config->n_heads);
  cli_warn ("note: the session switches off head %zu of layer %zu, which the model has not",
            outside[1], outside[0]);
  return true;
}

static bool
make_clean (CliAblation *ablation, GError **error)
{
  const CliSubject *subject = &ablation->subject;
  const GArray *masked = subject->masked;
  g_autoptr (AttnTokens) tokens = cli_encode (attn_model_peek_tokenizer (subject->model),
                                              ablation->text, subject->max_tokens, error);
  if (tokens == NULL)
    return false;
  ablation->clean = attn_ablation_clean_new (
      subject->model, tokens, &ablation->asked,
      masked != NULL ? (const size_t *)(void *)masked->data : NULL,
      masked != NULL ? masked->len : 0, &(AttnImportanceOptions){.pool = subject->pool}, error);
  return ablation->clean != NULL;
}

static bool
make_importance (CliAblation *ablation, bool forgives, GError **error)
{
  const AttnImportanceOptions options = {.pool = ablation->subject.pool};
  g_autoptr (GError) fault = NULL;
  ablation->importance = attn_importance_new (ablation->clean->task, &options, &fault);
  if (ablation->importance != NULL)
    return true;
  if (forgives && g_error_matches (fault, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED)) {
    cli_warn ("note: %s", fault->message);
    return true;
  }
  g_propagate_error (error, g_steal_pointer (&fault));
  return false;
}

bool
cli_ablation_init (CliAblation *ablation, const CliOptions *options, bool forgives, GError **error)
{
  const AttnAblationAsked *asked = &ablation->asked;
  ablation->texts = cli_texts_read (options, error);
  if (ablation->texts == NULL || !cli_subject_init (&ablation->subject, options, error) ||
      !check_off (ablation, forgives, error))
    return false;
  ablation->text = g_ptr_array_index (ablation->texts, 0);
  if (!make_clean (ablation, error))
    return false;
  cli_task_note_labels (options, ablation->clean->task);
  AttnPool *pool = ablation->subject.pool;
  if (asked->off != NULL && *asked->off != '\0') {
    ablation->off = attn_ablation_off_new (ablation->clean, asked, pool, error);
    if (ablation->off == NULL)
      return false;
  }
  if (asked->each) {
    ablation->each = attn_ablation_compute_each (ablation->clean, asked, pool, NULL, NULL, error);
    if (ablation->each == NULL)
      return false;
  }
  return !asked->importance || make_importance (ablation, forgives, error);
}

void
cli_ablation_clear (CliAblation *ablation)
{
  g_clear_pointer (&ablation->importance, attn_importance_free);
  g_clear_pointer (&ablation->each, g_free);
  g_clear_pointer (&ablation->off, attn_ablation_off_unref);
  g_clear_pointer (&ablation->clean, attn_ablation_clean_unref);
  attn_ablation_asked_clear (&ablation->asked);
  g_clear_pointer (&ablation->texts, g_ptr_array_unref);
  cli_subject_clear (&ablation->subject);
}

AttnAblationNumbers
cli_ablation_get_numbers (const CliAblation *ablation)
{
  return (AttnAblationNumbers){ablation->asked.kind, ablation->clean, ablation->off, ablation->each,
                               ablation->importance};
}

GBytes *
cli_ablation_draw (const CliAblation *ablation,
                   const CliOptions *options,
                   size_t layer,
                   size_t head,
                   AttnDrawPicture *picture,
                   GError **error)
{
  g_autoptr (CliHash) hash = cli_hash_start (&ablation->subject);
  const AttnDrawAblation drawn = {
      .numbers = cli_ablation_get_numbers (ablation),
      .gates = ablation->off != NULL ? ablation->off->gates : NULL,
      .layer = layer,
      .head = head,
  };
  picture->model_name = attn_hub_peek_model_name (ablation->subject.model);
  picture->text = ablation->text->text;
  picture->pair = ablation->text->pair;
  picture->max_tokens = options->max_tokens;
  picture->weights_sha256 = cli_hash_wait (hash);
  picture->translate = cli_language_use (picture->language);
  return attn_draw_ablation_write (&drawn, picture, error);
}
