/* SPDX-License-Identifier: MIT */
/* The language-model head: logits, and the best guesses at each mask or for the next token. */
#include "attn/predict.h"

#include "config-private.h"
#include "model-private.h"
#include "ops.h"
#include "predict.h"
#include "trace-private.h"

#include "attn/error.h"
#include "attn/metrics.h"
#include "attn/quote.h"

#include <math.h>
#include <string.h>

bool
attn_predict_check_head (const AttnModel *model, GError **error)
{
  if (attn_model_has_lm_head (model))
    return true;
  const char *name = attn_model_peek_name (model);
  g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
               "the model %s has no language-model head, so it cannot guess words", shown);
  return false;
}

bool
attn_predict_check_position (const AttnTrace *trace, size_t position, GError **error)
{
  if (position < trace->n_tokens)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "there is no token %zu to guess: the text has tokens 0 to %zu", position,
               trace->n_tokens - 1);
  return false;
}

/* norm (act (x W + b)), where the family's head has such a part. Returns: the rows, in @block or
 * @x itself; NULL with @error: TOO_LARGE. */
static const float *
transform (const AttnModel *model,
           const float *x,
           size_t n,
           AttnBlock *block,
           AttnPool *pool,
           GError **error)
{
  const AttnConfig *config = model->config;
  const AttnWeights *w = &model->weights;
  if (w->head_dense.panels == NULL)
    return x;
  const size_t E = w->head_dense.n_out;
  AttnCutter cutter = {0};
  attn_cutter_take_matrix (&cutter, n, E);
  if (!attn_block_init (block, &cutter, "the language-model head", false, error))
    return NULL;
  AttnLinearCall call = {
      .x = x,
      .ldx = config->d_model,
      .y = block->data,
      .ldy = E,
      .n_rows = n,
      .after = ATTN_AFTER_ACTIVATION,
      .activation = config->head_activation,
  };
  attn_linear_run (&w->head_dense, &call, pool);
  attn_ops_layer_norm (block->data, block->data, w->head_norm.gain, w->head_norm.bias, n, E,
                       config->layer_norm_eps);
  return block->data;
}

/* logits = transformed · decoderᵀ + bias */
bool
attn_predict_compute_logits (const AttnModel *model,
                             const float *hidden,
                             size_t n,
                             float *logits,
                             AttnPool *pool,
                             GError **error)
{
  const AttnConfig *config = model->config;
  const AttnWeights *w = &model->weights;
  if (n == 0)
    return true;
  g_auto (AttnBlock) block = {0};
  const float *x = transform (model, hidden, n, &block, pool, error);
  if (x == NULL)
    return false;
  attn_ops_logits (x, n, w->decoder, w->decoder_bias, attn_config_get_d_embed (config),
                   config->vocab_size, logits, pool);
  return true;
}

bool
attn_trace_compute_logits (
    const AttnTrace *trace, size_t first, size_t n, float *logits, AttnPool *pool, GError **error)
{
  g_return_val_if_fail (first <= trace->n_tokens && n <= trace->n_tokens - first, false);
  const AttnConfig *config = trace->model->config;
  const float *hidden = trace->hiddens[config->n_layers] + first * config->d_model;
  return attn_predict_check_head (trace->model, error) &&
         attn_predict_compute_logits (trace->model, hidden, n, logits, pool, error);
}

double
attn_predict_compute_log_sum (const float *logits, size_t n)
{
  double max = -INFINITY, sum = 0;
  for (size_t i = 0; i < n; i++)
    max = fmax (max, (double)logits[i]);
  for (size_t i = 0; i < n; i++)
    sum += exp ((double)logits[i] - max);
  return max + log (sum);
}

static void
fill_guesses (AttnPrediction *item, AttnTokenizer *tokenizer, const float *logits, size_t n_vocab)
{
  g_autofree AttnAttended *top = g_new (AttnAttended, item->n_guesses);
  attn_top_attended (logits, n_vocab, top, item->n_guesses);
  double log_sum = attn_predict_compute_log_sum (logits, n_vocab);
  for (size_t i = 0; i < item->n_guesses; i++) {
    int32_t id = (int32_t)top[i].key;
    const char *piece = tokenizer != NULL ? attn_tokenizer_peek_piece (tokenizer, id) : NULL;
    const char *text = tokenizer != NULL ? attn_tokenizer_peek_text (tokenizer, id) : NULL;
    item->guesses[i] = (AttnGuess){
        .piece = piece != NULL ? piece : "",
        .text = text != NULL ? text : "",
        .id = id,
        .p = (float)exp ((double)top[i].value - log_sum),
    };
  }
}

/* A causal model guesses what follows, and the text's end is where nothing does yet. */
static bool
is_guessed_at (const AttnTrace *trace, size_t position)
{
  if (trace->model->arch->causal)
    return position == trace->n_tokens - 1;
  return trace->tokens != NULL && attn_tokens_peek (trace->tokens, position)->mask;
}

static size_t
count_guessed (const AttnTrace *trace)
{
  size_t n = 0;
  for (size_t t = 0; t < trace->n_tokens; t++)
    n += is_guessed_at (trace, t);
  return n;
}

AttnPredictions *
attn_trace_predict (AttnTrace *trace, size_t top_k, AttnPool *pool, GError **error)
{
  g_return_val_if_fail (trace != NULL, NULL);
  if (!attn_predict_check_head (trace->model, error))
    return NULL;
  size_t n_vocab = trace->model->config->vocab_size;
  g_autoptr (AttnPredictions) predictions = g_new0 (AttnPredictions, 1);
  predictions->trace = attn_trace_ref (trace);
  predictions->items = g_new0 (AttnPrediction, count_guessed (trace));
  g_autofree float *logits = g_try_new (float, n_vocab);
  if (logits == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "logits: no memory for %zu bytes",
                 n_vocab * sizeof (float));
    return NULL;
  }
  for (size_t t = 0; t < trace->n_tokens; t++) {
    if (!is_guessed_at (trace, t))
      continue;
    if (!attn_trace_compute_logits (trace, t, 1, logits, pool, error))
      return NULL;
    AttnPrediction *item = &predictions->items[predictions->n++];
    item->position = t;
    item->next = trace->model->arch->causal;
    item->n_guesses = MIN (top_k, n_vocab);
    item->guesses = g_new (AttnGuess, item->n_guesses);
    fill_guesses (item, attn_model_peek_tokenizer (trace->model), logits, n_vocab);
  }
  return g_steal_pointer (&predictions);
}

void
attn_predictions_free (AttnPredictions *predictions)
{
  if (predictions == NULL)
    return;
  for (size_t i = 0; i < predictions->n; i++)
    g_free (predictions->items[i].guesses);
  g_free (predictions->items);
  attn_trace_unref (predictions->trace);
  g_free (predictions);
}
