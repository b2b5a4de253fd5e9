/* SPDX-License-Identifier: MIT */
/* Losses of runs: of labels, or of the sentence's vector. */
#include "config-private.h"
#include "loss-private.h"
#include "model-private.h"
#include "predict.h"
#include "trace-private.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

#define ROWS_AT_ONCE 64 /* of logits, which have a whole vocabulary each */

static bool
check_label (const AttnTrace *clean, size_t position, int32_t label, GError **error)
{
  const size_t vocab = clean->model->config->vocab_size;
  if (!attn_predict_check_position (clean, position, error))
    return false;
  if (label < 0 || (size_t)label >= vocab) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "the label of token %zu is id %d, the vocabulary has %zu", position, label, vocab);
    return false;
  }
  return true;
}

AttnTarget *
attn_target_new_labels (const AttnTrace *clean,
                        const size_t *positions,
                        const int32_t *labels,
                        size_t n,
                        GError **error)
{
  if (!attn_predict_check_head (clean->model, error))
    return NULL;
  if (n == 0) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "there is nothing to guess: no token has a label");
    return NULL;
  }
  for (size_t i = 0; i < n; i++)
    if (!check_label (clean, positions[i], labels[i], error))
      return NULL;
  AttnTarget *target = g_new0 (AttnTarget, 1);
  target->n = n;
  target->positions = g_memdup2 (positions, n * sizeof *positions);
  target->labels = g_memdup2 (labels, n * sizeof *labels);
  return target;
}

AttnTarget *
attn_target_new_next (const AttnTrace *clean, GError **error)
{
  if (clean->n_tokens < 2) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "the next token is to be guessed, and after the text's only token there is none; "
                 "wanted are at least 2 tokens");
    return NULL;
  }
  const size_t n = clean->n_tokens - 1;
  g_autofree size_t *positions = g_new (size_t, n);
  for (size_t i = 0; i < n; i++)
    positions[i] = i;
  return attn_target_new_labels (clean, positions, clean->ids + 1, n, error);
}

AttnTarget *
attn_target_new_vector (AttnTrace *clean)
{
  AttnTarget *target = g_new0 (AttnTarget, 1);
  target->clean = attn_trace_ref (clean);
  return target;
}

void
attn_target_free (AttnTarget *target)
{
  if (target == NULL)
    return;
  g_free (target->positions);
  g_free (target->labels);
  g_clear_pointer (&target->clean, attn_trace_unref);
  g_free (target);
}

static const float *
peek_row (const AttnTrace *trace, size_t token)
{
  const AttnConfig *config = trace->model->config;
  return trace->hiddens[config->n_layers] + token * config->d_model;
}

static bool
is_first (const float *logits, size_t n, size_t label)
{
  for (size_t i = 0; i < n; i++)
    if (logits[i] > logits[label] || (i < label && logits[i] == logits[label]))
      return false;
  return !isnan (logits[label]);
}

/* Labels of all traces in one list, some at a time, so that a vocabulary's weights are read once
 * for many rows. */
static bool
compute_labels (const AttnTarget *target,
                AttnTrace *const *traces,
                size_t n,
                AttnPool *pool,
                AttnScore *scores,
                GError **error)
{
  const AttnModel *model = traces[0]->model;
  const size_t D = model->config->d_model, V = model->config->vocab_size;
  const size_t n_rows = n * target->n, n_at_once = MIN (n_rows, ROWS_AT_ONCE);
  g_autofree float *hidden = g_new (float, n_at_once *D);
  g_autofree float *logits = g_try_new (float, n_at_once *V);
  if (logits == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory for %zu × %zu logits",
                 n_at_once, V);
    return false;
  }
  memset (scores, 0, n * sizeof *scores);
  for (size_t first = 0; first < n_rows; first += n_at_once) {
    const size_t now = MIN (n_at_once, n_rows - first);
    for (size_t row = 0; row < now; row++)
      memcpy (hidden + row * D,
              peek_row (traces[(first + row) / target->n],
                        target->positions[(first + row) % target->n]),
              D * sizeof *hidden);
    if (!attn_predict_compute_logits (model, hidden, now, logits, pool, error))
      return false;
    for (size_t row = 0; row < now; row++) {
      const float *own = logits + row * V;
      const size_t label = (size_t)target->labels[(first + row) % target->n];
      AttnScore *score = &scores[(first + row) / target->n];
      score->loss +=
          (attn_predict_compute_log_sum (own, V) - (double)own[label]) / (double)target->n;
      score->accuracy += is_first (own, V, label) ? 1 / (double)target->n : 0;
    }
  }
  return true;
}

/* The mean of the last hidden states, in double. */
static double *
dup_vector (const AttnTrace *trace)
{
  const size_t D = trace->model->config->d_model;
  double *vector = g_new0 (double, D);
  for (size_t t = 0; t < trace->n_tokens; t++)
    for (size_t i = 0; i < D; i++)
      vector[i] += (double)peek_row (trace, t)[i] / (double)trace->n_tokens;
  return vector;
}

static double
compute_cosine (const double *a, const double *b, size_t n)
{
  double dot = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < n; i++) {
    dot += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return dot / sqrt (aa * bb);
}

bool
attn_target_compute_scores (const AttnTarget *target,
                            AttnTrace *const *traces,
                            size_t n,
                            AttnPool *pool,
                            AttnScore *scores,
                            GError **error)
{
  if (n == 0)
    return true;
  if (target->n > 0)
    return compute_labels (target, traces, n, pool, scores, error);
  g_autofree double *clean = dup_vector (target->clean);
  for (size_t i = 0; i < n; i++) {
    g_autofree double *vector = dup_vector (traces[i]);
    scores[i].loss = 1 - compute_cosine (vector, clean, traces[i]->model->config->d_model);
    scores[i].accuracy = (double)NAN;
  }
  return true;
}

bool
attn_target_compute_losses (const AttnTarget *target,
                            AttnTrace *const *traces,
                            size_t n,
                            AttnPool *pool,
                            double *losses,
                            GError **error)
{
  g_autofree AttnScore *scores = g_new (AttnScore, MAX (n, 1));
  if (!attn_target_compute_scores (target, traces, n, pool, scores, error))
    return false;
  for (size_t i = 0; i < n; i++)
    losses[i] = scores[i].loss;
  return true;
}
