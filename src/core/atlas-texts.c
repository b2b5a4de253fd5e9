/* SPDX-License-Identifier: MIT */
/* Texts into an atlas: runs, as many at once as fit, and importance. */
#include "atlas-private.h"
#include "model-private.h"
#include "trace-private.h"

#include "attn/error.h"
#include "attn/importance.h"
#include "attn/run.h"
#include "attn/task.h"

#define MAX_BATCH_BYTES ((size_t)32 << 20) /* of traces that are kept at once */

static bool
check_draws (const AttnAtlasOptions *options, GError **error)
{
  if (!options->with_importance || options->n_draws <= ATTN_TASK_MAX_DRAWS)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "%zu draws are asked for, wanted are at most %d", options->n_draws,
               ATTN_TASK_MAX_DRAWS);
  return false;
}

/* Texts without anything to mask are left out; their sentence says so by its code. */
static bool
add_importance (AttnAtlas *atlas,
                AttnModel *model,
                const AttnAtlasText *text,
                const AttnAtlasOptions *options,
                GError **error)
{
  const AttnTaskOptions asked = {
      .n_draws = options->n_draws, .seed = options->seed, .pool = options->pool};
  g_autoptr (GError) found = NULL;
  g_autoptr (AttnTask) task = attn_task_new (model, text->tokens, &asked, &found);
  if (g_error_matches (found, ATTN_ERROR, ATTN_ERROR_SHAPE))
    return true;
  if (task == NULL) {
    g_propagate_error (error, g_steal_pointer (&found));
    return false;
  }
  g_autoptr (AttnImportance) importance =
      attn_importance_new (task, &(AttnImportanceOptions){.pool = options->pool}, error);
  if (importance == NULL)
    return false;
  for (size_t i = 0; i < atlas->n_layers * atlas->n_heads; i++)
    attn_moments_add (&atlas->heads[i].importance, importance->importance[i]);
  return true;
}

/* Returns: how many of the texts, at least one, are run together. */
static size_t
find_batch (const AttnModel *model, const AttnAtlasText *texts, size_t n)
{
  const AttnConfig *config = attn_model_peek_config (model);
  size_t n_bytes = 0, n_batch = 0;
  while (n_batch < n) {
    n_bytes += attn_trace_count_bytes (config, attn_tokens_get_n (texts[n_batch].tokens));
    if (n_batch > 0 && n_bytes > MAX_BATCH_BYTES)
      break;
    n_batch++;
  }
  return n_batch;
}

static bool
add_trace (AttnAtlas *atlas,
           AttnTrace *trace,
           size_t number,
           const AttnAtlasOptions *options,
           GError **error)
{
  AttnAtlasOptions asked = *options;
  asked.progress = NULL; /* is asked between texts */
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  return attn_atlas_add_maps (atlas, maps, number, &asked, error);
}

/* Runs texts that have tokens, all at once, and adds them one by one. */
static bool
add_batch (AttnAtlas *atlas,
           AttnModel *model,
           const AttnAtlasText *texts,
           size_t n,
           const AttnAtlasOptions *options,
           GError **error)
{
  g_autofree AttnRunInput *inputs = g_new0 (AttnRunInput, n);
  g_autofree AttnTrace **traces = g_new0 (AttnTrace *, n);
  for (size_t i = 0; i < n; i++)
    inputs[i].tokens = texts[i].tokens;
  const AttnRunOptions run = {.pool = options->pool};
  if (!attn_model_run_batch (model, inputs, n, &run, traces, error))
    return false;
  bool done = true;
  for (size_t i = 0; i < n; i++) {
    done = done && add_trace (atlas, traces[i], texts[i].number, options, error) &&
           (!options->with_importance || add_importance (atlas, model, &texts[i], options, error));
    attn_trace_unref (traces[i]);
  }
  return done;
}

bool
attn_atlas_add_texts (AttnAtlas *atlas,
                      AttnModel *model,
                      const AttnAtlasText *texts,
                      size_t n,
                      const AttnAtlasOptions *options,
                      GError **error)
{
  if (!check_draws (options, error))
    return false;
  g_autofree AttnAtlasText *full = g_new (AttnAtlasText, MAX (n, 1));
  size_t n_full = 0;
  for (size_t i = 0; i < n; i++)
    if (attn_tokens_get_n (texts[i].tokens) > 0)
      full[n_full++] = texts[i];
  for (size_t first = 0, now; first < n_full; first += now) {
    if (!attn_progress_tell (options->progress, options->progress_data,
                             (double)first / (double)n_full, error))
      return false;
    now = find_batch (model, full + first, n_full - first);
    if (!add_batch (atlas, model, full + first, now, options, error))
      return false;
  }
  atlas->n_texts += n - n_full;
  atlas->n_empty += n - n_full;
  return attn_progress_tell (options->progress, options->progress_data, 1, error);
}
