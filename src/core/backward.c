/* SPDX-License-Identifier: MIT */
/* The backward pass: each layer once more from its stored input, then derivatives back through it.
 *
 * Letters: T tokens, D model width, F feed-forward width. What is called d_… is dL/d of it. */
#include "backward.h"

#include "block.h"
#include "config-private.h"
#include "distances.h"
#include "model-private.h"
#include "ops-backward.h"
#include "ops.h"
#include "predict-back.h"
#include "trace-private.h"

#include "attn/error.h"

#include <string.h>

#define ROWS_PER_PIECE ((size_t)4) /* of work that goes row by row: exponentials, in double */

/* A pass under way. */
typedef struct {
  const AttnTrace *trace;
  const AttnArch *arch;
  const AttnConfig *config;
  const AttnWeights *weights;
  AttnPool *pool;
  size_t T, D, F;
  size_t n_up;                  /* F, or 2 F with a gate */
  double *gradients;            /* [n_layers, n_heads] */
  float *d_heads;               /* (nullable): as AttnBackwardOptions' */
  size_t layer;                 /* that is run */
  const float *x;               /* [T, D] its input */
  float *mixed;                 /* [T, D] the heads' outputs side by side, later dL/d of them */
  float *attended;              /* [T, D] x + mixed W_Oᵀ + b_O */
  float *normed;                /* [T, D] what the feed-forward part reads */
  float *up;                    /* [T, n_up] before the activation */
  float *inner;                 /* [T, F] after it and the gate */
  float *left;                  /* [T, D] what leaves the feed-forward part, residual included */
  float *d_hidden;              /* [T, D] of what leaves the layer, in the end of what enters it */
  float *d_inner, *d_up;        /* [T, F], [T, n_up] */
  float *d_part;                /* [T, D] on the way through a part of the layer */
  float *d_mixed;               /* [T, D] */
  float *d_qkv;                 /* [T, 3 D] */
  float *angles, *local_angles; /* [T, d_k] to turn back by */
  float *maps;                  /* [workers, 2 T T] */
  float *scratch;               /* as AttnLinearBack's */
} Pass;

static void
cut_pass (AttnCutter *cutter, Pass *pass)
{
  const size_t T = pass->T, D = pass->D;
  pass->mixed = attn_cutter_take_matrix (cutter, T, D);
  pass->attended = attn_cutter_take_matrix (cutter, T, D);
  pass->normed = attn_cutter_take_matrix (cutter, T, D);
  pass->up = attn_cutter_take_matrix (cutter, T, pass->n_up);
  pass->inner = attn_cutter_take_matrix (cutter, T, pass->F);
  pass->left = attn_cutter_take_matrix (cutter, T, D);
  pass->d_hidden = attn_cutter_take_matrix (cutter, T, D);
  pass->d_inner = attn_cutter_take_matrix (cutter, T, pass->F);
  pass->d_up = attn_cutter_take_matrix (cutter, T, pass->n_up);
  pass->d_part = attn_cutter_take_matrix (cutter, T, D);
  pass->d_mixed = attn_cutter_take_matrix (cutter, T, D);
  pass->d_qkv = attn_cutter_take_matrix (cutter, T, 3 * D);
  if (pass->arch->positions == ATTN_POSITION_ROTARY) {
    pass->angles = attn_cutter_take_matrix (cutter, T, pass->config->d_k);
    if (pass->config->local_layers != NULL)
      pass->local_angles = attn_cutter_take_matrix (cutter, T, pass->config->d_k);
  }
  pass->maps = attn_cutter_take_matrix (cutter, 2 * attn_pool_get_n_threads (pass->pool) * T, T);
  pass->scratch = attn_cutter_take (cutter, attn_linear_back_scratch_size (pass->pool));
}

/* Angles the other way round: a rotation's derivative is its transpose. */
static void
fill_back (const Pass *pass, float *angles, double theta)
{
  const size_t d_k = pass->config->d_k;
  if (angles == NULL)
    return;
  attn_rotation_fill (angles, pass->T, d_k, theta);
  for (size_t t = 0; t < pass->T; t++)
    for (size_t i = d_k / 2; i < d_k; i++)
      angles[t * d_k + i] = -angles[t * d_k + i];
}

static bool
get_scratch (Pass *pass, AttnBlock *block, GError **error)
{
  AttnCutter cutter = {0};
  cut_pass (&cutter, pass);
  if (!attn_block_init (block, &cutter, "the backward pass", false, error))
    return false;
  cutter = (AttnCutter){.base = block->data};
  cut_pass (&cutter, pass);
  fill_back (pass, pass->angles, pass->config->rope_theta);
  fill_back (pass, pass->local_angles, pass->config->local_rope_theta);
  return true;
}

