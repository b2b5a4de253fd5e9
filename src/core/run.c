/* SPDX-License-Identifier: MIT */
/* Runs of a model: what may go in, and who owns what comes out. */
#include "attn/run.h"

#include "config-family.h"
#include "config-private.h"
#include "forward.h"
#include "model-private.h"
#include "trace-private.h"

#include "attn/error.h"

static bool
check_id (const AttnConfig *config, size_t position, int32_t id, GError **error)
{
  if (id >= 0 && (size_t)id < config->vocab_size)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "token %zu has id %d, the model has %zu word embeddings", position, id,
               config->vocab_size);
  return false;
}

static bool
check_type (const AttnConfig *config, size_t position, int32_t type_id, GError **error)
{
  if (config->n_types == 0 || (type_id >= 0 && (size_t)type_id < config->n_types))
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "token %zu has type %d, the model has %zu token types (%s in config.json)%s",
               position, type_id, config->n_types,
               attn_config_peek_key (config, offsetof (AttnConfig, n_types)),
               config->n_types == 1 && type_id == 1 ? ": it takes one text, not two" : "");
  return false;
}

/* Ids and types of one text, its own or copied from its tokens. */
typedef struct {
  const AttnRunInput *asked;
  AttnTokens *tokens;   /* borrowed; NULL for bare ids */
  const int32_t *ids;   /* [n_tokens] */
  const int32_t *types; /* [n_tokens], or NULL for all 0 */
  size_t n_tokens;
  int32_t *copy; /* owned: what `ids` and `types` point into, or NULL */
} Input;

static void
read_input (const AttnRunInput *from, Input *input)
{
  *input = (Input){from, from->tokens, from->ids, from->type_ids, from->n_tokens, NULL};
  if (from->tokens == NULL)
    return;
  input->n_tokens = attn_tokens_get_n (from->tokens);
  int32_t *ids = input->copy = g_new (int32_t, 2 * input->n_tokens);
  int32_t *types = ids + input->n_tokens;
  for (size_t t = 0; t < input->n_tokens; t++) {
    const AttnToken *token = attn_tokens_peek (from->tokens, t);
    ids[t] = token->id;
    types[t] = token->type_id;
  }
  input->ids = ids;
  input->types = types;
}

/* Another run that this one takes something from. */
static bool
check_other (const AttnModel *model, const Input *input, const AttnTrace *other, GError **error)
{
  if (other == NULL)
    return true;
  if (other->model == model && other->n_tokens == input->n_tokens)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "the text has %zu tokens and the run it takes something from %zu%s; wanted are as "
               "many, of one model",
               input->n_tokens, other->n_tokens, other->model == model ? "" : ", of another model");
  return false;
}

static bool
check_gates (const AttnModel *model, const AttnRunInput *input, GError **error)
{
  const AttnHeadGates *gates = input->gates;
  const AttnConfig *config = model->config;
  if (gates == NULL)
    return true;
  if (gates->n_layers == config->n_layers && gates->n_heads == config->n_heads)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "there are gates for %zu layers of %zu heads, the model has %zu of %zu",
               gates->n_layers, gates->n_heads, config->n_layers, config->n_heads);
  return false;
}

static bool
check_input (AttnModel *model, const Input *input, GError **error)
{
  size_t max_tokens = attn_model_get_max_tokens (model);
  if (input->n_tokens == 0) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "the text has no tokens, the model needs at least one");
    return false;
  }
  if (input->n_tokens > max_tokens) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "the text has %zu tokens, the model takes %zu at most", input->n_tokens,
                 max_tokens);
    return false;
  }
  for (size_t t = 0; t < input->n_tokens; t++)
    if (!check_id (model->config, t, input->ids[t], error) ||
        !check_type (model->config, t, input->types != NULL ? input->types[t] : 0, error))
      return false;
  const AttnRunInput *asked = input->asked;
  return check_gates (model, asked, error) &&
         check_other (model, input, asked->patterns_from, error) &&
         check_other (model, input, asked->patch_from, error) &&
         check_other (model, input, asked->start_from, error);
}

