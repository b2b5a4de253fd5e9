/* SPDX-License-Identifier: MIT */
/* headscope-cli ablate: the loss with every head switched off in turn, or with some off at once. */
#include "cli.h"
#include "elsewhere.h"
#include "guesses.h"
#include "subject.h"
#include "task.h"

#include <string.h>

#define N_GUESSES 5
#define OFF_WANTED "wanted are heads as LAYER-HEAD, both from 1: 3-4,1-7"

/* What is asked for. */
typedef struct {
  CliSubject subject;
  AttnTask *task;
  AttnGate gate;
  bool frozen; /* with gate zero */
} Ablate;

static void
ablate_clear (Ablate *ablate)
{
  g_clear_pointer (&ablate->task, attn_task_free);
  cli_subject_clear (&ablate->subject);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Ablate, ablate_clear)

/* "frozen" is zero with later patterns as they were. */
static bool
read_kind (const CliOptions *options, Ablate *ablate, GError **error)
{
  const char *kind = options->kind != NULL ? options->kind : "zero";
  ablate->frozen = strcmp (kind, "frozen") == 0;
  ablate->gate = ablate->frozen ? ATTN_GATE_ZERO : attn_gate_find (kind);
  if (ablate->gate == ATTN_GATE_ZERO || ablate->gate == ATTN_GATE_UNIFORM ||
      ablate->gate == ATTN_GATE_MEAN)
    return true;
  return cli_usage_value (error, "--kind", kind, "known are zero, uniform, mean and frozen");
}

static bool
ablate_init (Ablate *ablate, const CliOptions *options, GError **error)
{
  if (!cli_arrays_refuse (options, "ablation", error) || !read_kind (options, ablate, error))
    return false;
  ablate->task = cli_task_new (options, &ablate->subject, error);
  return ablate->task != NULL;
}

static void
append_task (GString *json, const Ablate *ablate)
{
  cli_task_append (json, ablate->task);
  g_string_append_printf (json, ",\"kind\":\"%s\"",
                          ablate->frozen ? "frozen" : attn_gate_peek_name (ablate->gate));
}

static bool
append_each (GString *json, const Ablate *ablate, GError **error)
{
  const AttnConfig *config = attn_model_peek_config (ablate->subject.model);
  const size_t n = config->n_layers * config->n_heads;
  g_autofree double *losses = g_new (double, n);
  const AttnAblation ablation = {
      .gate = ablate->gate, .frozen = ablate->frozen, .pool = ablate->subject.pool};
  if (!attn_task_ablate_each (ablate->task, &ablation, losses, error))
    return false;
  g_string_append (json, ",\"each\":[");
  for (size_t i = 0; i < n; i++) {
    g_string_append_printf (json, "%s{\"layer\":%zu,\"head\":%zu,\"loss\":", i > 0 ? "," : "",
                            i / config->n_heads + 1, i % config->n_heads + 1);
    cli_append_number (json, losses[i]);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
  return true;
}

/* Returns: (transfer full) (nullable): gates of the heads that --off names. */
static AttnHeadGates *
read_off (const CliOptions *options, const Ablate *ablate, GError **error)
{
  const AttnConfig *config = attn_model_peek_config (ablate->subject.model);
  g_autoptr (AttnHeadGates) gates = attn_head_gates_new (config->n_layers, config->n_heads);
  g_auto (GStrv) heads = g_strsplit (options->off, ",", -1);
  for (char **head = heads; *head != NULL; head++) {
    g_auto (GStrv) parts = g_strsplit (*head, "-", 3);
    guint64 numbers[2] = {0};
    for (size_t i = 0; i < 2; i++)
      if (g_strv_length (parts) != 2 ||
          !g_ascii_string_to_unsigned (parts[i], 10, 1, G_MAXUINT32, &numbers[i], NULL)) {
        cli_usage_value (error, "--off", options->off, OFF_WANTED);
        return NULL;
      }
    if (!cli_subject_check (&ablate->subject, (size_t)numbers[0], (size_t)numbers[1], error))
      return NULL;
    const size_t layer = (size_t)numbers[0] - 1, at = (size_t)numbers[1] - 1;
    if (attn_head_gates_get (gates, layer, at) != ATTN_GATE_KEEP) {
      cli_usage_value (error, "--off", options->off, "%s stands there twice", *head);
      return NULL;
    }
    attn_head_gates_set (gates, layer, at, ablate->gate);
  }
  return g_steal_pointer (&gates);
}

static bool
append_guesses (GString *json, const char *name, AttnTrace *trace, AttnPool *pool, GError **error)
{
  g_autoptr (AttnPredictions) predictions = attn_trace_predict (trace, N_GUESSES, pool, error);
  if (predictions == NULL)
    return false;
  g_string_append_printf (json, ",\"%s\":", name);
  cli_append_predictions (json, predictions);
  return true;
}

static bool
append_off (GString *json, const CliOptions *options, const Ablate *ablate, GError **error)
{
  AttnPool *pool = ablate->subject.pool;
  g_autoptr (AttnHeadGates) gates = read_off (options, ablate, error);
  g_autoptr (AttnTrace) after = NULL;
  double loss;
  if (gates == NULL ||
      !attn_task_compute_loss (ablate->task, gates, ablate->frozen, pool, &loss, &after, error))
    return false;
  g_string_append (json, ",\"off\":");
  cli_append_string (json, options->off);
  g_string_append (json, ",\"loss_off\":");
  cli_append_number (json, loss);
  if (ablate->task->kind == ATTN_TASK_VECTOR)
    return true; /* there is nothing to guess with */
  return append_guesses (json, "before", ablate->task->clean, pool, error) &&
         append_guesses (json, "after", after, pool, error);
}

bool
cli_ablate (const CliOptions *options, GError **error)
{
  if (options->each == (options->off != NULL))
    return cli_usage (error, "wanted is one of: --each, --off");
  g_auto (Ablate) ablate = {0};
  if (!ablate_init (&ablate, options, error))
    return false;
  g_autoptr (GString) json = g_string_new (NULL);
  append_task (json, &ablate);
  if (!(options->each ? append_each (json, &ablate, error)
                      : append_off (json, options, &ablate, error)))
    return false;
  g_string_append (json, "}\n");
  return cli_answer (options, json, error);
}
