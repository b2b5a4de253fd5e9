/* SPDX-License-Identifier: MIT */
/* The forward pass itself: from ids to everything a trace keeps.
 *
 * Letters: R rows, the tokens of all texts; T tokens of one; D model width, E width of embeddings,
 * F feed-forward width, L layers. */
#include "forward.h"

#include "config-private.h"
#include "distances.h"
#include "forward-pass.h"
#include "gate-head.h"
#include "model-private.h"
#include "ops.h"

#include <math.h>
#include <string.h>

#define ROWS_PER_PIECE 16 /* of work that goes row by row */

static void
enter (const AttnForwardPass *pass, AttnStage stage)
{
  if (pass->options->stage != NULL)
    pass->options->stage (stage, pass->options->stage_data);
}

/* A linear layer on all rows, from x to y. */
static AttnLinearCall
make_call (const AttnForwardPass *pass, const AttnLinear *linear, const float *x, float *y)
{
  return (AttnLinearCall){
      .x = x,
      .ldx = linear->n_in,
      .y = y,
      .ldy = linear->n_out,
      .n_rows = pass->R,
      .activation = pass->config->activation,
  };
}

/* Work on rows that pieces of ROWS_PER_PIECE share out. */
typedef struct {
  const AttnForwardPass *pass;
  const float *x;
  float *y; /* both [R, width] */
  size_t width;
  const AttnNormWeights *norm;
  const float *angles;
} RowJob;

static size_t
get_rows (const RowJob *job, size_t piece, size_t *first)
{
  *first = piece * ROWS_PER_PIECE;
  return MIN (ROWS_PER_PIECE, job->pass->R - *first);
}

static void
run_rows (RowJob *job, AttnPieceFunc func)
{
  size_t n_pieces = (job->pass->R + ROWS_PER_PIECE - 1) / ROWS_PER_PIECE;
  attn_pool_run (job->pass->pool, n_pieces, func, job);
}

static void
norm_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  const RowJob *job = data;
  size_t first, n = get_rows (job, piece, &first);
  attn_ops_layer_norm (job->y + first * job->width, job->x + first * job->width, job->norm->gain,
                       job->norm->bias, n, job->width, job->pass->config->layer_norm_eps);
}

/* y = norm (x); may be in place. Returns: where the result stands: x itself where there is no norm.
 */
static const float *
layer_norm (const AttnForwardPass *pass, const float *x, float *y, const AttnNormWeights *norm)
{
  if (norm->gain == NULL)
    return x;
  enter (pass, ATTN_STAGE_NORM);
  RowJob job = {pass, x, y, pass->config->d_model, norm, NULL};
  run_rows (&job, norm_piece);
  return y;
}

static void
embed_piece (size_t piece, size_t worker, void *data)
{
  const RowJob *job = data;
  const AttnForwardPass *pass = job->pass;
  const AttnWeights *w = pass->weights;
  size_t first, n = get_rows (job, piece, &first), E = job->width;
  for (size_t row = first; row < first + n; row++) {
    const float *word = w->words + (size_t)pass->ids[row] * E;
    const float *type = w->types != NULL ? w->types + (size_t)pass->types[row] * E : NULL;
    const float *position =
        w->positions != NULL ? w->positions + (size_t)pass->positions[row] * E : NULL;
    float *x = job->y + row * E;
    for (size_t i = 0; i < E; i++)
      x[i] = word[i] + (type != NULL ? type[i] : 0) + (position != NULL ? position[i] : 0);
  }
  if (job->norm != NULL)
    norm_piece (piece, worker, data);
}

/* x = norm (word + type + position), each part where the family has it; where embeddings are
 * narrower a projection follows, or comes before the norm. */
static void
embed (const AttnForwardPass *pass, float *x)
{
  enter (pass, ATTN_STAGE_EMBEDDINGS);
  const AttnWeights *w = pass->weights;
  const AttnLinear *projection = &w->projection;
  const bool projected = projection->panels != NULL;
  const bool norm_late = projected && pass->arch->projected_first;
  float *rows = projected ? pass->embedded : x;
  RowJob job = {pass, rows, rows, projected ? projection->n_in : pass->config->d_model, NULL, NULL};
  job.norm = w->embed_norm.gain != NULL && !norm_late ? &w->embed_norm : NULL;
  run_rows (&job, embed_piece);
  if (!projected)
    return;
  AttnLinearCall call = make_call (pass, projection, rows, x);
  attn_linear_run (projection, &call, pass->pool);
  if (norm_late)
    layer_norm (pass, x, x, &w->embed_norm);
}