/* What the trace of a run that was changed needs to tell its maps. */
static void
keep_changes (const AttnRunInput *asked, AttnTrace *trace)
{
  if (asked->gates != NULL)
    trace->gates = attn_head_gates_copy (asked->gates);
  if (asked->patterns_from != NULL)
    trace->patterns = attn_trace_ref (asked->patterns_from);
  if (asked->patch_from != NULL)
    trace->patch = attn_trace_ref (asked->patch_from);
}

static bool
run_inputs (AttnModel *model,
            const Input *inputs,
            size_t n,
            const AttnRunOptions *options,
            AttnTrace **traces,
            GError **error)
{
  static const AttnRunOptions alone = {0};
  g_autofree AttnTraceText *texts = g_new (AttnTraceText, n);
  g_autofree const int32_t **types = g_new (const int32_t *, n);
  for (size_t i = 0; i < n; i++) {
    if (!check_input (model, &inputs[i], error))
      return false;
    texts[i] = (AttnTraceText){inputs[i].tokens, inputs[i].ids, inputs[i].n_tokens};
    types[i] = inputs[i].types;
  }
  g_autofree AttnTrace **made = g_new0 (AttnTrace *, n);
  g_autofree const AttnTrace **starts = g_new (const AttnTrace *, n);
  if (!attn_traces_new (model, texts, n, made, error))
    return false;
  for (size_t i = 0; i < n; i++) {
    keep_changes (inputs[i].asked, made[i]);
    starts[i] = inputs[i].asked->start_from;
  }
  bool done = attn_forward (made, starts, types, n, options != NULL ? options : &alone, error);
  for (size_t i = 0; i < n; i++)
    if (done)
      traces[i] = made[i];
    else
      attn_trace_unref (made[i]);
  return done;
}

bool
attn_model_run_batch (AttnModel *model,
                      const AttnRunInput *inputs,
                      size_t n_inputs,
                      const AttnRunOptions *options,
                      AttnTrace **traces,
                      GError **error)
{
  g_return_val_if_fail (model != NULL && (n_inputs == 0 || inputs != NULL), false);
  if (n_inputs == 0)
    return true;
  const size_t start = options != NULL ? options->start_layer : 0;
  const bool goes_on = inputs[0].start_from != NULL;
  g_return_val_if_fail (start < model->config->n_layers && (start == 0 || goes_on), false);
  for (size_t i = 0; i < n_inputs; i++)
    g_return_val_if_fail ((inputs[i].start_from != NULL) == goes_on, false);
  g_autofree Input *read = g_new (Input, n_inputs);
  for (size_t i = 0; i < n_inputs; i++)
    read_input (&inputs[i], &read[i]);
  bool done = run_inputs (model, read, n_inputs, options, traces, error);
  for (size_t i = 0; i < n_inputs; i++)
    g_free (read[i].copy);
  return done;
}

AttnTrace *
attn_model_run_ids (AttnModel *model,
                    const int32_t *ids,
                    const int32_t *type_ids,
                    size_t n_tokens,
                    const AttnRunOptions *options,
                    GError **error)
{
  g_return_val_if_fail (model != NULL && (ids != NULL || n_tokens == 0), NULL);
  AttnRunInput input = {.ids = ids, .type_ids = type_ids, .n_tokens = n_tokens};
  AttnTrace *trace = NULL;
  attn_model_run_batch (model, &input, 1, options, &trace, error);
  return trace;
}

AttnTrace *
attn_model_run (AttnModel *model, AttnTokens *tokens, const AttnRunOptions *options, GError **error)
{
  g_return_val_if_fail (model != NULL && tokens != NULL, NULL);
  AttnRunInput input = {.tokens = tokens};
  AttnTrace *trace = NULL;
  attn_model_run_batch (model, &input, 1, options, &trace, error);
  return trace;
}