/* What the head's output is multiplied with. */
static float
get_factor (const Pass *pass, size_t head)
{
  const AttnHeadGates *gates = pass->trace->gates;
  if (gates == NULL)
    return 1;
  const size_t i = pass->layer * gates->n_heads + head;
  return gates->gates[i] == ATTN_GATE_ZERO ? 0 : gates->factors[i];
}

/* Work on rows that pieces share out. */
typedef struct {
  const Pass *pass;
  const float *x;
  float *y;
  const AttnNormWeights *norm;
} RowJob;

static size_t
get_rows (const RowJob *job, size_t piece, size_t *first)
{
  *first = piece * ROWS_PER_PIECE;
  return MIN (ROWS_PER_PIECE, job->pass->T - *first);
}

static void
run_rows (RowJob *job, AttnPieceFunc func)
{
  attn_pool_run (job->pass->pool, (job->pass->T + ROWS_PER_PIECE - 1) / ROWS_PER_PIECE, func, job);
}

/* y = norm (x); without a norm the same */
static void
run_norm (const Pass *pass, float *y, const float *x, const AttnNormWeights *norm)
{
  if (norm->gain == NULL)
    memcpy (y, x, pass->T * pass->D * sizeof *y);
  else
    attn_ops_layer_norm (y, x, norm->gain, norm->bias, pass->T, pass->D,
                         pass->config->layer_norm_eps);
}

static void
norm_back_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  const RowJob *job = data;
  const size_t D = job->pass->D;
  size_t first, n = get_rows (job, piece, &first);
  attn_backward_layer_norm (&(AttnNormBackward){
      .x = job->x + first * D,
      .gain = job->norm->gain,
      .d_y = job->y + first * D,
      .n_rows = n,
      .width = D,
      .eps = job->pass->config->layer_norm_eps,
      .d_x = job->y + first * D,
  });
}

/* d: of what a norm made of x, afterwards of x. */
static void
run_norm_back (const Pass *pass, float *d, const float *x, const AttnNormWeights *norm)
{
  RowJob job = {.pass = pass, .x = x, .y = d, .norm = norm};
  if (norm->gain != NULL)
    run_rows (&job, norm_back_piece);
}

static void
run_linear (
    const Pass *pass, const AttnLinear *linear, const float *x, float *y, const float *residual)
{
  const AttnLinearCall call = {
      .x = x,
      .ldx = linear->n_in,
      .y = y,
      .ldy = linear->n_out,
      .n_rows = pass->T,
      .after = residual != NULL ? ATTN_AFTER_ADD : ATTN_AFTER_NOTHING,
      .add = residual,
  };
  attn_linear_run (linear, &call, pass->pool);
}

static void
run_linear_back (const Pass *pass, const AttnLinear *linear, const float *d_y, float *d_x, bool add)
{
  const AttnLinearBack call = {
      .d_y = d_y, .d_x = d_x, .n_rows = pass->T, .add = add, .scratch = pass->scratch};
  attn_linear_run_back (linear, &call, pass->pool);
}

/* mixed = map · v of one head, as if its factor were 1 */
static void
mix_piece (size_t head, size_t worker, void *data)
{
  const Pass *pass = data;
  const size_t T = pass->T, d_k = pass->config->d_k;
  float *map = pass->maps + worker * 2 * T * T;
  size_t ldv;
  const float *v = attn_trace_peek_tap (pass->trace, ATTN_TAP_VALUE, pass->layer, &ldv);
  attn_trace_compute_map (pass->trace, pass->layer, head, map);
  attn_ops_mix_values (map, v + head * d_k, ldv, T, d_k, pass->mixed + head * d_k, pass->D);
}

/* dL/dξ of one head, and then dL/d of its queries, keys and values. */
static void
head_back_piece (size_t head, size_t worker, void *data)
{
  const Pass *pass = data;
  const size_t T = pass->T, D = pass->D, d_k = pass->config->d_k, column = head * d_k;
  const float factor = get_factor (pass, head);
  double gradient = 0;
  for (size_t t = 0; t < T; t++)
    for (size_t i = column; i < column + d_k; i++) {
      gradient += (double)pass->mixed[t * D + i] * (double)pass->d_mixed[t * D + i];
      pass->d_mixed[t * D + i] *= factor;
    }
  pass->gradients[pass->layer * pass->config->n_heads + head] = gradient;
  if (pass->layer == 0)
    return; /* nobody asks for what comes before */
  float *map = pass->maps + worker * 2 * T * T;
  attn_trace_compute_map (pass->trace, pass->layer, head, map);
  const AttnScoreCall score = attn_trace_get_score_call (pass->trace, pass->layer, head);
  AttnHeadBackward call = {
      .q = score.q,
      .k = score.k,
      .weights = map,
      .d_out = pass->d_mixed + column,
      .ld_out = D,
      .n_tokens = T,
      .d_k = d_k,
      .scale = score.scale,
      .d_q = pass->d_qkv + column,
      .d_k_rows = pass->d_qkv + D + column,
      .d_v = pass->d_qkv + 2 * D + column,
      .ld_d = 3 * D,
      .d_weights = map + T * T,
      .d_scores = map + T * T,
  };
  call.v = attn_trace_peek_tap (pass->trace, ATTN_TAP_VALUE, pass->layer, &call.ld) + column;
  attn_backward_head (&call);
}