static void
rotate_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  const RowJob *job = data;
  const AttnConfig *config = job->pass->config;
  const size_t d_k = config->d_k;
  size_t first, n = get_rows (job, piece, &first);
  for (size_t row = first; row < first + n; row++) {
    const float *angles = job->angles + (size_t)job->pass->tokens[row] * d_k;
    for (size_t head = 0; head < 2 * config->n_heads; head++) /* of queries, then of keys */
      attn_rotation_apply (job->y + row * job->width + head * d_k, angles, d_k);
  }
}

/* qkv = x Wᵀ + b, queries and keys rotated where the family does so */
static void
project_qkv (const AttnForwardPass *pass, const AttnLinear *linear, const float *x, size_t l)
{
  enter (pass, ATTN_STAGE_QKV);
  float *qkv = pass->traces[0]->qkvs[l];
  AttnLinearCall call = make_call (pass, linear, x, qkv);
  attn_linear_run (linear, &call, pass->pool);
  if (pass->angles == NULL)
    return;
  const bool local = pass->config->local_layers != NULL && pass->config->local_layers[l];
  RowJob job = {pass, qkv, qkv, linear->n_out, NULL, local ? pass->local_angles : pass->angles};
  run_rows (&job, rotate_piece);
}

typedef struct {
  const AttnForwardPass *pass;
  size_t layer;
  size_t *first_pieces; /* [n_texts + 1] */
} AttendJob;

/* The products with distances serve a whole head, so it is one piece. */
static size_t
count_pieces_per_head (const AttnForwardPass *pass, size_t n_tokens)
{
  if (pass->arch->score == ATTN_SCORE_DISENTANGLED)
    return 1;
  return (n_tokens + ATTN_QUERIES_PER_PIECE - 1) / ATTN_QUERIES_PER_PIECE;
}

static size_t
find_text (const AttendJob *job, size_t piece)
{
  size_t low = 0, high = job->pass->n_texts;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    if (job->first_pieces[middle] <= piece)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* head = map · v, for some queries of one text */
static void
attend_piece (size_t piece, size_t worker, void *data)
{
  const AttendJob *job = data;
  const AttnForwardPass *pass = job->pass;
  const size_t text = find_text (job, piece), d_k = pass->config->d_k;
  const AttnTrace *trace = pass->traces[text];
  const size_t per_head = count_pieces_per_head (pass, trace->n_tokens);
  const size_t head = (piece - job->first_pieces[text]) / per_head;
  const size_t part = (piece - job->first_pieces[text]) % per_head;
  const size_t n_queries = per_head == 1 ? trace->n_tokens : ATTN_QUERIES_PER_PIECE;
  const size_t offset = (size_t)(trace->hiddens[0] - pass->traces[0]->hiddens[0]);
  AttnAttendCall call = {
      .score = attn_trace_get_score_call (trace, job->layer, head),
      .first_query = part * n_queries,
      .out = pass->mixed + offset + head * d_k,
      .ldo = pass->config->d_model,
  };
  call.n_queries = MIN (n_queries, trace->n_tokens - call.first_query);
  call.v = attn_trace_peek_tap (trace, ATTN_TAP_VALUE, job->layer, &call.ldv) + head * d_k;
  attn_ops_attend (&call, pass->heads + worker * pass->head_size);
}

static void
attend (const AttnForwardPass *pass, size_t layer)
{
  enter (pass, ATTN_STAGE_ATTENTION);
  g_autofree size_t *first_pieces = g_new (size_t, pass->n_texts + 1);
  first_pieces[0] = 0;
  for (size_t i = 0; i < pass->n_texts; i++)
    first_pieces[i + 1] =
        first_pieces[i] +
        pass->config->n_heads * count_pieces_per_head (pass, pass->traces[i]->n_tokens);
  AttendJob job = {pass, layer, first_pieces};
  attn_pool_run (pass->pool, first_pieces[pass->n_texts], attend_piece, &job);
}

static void
gate_head_piece (size_t piece, size_t worker, void *data)
{
  const AttendJob *job = data;
  const AttnForwardPass *pass = job->pass;
  const size_t text = piece / pass->config->n_heads, head = piece % pass->config->n_heads;
  const AttnTrace *trace = pass->traces[text];
  if (!attn_gate_acts (trace, job->layer, head))
    return;
  const size_t offset = (size_t)(trace->hiddens[0] - pass->traces[0]->hiddens[0]);
  attn_gate_apply (trace, job->layer, head, pass->mixed + offset + head * pass->config->d_k,
                   pass->config->d_model, pass->heads + worker * pass->head_size);
}

/* The heads' outputs as the texts' gates want them. */
static void
gate_heads (const AttnForwardPass *pass, size_t layer)
{
  bool any = false;
  for (size_t i = 0; i < pass->n_texts; i++)
    any |= pass->traces[i]->gates != NULL;
  AttendJob job = {pass, layer, NULL};
  if (any)
    attn_pool_run (pass->pool, pass->n_texts * pass->config->n_heads, gate_head_piece, &job);
}

/* y = x + mixed Wᵀ + b */
static void
project_out (const AttnForwardPass *pass, const AttnLinear *linear, const float *x, float *y)
{
  enter (pass, ATTN_STAGE_OUTPUT);
  AttnLinearCall call = make_call (pass, linear, pass->mixed, y);
  call.after = ATTN_AFTER_ADD;
  call.add = x;
  attn_linear_run (linear, &call, pass->pool);
}

/* inner = act (first half) × second half, in the place of the first */
static void
gate_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  const RowJob *job = data;
  const size_t F = job->pass->config->d_ff;
  size_t first, n = get_rows (job, piece, &first);
  for (size_t row = first; row < first + n; row++) {
    float *x = job->y + row * job->width;
    attn_ops_activate (job->pass->config->activation, x, F);
    for (size_t i = 0; i < F; i++)
      x[i] *= x[F + i];
  }
}

