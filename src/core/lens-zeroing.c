/* SPDX-License-Identifier: MIT */
/* Value zeroing: how far each token's output turns when one key's value is taken away. */
#include "layer-tail.h"
#include "lens-private.h"
#include "model-private.h"
#include "parts.h"
#include "steps-private.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

#define ROWS_AT_ONCE ((size_t)512) /* of what the layer is run on again */

/* A layer at work. */
typedef struct {
  AttnParts parts;
  AttnLayerTail tail;
  float *maps;     /* [H, T, T] */
  float *attended; /* [T, D] x + attention's output */
  float *clean;    /* [T, D] what leaves the layer, by the same pieces of code */
  float *moved;    /* [H, D] one key's f_h (x_j) */
  float *changed;  /* [rows, D] */
  float *out;      /* [rows, D] */
  size_t *tokens;  /* [rows] */
  size_t n_rows;
} Zeroing;

static void
zeroing_clear (Zeroing *self)
{
  attn_parts_clear (&self->parts);
  attn_layer_tail_clear (&self->tail);
  g_free (self->maps);
  g_free (self->attended);
  g_free (self->clean);
  g_free (self->moved);
  g_free (self->changed);
  g_free (self->out);
  g_free (self->tokens);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Zeroing, zeroing_clear)

/* The layer as it ran: its rows before the norm, and what leaves it. */
static void
run_clean (Zeroing *self)
{
  const AttnParts *parts = &self->parts;
  const size_t T = parts->T, D = parts->D;
  const float *bias = attn_steps_peek_weights (parts->trace, parts->layer)->out.bias;
  const float *x = parts->trace->hiddens[parts->layer];
  for (size_t t = 0; t < T; t++) {
    self->tokens[t] = t;
    for (size_t i = 0; i < D; i++)
      self->attended[t * D + i] += x[t * D + i] + (bias != NULL ? bias[i] : 0);
  }
  memcpy (self->changed, self->attended, T * D * sizeof *self->changed);
  attn_layer_tail_run (&self->tail, self->changed, self->tokens, T, self->clean);
}

static bool
zeroing_init (Zeroing *self, const AttnTrace *trace, size_t layer, AttnPool *pool, GError **error)
{
  if (!attn_parts_init (&self->parts, trace, layer, error))
    return false;
  const size_t T = self->parts.T, D = self->parts.D;
  self->n_rows = MAX (T, ROWS_AT_ONCE / T * T);
  self->maps = attn_parts_try_new_maps (&self->parts, error);
  if (self->maps == NULL ||
      !attn_layer_tail_init (&self->tail, trace, layer, self->n_rows, pool, error))
    return false;
  self->attended = attn_parts_try_new_sums (&self->parts, self->maps, false, error);
  if (self->attended == NULL)
    return false;
  self->clean = g_new (float, T *D);
  self->moved = g_new (float, self->parts.H *D);
  self->changed = g_new (float, self->n_rows *D);
  self->out = g_new (float, self->n_rows *D);
  self->tokens = g_new (size_t, self->n_rows);
  run_clean (self);
  return true;
}

/* What every query has without key @key: attended - Σ_h a_ij f_h (x_j). */
static void
take_away (const Zeroing *self, size_t key, float *rows)
{
  const AttnParts *parts = &self->parts;
  const size_t T = parts->T, D = parts->D;
  for (size_t head = 0; head < parts->H; head++)
    attn_parts_project (parts, head, key, 1, self->moved + head * D);
  memcpy (rows, self->attended, T * D * sizeof *rows);
  for (size_t query = 0; query < T; query++)
    for (size_t head = 0; head < parts->H; head++) {
      const float weight = self->maps[(head * T + query) * T + key];
      const float *moved = self->moved + head * D;
      for (size_t i = 0; weight != 0 && i < D; i++)
        rows[query * D + i] -= weight * moved[i];
    }
}

