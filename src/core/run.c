/* SPDX-License-Identifier: MIT */
/* Runs of a model: what may go in, and who owns what comes out. */
#include "attn/run.h"

#include "config-private.h"
#include "forward.h"
#include "model-private.h"

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
  AttnTokens *tokens;   /* borrowed; NULL for bare ids */
  const int32_t *ids;   /* [n_tokens] */
  const int32_t *types; /* [n_tokens], or NULL for all 0 */
  size_t n_tokens;
  int32_t *copy; /* owned: what `ids` and `types` point into, or NULL */
} Input;

static void
read_input (const AttnRunInput *from, Input *input)
{
  *input = (Input){from->tokens, from->ids, from->type_ids, from->n_tokens, NULL};
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
  return true;
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
  if (!attn_traces_new (model, texts, n, made, error))
    return false;
  bool done = attn_forward (made, types, n, options != NULL ? options : &alone, error);
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