/* y = residual + act (x Wᵀ + b) W'ᵀ + b', with a gate where the family has one */
static void
feed_forward (const AttnForwardPass *pass,
              const AttnLayerWeights *w,
              const float *x,
              const float *residual,
              float *y)
{
  enter (pass, ATTN_STAGE_UP);
  AttnLinearCall up = make_call (pass, &w->up, x, pass->inner);
  up.ldy = pass->inner_stride;
  up.after = pass->arch->gated ? ATTN_AFTER_NOTHING : ATTN_AFTER_ACTIVATION;
  attn_linear_run (&w->up, &up, pass->pool);
  if (pass->arch->gated) {
    RowJob job = {pass, pass->inner, pass->inner, pass->inner_stride, NULL, NULL};
    run_rows (&job, gate_piece);
  }
  enter (pass, ATTN_STAGE_DOWN);
  AttnLinearCall down = make_call (pass, &w->down, pass->inner, y);
  down.ldx = pass->inner_stride;
  down.after = ATTN_AFTER_ADD;
  down.add = residual;
  attn_linear_run (&w->down, &down, pass->pool);
}

/* Of each element its values at the tokens around the row's; beyond the text's ends, 0. */
static void
unfold_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  const RowJob *job = data;
  const size_t D = job->width, width = job->pass->config->conv_width, R = job->pass->R;
  const int32_t *tokens = job->pass->tokens;
  size_t first, n = get_rows (job, piece, &first);
  for (size_t row = first; row < first + n; row++) {
    float *out = job->y + row * D * width;
    for (size_t at = 0; at < width; at++) {
      const size_t other = row + at - width / 2; /* wraps before the first row */
      const bool same_text = other < R && (size_t)(tokens[other] - tokens[row]) == other - row;
      for (size_t i = 0; i < D; i++)
        out[i * width + at] = same_text ? job->x[other * D + i] : 0;
    }
  }
}

/* y = y + tanh (x) */
static void
add_tanh_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  const RowJob *job = data;
  size_t first, n = get_rows (job, piece, &first);
  for (size_t i = first * job->width; i < (first + n) * job->width; i++)
    job->y[i] += tanhf (job->x[i]);
}

/* y = norm (y + tanh (convolution of x)), where x went into the first layer and y came out. */
static void
convolve (const AttnForwardPass *pass, const float *x, float *y)
{
  enter (pass, ATTN_STAGE_OUTPUT);
  const AttnLinear *convolution = &pass->weights->convolution;
  RowJob unfold = {pass, x, pass->unfolded, pass->config->d_model, NULL, NULL};
  run_rows (&unfold, unfold_piece);
  AttnLinearCall call = make_call (pass, convolution, pass->unfolded, pass->attended);
  attn_linear_run (convolution, &call, pass->pool);
  RowJob add = {pass, pass->attended, y, pass->config->d_model, NULL, NULL};
  run_rows (&add, add_tanh_piece);
  layer_norm (pass, y, y, &pass->weights->convolution_norm);
}