/* 1 - cos, as half the squared distance of the two on the unit sphere: of nearly equal vectors the
 * cosine itself has no digits left. */
static double
compute_turn (const float *a, const float *b, size_t n)
{
  double aa = 0, bb = 0, sum = 0;
  for (size_t i = 0; i < n; i++) {
    aa += (double)a[i] * (double)a[i];
    bb += (double)b[i] * (double)b[i];
  }
  aa = sqrt (aa);
  bb = sqrt (bb);
  for (size_t i = 0; i < n; i++) {
    const double difference = (double)a[i] / aa - (double)b[i] / bb;
    sum += difference * difference;
  }
  return sum / 2;
}

/* Keys [first, first + n) taken away, one each. */
static void
run_keys (Zeroing *self, size_t first, size_t n, float *raw)
{
  const size_t T = self->parts.T, D = self->parts.D;
  for (size_t i = 0; i < n; i++)
    take_away (self, first + i, self->changed + i * T * D);
  for (size_t row = 0; row < n * T; row++)
    self->tokens[row] = row % T;
  attn_layer_tail_run (&self->tail, self->changed, self->tokens, n * T, self->out);
  for (size_t row = 0; row < n * T; row++) {
    const size_t query = row % T, key = first + row / T;
    size_t seen, end;
    attn_trace_get_visible (self->parts.trace, self->parts.layer, query, &seen, &end);
    raw[query * T + key] =
        key < seen || key >= end
            ? 0
            : (float)compute_turn (self->out + row * D, self->clean + query * D, D);
  }
}

static bool
compute_raw (
    const AttnTrace *trace, size_t layer, const AttnLensWork *work, float *raw, GError **error)
{
  g_auto (Zeroing) self = {0};
  if (!zeroing_init (&self, trace, layer, work->pool, error))
    return false;
  const size_t T = self.parts.T, n_keys = self.n_rows / T;
  for (size_t first = 0; first < T; first += n_keys) {
    if (!attn_lens_work_tell (work, (double)first / (double)T, error))
      return false;
    run_keys (&self, first, MIN (n_keys, T - first), raw);
  }
  return true;
}

bool
attn_lens_compute_zeroing (
    const AttnTrace *trace, size_t layer, AttnPool *pool, float *raw, GError **error)
{
  g_return_val_if_fail (layer < trace->model->config->n_layers, false);
  const AttnLensReason reason =
      attn_lens_get_model_reason (ATTN_LENS_ZEROING, trace->model, trace->n_tokens);
  if (reason != ATTN_LENS_FITS) {
    g_autofree char *why = attn_lens_dup_reason (ATTN_LENS_ZEROING, reason);
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED, "the lens %s: %s",
                 attn_lens_peek_name (ATTN_LENS_ZEROING), why);
    return false;
  }
  const AttnLensWork work = {.pool = pool};
  return compute_raw (trace, layer, &work, raw, error);
}

/* Rows over their sums; one of zeros stays. */
static bool
fill (void *own, size_t layer, const AttnLensWork *work, float *weights, GError **error)
{
  const AttnTrace *trace = own;
  const size_t T = trace->n_tokens;
  if (!compute_raw (trace, layer, work, weights, error))
    return false;
  for (size_t query = 0; query < T; query++) {
    double sum = 0;
    for (size_t key = 0; key < T; key++)
      sum += (double)weights[query * T + key];
    for (size_t key = 0; sum != 0 && key < T; key++)
      weights[query * T + key] = (float)((double)weights[query * T + key] / sum);
  }
  return true;
}

static void
unref_trace (void *own)
{
  attn_trace_unref (own);
}

AttnMaps *
attn_lens_new_zeroing (AttnMaps *maps, const AttnLensOptions *options, GError **error)
{
  AttnTrace *trace = attn_trace_ref (attn_maps_peek_trace (maps));
  return attn_lens_wrap_layers (maps, false, fill, unref_trace, trace, options, error);
}
