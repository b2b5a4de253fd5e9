/* SPDX-License-Identifier: MIT */
/* From what is asked to runs with heads off. */
#include "attn/ablation.h"

#include "attn/error.h"
#include "attn/names.h"
#include "attn/run.h"
#include "attn/tokenizer.h"

#include <string.h>

#define N_GUESSES 5

const char *const attn_ablate_kind_names[ATTN_N_ABLATE_KINDS + 1] = {
    [ATTN_ABLATE_ZERO] = "zero",   [ATTN_ABLATE_UNIFORM] = "uniform",
    [ATTN_ABLATE_MEAN] = "mean",   [ATTN_ABLATE_FROZEN] = "frozen",
    [ATTN_ABLATE_PATCH] = "patch", [ATTN_N_ABLATE_KINDS] = NULL,
};

const char *
attn_ablate_kind_peek_name (AttnAblateKind kind)
{
  g_return_val_if_fail (kind < ATTN_N_ABLATE_KINDS, NULL);
  return attn_ablate_kind_names[kind];
}

AttnAblateKind
attn_ablate_kind_find (const char *name)
{
  return (AttnAblateKind)attn_name_find (name, attn_ablate_kind_names, ATTN_N_ABLATE_KINDS);
}

static AttnGate
get_gate (AttnAblateKind kind)
{
  static const AttnGate gates[ATTN_N_ABLATE_KINDS] = {
      [ATTN_ABLATE_ZERO] = ATTN_GATE_ZERO,   [ATTN_ABLATE_UNIFORM] = ATTN_GATE_UNIFORM,
      [ATTN_ABLATE_MEAN] = ATTN_GATE_MEAN,   [ATTN_ABLATE_FROZEN] = ATTN_GATE_ZERO,
      [ATTN_ABLATE_PATCH] = ATTN_GATE_PATCH,
  };
  return gates[kind];
}

/* ---- what is asked ---- */

const char *const attn_ablation_figure_names[ATTN_N_ABLATION_FIGURES + 1] = {
    [ATTN_ABLATION_SWITCHES] = "switches",
    [ATTN_ABLATION_PRUNING] = "pruning",
};

void
attn_ablation_asked_clear (AttnAblationAsked *asked)
{
  g_clear_pointer (&asked->off, g_free);
  g_clear_pointer (&asked->labels, g_free);
  g_clear_pointer (&asked->patch, g_free);
}

void
attn_ablation_asked_set (AttnAblationAsked *to, const AttnAblationAsked *from)
{
  AttnAblationAsked copy = *from;
  copy.off = g_strdup (from->off);
  copy.labels = g_strdup (from->labels);
  copy.patch = g_strdup (from->patch);
  attn_ablation_asked_clear (to);
  *to = copy;
}

bool
attn_ablation_asked_equal (const AttnAblationAsked *a, const AttnAblationAsked *b)
{
  return a->kind == b->kind && g_strcmp0 (a->off, b->off) == 0 &&
         g_strcmp0 (a->labels, b->labels) == 0 && g_strcmp0 (a->patch, b->patch) == 0 &&
         a->n_draws == b->n_draws && a->seed == b->seed && a->each == b->each &&
         a->importance == b->importance && a->figure == b->figure && a->curves == b->curves;
}

bool
attn_head_list_read (const char *list, AttnGate gate, AttnHeadGates *gates, size_t outside[2])
{
  g_auto (GStrv) heads = g_strsplit (list, ",", -1);
  size_t first_outside[2] = {0};
  for (char **head = heads; *head != NULL; head++) {
    g_auto (GStrv) parts = g_strsplit (*head, "-", 3);
    guint64 numbers[2];
    if (g_strv_length (parts) != 2)
      return false;
    for (size_t i = 0; i < 2; i++)
      if (!g_ascii_string_to_unsigned (parts[i], 10, 1, G_MAXUINT32, &numbers[i], NULL))
        return false;
    if (numbers[0] <= gates->n_layers && numbers[1] <= gates->n_heads) {
      attn_head_gates_set (gates, (size_t)numbers[0] - 1, (size_t)numbers[1] - 1, gate);
    } else if (first_outside[0] == 0) {
      first_outside[0] = (size_t)numbers[0];
      first_outside[1] = (size_t)numbers[1];
    }
  }
  if (outside != NULL)
    memcpy (outside, first_outside, sizeof first_outside);
  return true;
}