static void
rotate_back (const Pass *pass)
{
  const AttnConfig *config = pass->config;
  const bool local = config->local_layers != NULL && config->local_layers[pass->layer];
  const float *angles = local ? pass->local_angles : pass->angles;
  if (angles == NULL)
    return;
  for (size_t t = 0; t < pass->T; t++)
    for (size_t head = 0; head < 2 * config->n_heads; head++) /* of queries, then of keys */
      attn_rotation_apply (pass->d_qkv + t * 3 * pass->D + head * config->d_k,
                           angles + t * config->d_k, config->d_k);
}

/* What is inside a layer, once more from its input; the heads' outputs stay without factors. */
static void
run_attention (Pass *pass, const AttnLayerWeights *w)
{
  const size_t T = pass->T, D = pass->D, d_k = pass->config->d_k;
  attn_pool_run (pass->pool, pass->config->n_heads, mix_piece, pass);
  for (size_t t = 0; t < T; t++)
    for (size_t i = 0; i < D; i++)
      pass->d_mixed[t * D + i] = pass->mixed[t * D + i] * get_factor (pass, i / d_k);
  run_linear (pass, &w->out, pass->d_mixed, pass->attended, pass->x);
}

/* From dL/d(attended) to the heads' gradients; adds to @d_input dL/d of what queries, keys and
 * values were made of. */
static void
run_attention_back (
    Pass *pass, const AttnLayerWeights *w, const float *d_attended, float *d_input, bool add)
{
  run_linear_back (pass, &w->out, d_attended, pass->d_mixed, false);
  attn_pool_run (pass->pool, pass->config->n_heads, head_back_piece, pass);
  const size_t size = pass->T * pass->D;
  if (pass->d_heads != NULL)
    memcpy (pass->d_heads + pass->layer * size, pass->d_mixed, size * sizeof (float));
  if (pass->layer == 0)
    return;
  rotate_back (pass);
  run_linear_back (pass, &w->qkv, pass->d_qkv, d_input, add);
}

static void
activate_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  const RowJob *job = data;
  const Pass *pass = job->pass;
  const size_t F = pass->F, n_up = pass->n_up;
  size_t first, n = get_rows (job, piece, &first);
  for (size_t row = first; row < first + n; row++) {
    const float *up = pass->up + row * n_up;
    float *inner = pass->inner + row * F;
    memcpy (inner, up, F * sizeof *inner);
    attn_ops_activate (pass->config->activation, inner, F);
    for (size_t i = 0; pass->arch->gated && i < F; i++)
      inner[i] *= up[F + i];
  }
}

/* With a gate: inner = act (a) g, so d_a = act' (a) g d_inner and d_g = act (a) d_inner. */
static void
activate_back_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  const RowJob *job = data;
  const Pass *pass = job->pass;
  const size_t F = pass->F, n_up = pass->n_up;
  const AttnActivation activation = pass->config->activation;
  size_t first, n = get_rows (job, piece, &first);
  for (size_t row = first; row < first + n; row++) {
    const float *up = pass->up + row * n_up, *d_inner = pass->d_inner + row * F;
    float *d_up = pass->d_up + row * n_up;
    memcpy (d_up, d_inner, F * sizeof *d_up);
    if (pass->arch->gated) {
      memcpy (d_up + F, up, F * sizeof *d_up);
      attn_ops_activate (activation, d_up + F, F);
      for (size_t i = 0; i < F; i++) {
        d_up[i] *= up[F + i];
        d_up[F + i] *= d_inner[i];
      }
    }
    attn_backward_activate (activation, d_up, up, d_up, F);
  }
}

/* The feed-forward part, from `normed` as far as its activation. */
static void
run_up (const Pass *pass, const AttnLayerWeights *w)
{
  RowJob job = {.pass = pass};
  run_linear (pass, &w->up, pass->normed, pass->up, NULL);
  run_rows (&job, activate_piece);
}