/* One layer with its norms after the residual sums, as in the first Transformer and BERT. */
static void
run_layer_norm_after (const AttnForwardPass *pass, const AttnLayerWeights *w, size_t l, float *y)
{
  const float *x = pass->traces[0]->hiddens[l];
  project_qkv (pass, &w->qkv, x, l);
  attend (pass, l);
  gate_heads (pass, l);
  project_out (pass, &w->out, x, pass->attended);
  layer_norm (pass, pass->attended, pass->attended, &w->attn_norm);

  feed_forward (pass, w, pass->attended, pass->attended, y);
  layer_norm (pass, y, y, &w->ffn_norm);
  if (l == 0 && pass->config->conv_width > 0)
    convolve (pass, x, y);
}

/* One layer with its norms before each part, which leaves the residual stream alone. */
static void
run_layer_norm_before (const AttnForwardPass *pass, const AttnLayerWeights *w, size_t l, float *y)
{
  const float *x = pass->traces[0]->hiddens[l];
  project_qkv (pass, &w->qkv, layer_norm (pass, x, pass->normed, &w->attn_norm), l);
  attend (pass, l);
  gate_heads (pass, l);
  project_out (pass, &w->out, x, pass->attended);

  const float *normed = layer_norm (pass, pass->attended, pass->normed, &w->ffn_norm);
  feed_forward (pass, w, normed, pass->attended, y);
}

/* Layers that are not run again, and what enters the first that is. */
static void
copy_start (const AttnForwardPass *pass, const AttnTrace *const *starts)
{
  const size_t D = pass->config->d_model, start = pass->options->start_layer;
  for (size_t i = 0; i < pass->n_texts; i++) {
    AttnTrace *trace = pass->traces[i];
    const size_t n_bytes = trace->n_tokens * D * sizeof (float);
    for (size_t l = 0; l <= start; l++)
      memcpy (trace->hiddens[l], starts[i]->hiddens[l], n_bytes);
    for (size_t l = 0; l < start; l++)
      memcpy (trace->qkvs[l], starts[i]->qkvs[l], 3 * n_bytes);
  }
}

static bool
run_layers (const AttnForwardPass *pass, GError **error)
{
  const AttnRunOptions *options = pass->options;
  const AttnTrace *stack = pass->traces[0];
  const size_t L = pass->config->n_layers;
  for (size_t l = options->start_layer; l < L; l++) {
    if (!attn_progress_tell (options->progress, options->progress_data, (double)l / (double)L,
                             error))
      return false;
    const AttnLayerWeights *w =
        &pass->weights->layers[attn_config_get_weight_layer (pass->config, l)];
    float *y = l + 1 < L ? stack->hiddens[l + 1] : stack->last;
    switch (pass->arch->norm) {
    case ATTN_NORM_AFTER:
      run_layer_norm_after (pass, w, l, y);
      break;
    case ATTN_NORM_BEFORE:
      run_layer_norm_before (pass, w, l, y);
      break;
    }
  }
  layer_norm (pass, stack->last, stack->hiddens[L], &pass->weights->final_norm);
  return attn_progress_tell (options->progress, options->progress_data, 1, error);
}

bool
attn_forward (AttnTrace *const *traces,
              const AttnTrace *const *starts,
              const int32_t *const *type_ids,
              size_t n_texts,
              const AttnRunOptions *options,
              GError **error)
{
  const AttnModel *model = traces[0]->model;
  AttnForwardPass pass = {
      .arch = model->arch,
      .config = model->config,
      .weights = &model->weights,
      .options = options,
      .pool = options->pool,
      .traces = traces,
      .n_texts = n_texts,
  };
  for (size_t i = 0; i < n_texts; i++) {
    pass.R += traces[i]->n_tokens;
    pass.longest = MAX (pass.longest, traces[i]->n_tokens);
  }
  if (!attn_forward_pass_init (&pass, type_ids, error))
    return false;
  if (starts[0] != NULL)
    copy_start (&pass, starts);
  else
    embed (&pass, traces[0]->hiddens[0]);
  bool done = run_layers (&pass, error);
  enter (&pass, ATTN_STAGE_END);
  attn_block_clear (&pass.block);
  return done;
}