char *
attn_head_list_dup (const AttnHeadGates *gates)
{
  GString *list = g_string_new (NULL);
  for (size_t i = 0; i < gates->n_layers * gates->n_heads; i++)
    if (gates->gates[i] != ATTN_GATE_KEEP)
      g_string_append_printf (list, "%s%zu-%zu", list->len > 0 ? "," : "", i / gates->n_heads + 1,
                              i % gates->n_heads + 1);
  return g_string_free (list, FALSE);
}

/* ---- the text as it is ---- */

static AttnTokens *
encode (AttnModel *model, const char *text, GError **error)
{
  const AttnTokenizerInput input = {
      .text = text,
      .text_length = strlen (text),
      .max_tokens = attn_model_get_max_tokens (model),
  };
  return attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, error);
}

/* Returns: the id of a word that is one token within a text, or else of a token by its name; -1
 * for none. */
static int32_t
find_word (AttnModel *model, const char *word)
{
  g_autofree char *within = g_strconcat (" ", word, NULL);
  g_autoptr (AttnTokens) tokens = encode (model, within, NULL);
  int32_t id = -1;
  size_t n = 0;
  for (size_t t = 0; tokens != NULL && t < attn_tokens_get_n (tokens); t++)
    if (!attn_tokens_peek (tokens, t)->special) {
      id = attn_tokens_peek (tokens, t)->id;
      n++;
    }
  return n == 1 ? id : attn_tokenizer_find_id (attn_model_peek_tokenizer (model), word);
}

int32_t *
attn_ablation_find_labels (AttnModel *model, const char *labels, size_t *n, GError **error)
{
  g_auto (GStrv) words = g_strsplit (labels, " ", -1);
  g_autofree int32_t *ids = g_new (int32_t, g_strv_length (words) + 1);
  *n = 0;
  for (char **word = words; *word != NULL; word++) {
    if (**word == '\0')
      continue;
    ids[*n] = find_word (model, *word);
    if (ids[(*n)++] < 0) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                   "the label \"%s\" is not one token of this model", *word);
      return NULL;
    }
  }
  return g_steal_pointer (&ids);
}

AttnAblationClean *
attn_ablation_clean_new (AttnModel *model,
                         AttnTokens *tokens,
                         const AttnAblationAsked *asked,
                         const size_t *positions,
                         size_t n,
                         const AttnImportanceOptions *how,
                         GError **error)
{
  const AttnConfig *config = attn_model_peek_config (model);
  AttnTaskOptions options = {
      .positions = positions,
      .n_positions = n,
      .n_draws = asked->n_draws,
      .seed = (uint32_t)asked->seed,
      .pool = how->pool,
      .progress = how->progress,
      .progress_data = how->progress_data,
  };
  g_autofree int32_t *labels = NULL;
  if (asked->labels != NULL) {
    labels = attn_ablation_find_labels (model, asked->labels, &options.n_labels, error);
    if (labels == NULL)
      return NULL;
    options.labels = labels;
  }
  AttnTask *task = attn_task_new (model, tokens, &options, error);
  if (task == NULL)
    return NULL;
  g_autoptr (AttnAblationClean) clean = g_atomic_rc_box_new0 (AttnAblationClean);
  clean->task = task;
  clean->seed = asked->seed;
  clean->n_layers = config->n_layers;
  clean->n_heads = config->n_heads;
  if (task->kind == ATTN_TASK_VECTOR)
    return g_steal_pointer (&clean);
  clean->before = attn_trace_predict (task->clean, N_GUESSES, how->pool, error);
  return clean->before != NULL ? g_steal_pointer (&clean) : NULL;
}

AttnAblationClean *
attn_ablation_clean_ref (AttnAblationClean *clean)
{
  return g_atomic_rc_box_acquire (clean);
}

static void
clean_clear (AttnAblationClean *clean)
{
  attn_task_free (clean->task);
  g_clear_pointer (&clean->before, attn_predictions_free);
}

void
attn_ablation_clean_unref (AttnAblationClean *clean)
{
  if (clean != NULL)
    g_atomic_rc_box_release_full (clean, (GDestroyNotify)clean_clear);
}