/* From @d_left to dL/d(normed), which is written to @d_normed or added there. */
static void
run_feed_back (
    const Pass *pass, const AttnLayerWeights *w, const float *d_left, float *d_normed, bool add)
{
  RowJob job = {.pass = pass};
  run_linear_back (pass, &w->down, d_left, pass->d_inner, false);
  run_rows (&job, activate_back_piece);
  run_linear_back (pass, &w->up, pass->d_up, d_normed, add);
}

/* y = norm (a + ffn (a)), a = norm (x + attention (x)) */
static void
run_layer_norm_after (Pass *pass, const AttnLayerWeights *w)
{
  run_attention (pass, w);
  run_norm (pass, pass->normed, pass->attended, &w->attn_norm);
  run_up (pass, w);
  run_linear (pass, &w->down, pass->inner, pass->left, pass->normed);

  float *d = pass->d_hidden;
  run_norm_back (pass, d, pass->left, &w->ffn_norm);
  memcpy (pass->d_part, d, pass->T * pass->D * sizeof *d);
  run_feed_back (pass, w, pass->d_part, d, true);
  run_norm_back (pass, d, pass->attended, &w->attn_norm);
  memcpy (pass->d_part, d, pass->T * pass->D * sizeof *d);
  run_attention_back (pass, w, pass->d_part, d, true);
}

static void
add_to (float *to, const float *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
}

/* y = a + ffn (norm (a)), a = x + attention (norm (x)) */
static void
run_layer_norm_before (Pass *pass, const AttnLayerWeights *w)
{
  run_attention (pass, w);
  run_norm (pass, pass->normed, pass->attended, &w->ffn_norm);
  run_up (pass, w);

  float *d = pass->d_hidden;
  run_feed_back (pass, w, d, pass->d_part, false);
  run_norm_back (pass, pass->d_part, pass->attended, &w->ffn_norm);
  add_to (d, pass->d_part, pass->T * pass->D);
  run_attention_back (pass, w, d, pass->d_part, false);
  if (pass->layer == 0)
    return;
  run_norm_back (pass, pass->d_part, pass->x, &w->attn_norm);
  add_to (d, pass->d_part, pass->T * pass->D);
}

static bool
run_layers (Pass *pass, const AttnBackwardOptions *options, GError **error)
{
  const size_t L = pass->config->n_layers;
  for (size_t l = L; l-- > 0;) {
    const double done = options->start + options->share * (double)(L - 1 - l) / (double)L;
    if (!attn_progress_tell (options->progress, options->progress_data, done, error))
      return false;
    const AttnLayerWeights *w =
        &pass->weights->layers[attn_config_get_weight_layer (pass->config, l)];
    pass->layer = l;
    pass->x = pass->trace->hiddens[l];
    switch (pass->arch->norm) {
    case ATTN_NORM_AFTER:
      run_layer_norm_after (pass, w);
      break;
    case ATTN_NORM_BEFORE:
      run_layer_norm_before (pass, w);
      break;
    }
  }
  return true;
}

bool
attn_backward_check (const AttnTrace *trace, GError **error)
{
  const AttnHeadGates *gates = trace->gates;
  bool kept = trace->patterns == NULL;
  for (size_t i = 0; gates != NULL && i < gates->n_layers * gates->n_heads; i++)
    kept &= gates->gates[i] == ATTN_GATE_KEEP || gates->gates[i] == ATTN_GATE_ZERO;
  if (trace->model->arch->score == ATTN_SCORE_DISENTANGLED) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "importance by gradients is not computed for %s: its scores are made of distances "
                 "too, and the way back through those is not known here",
                 trace->model->config->family);
    return false;
  }
  if (!kept) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "importance by gradients is of runs whose heads are kept or zero");
    return false;
  }
  return true;
}

bool
attn_backward (const AttnTrace *trace,
               const AttnTarget *target,
               const AttnBackwardOptions *options,
               double *gradients,
               GError **error)
{
  const AttnModel *model = trace->model;
  g_auto (AttnBlock) block = {0};
  Pass pass = {
      .trace = trace,
      .arch = model->arch,
      .config = model->config,
      .weights = &model->weights,
      .pool = options->pool,
      .T = trace->n_tokens,
      .D = model->config->d_model,
      .F = model->config->d_ff,
      .n_up = model->weights.layers[0].up.n_out,
      .gradients = gradients,
      .d_heads = options->d_heads,
  };
  if (!get_scratch (&pass, &block, error) ||
      !attn_predict_run_back (trace, target, pass.d_hidden, pass.scratch, pass.pool, error))
    return false;
  run_norm_back (&pass, pass.d_hidden, trace->last, &model->weights.final_norm);
  return run_layers (&pass, options, error);
}