/* ---- heads off ---- */

/* Returns: (transfer full) (nullable): the run of the second text. */
static AttnTrace *
run_patch (const AttnAblationClean *clean, const char *text, AttnPool *pool, GError **error)
{
  AttnTrace *first = clean->task->clean;
  AttnModel *model = attn_trace_peek_model (first);
  if (text == NULL || *text == '\0') {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_INVALID_TEXT,
                 "patching takes the heads' outputs from a second text, and there is none");
    return NULL;
  }
  g_autoptr (AttnTokens) tokens = encode (model, text, error);
  if (tokens == NULL)
    return NULL;
  const size_t n = attn_tokens_get_n (tokens), wanted = attn_trace_get_n_tokens (first);
  if (n != wanted) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "the second text has %zu tokens, wanted are %zu as the first one has", n, wanted);
    return NULL;
  }
  return attn_model_run (model, tokens, &(AttnRunOptions){.pool = pool}, error);
}

/* Fills @ablation as @asked says; @patch is written, for attn_trace_unref(). */
static bool
read_ablation (const AttnAblationClean *clean,
               const AttnAblationAsked *asked,
               AttnAblation *ablation,
               AttnTrace **patch,
               GError **error)
{
  ablation->gate = get_gate (asked->kind);
  ablation->frozen = asked->kind == ATTN_ABLATE_FROZEN;
  *patch = NULL;
  if (asked->kind == ATTN_ABLATE_PATCH)
    *patch = run_patch (clean, asked->patch, ablation->pool, error);
  ablation->patch_from = *patch;
  return asked->kind != ATTN_ABLATE_PATCH || *patch != NULL;
}

AttnAblationOff *
attn_ablation_off_new (const AttnAblationClean *clean,
                       const AttnAblationAsked *asked,
                       AttnPool *pool,
                       GError **error)
{
  AttnAblation ablation = {.pool = pool};
  g_autoptr (AttnTrace) patch = NULL;
  g_autoptr (AttnAblationOff) off = g_atomic_rc_box_new0 (AttnAblationOff);
  off->kind = asked->kind;
  off->gates = attn_head_gates_new (clean->n_layers, clean->n_heads);
  if (asked->off != NULL && *asked->off != '\0' &&
      !attn_head_list_read (asked->off, get_gate (asked->kind), off->gates, NULL)) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "heads \"%s\": wanted are layers and heads from 1 as 3-4,1-7", asked->off);
    return NULL;
  }
  off->n_off = attn_head_gates_count (off->gates);
  if (!read_ablation (clean, asked, &ablation, &patch, error) ||
      !attn_task_run (clean->task, off->gates, &ablation, &off->loss, &off->trace, error))
    return NULL;
  if (clean->before != NULL)
    off->after = attn_trace_predict (off->trace, N_GUESSES, pool, error);
  return clean->before == NULL || off->after != NULL ? g_steal_pointer (&off) : NULL;
}

AttnAblationOff *
attn_ablation_off_ref (AttnAblationOff *off)
{
  return g_atomic_rc_box_acquire (off);
}

static void
off_clear (AttnAblationOff *off)
{
  attn_head_gates_free (off->gates);
  g_clear_pointer (&off->after, attn_predictions_free);
  g_clear_pointer (&off->trace, attn_trace_unref);
}

void
attn_ablation_off_unref (AttnAblationOff *off)
{
  if (off != NULL)
    g_atomic_rc_box_release_full (off, (GDestroyNotify)off_clear);
}

double *
attn_ablation_compute_each (const AttnAblationClean *clean,
                            const AttnAblationAsked *asked,
                            AttnPool *pool,
                            AttnProgressFunc progress,
                            void *progress_data,
                            GError **error)
{
  AttnAblation ablation = {.pool = pool, .progress = progress, .progress_data = progress_data};
  g_autoptr (AttnTrace) patch = NULL;
  if (!read_ablation (clean, asked, &ablation, &patch, error))
    return NULL;
  g_autofree double *losses = g_new (double, clean->n_layers * clean->n_heads);
  if (!attn_task_ablate_each (clean->task, &ablation, losses, error))
    return NULL;
  return g_steal_pointer (&losses);
}
