/* SPDX-License-Identifier: MIT */
/* One forward pass of an encoder.
 *
 * Letters: T tokens, D model width, F feed-forward width, H heads, L layers. */
#include "attn/run.h"

#include "model-private.h"
#include "ops.h"
#include "trace-private.h"

#include "attn/error.h"

#define ROWS_PER_PIECE 16 /* tokens whose rows are normalised in one piece of work */

/* A run under way: what it reads, its trace, and scratch memory that ends with it. */
typedef struct {
  const AttnConfig *config;
  const AttnWeights *weights;
  const AttnRunOptions *options;
  AttnPool *pool;
  AttnTrace *trace;
  size_t T;
  float *mixed;    /* [T, D] the heads' outputs side by side */
  float *attended; /* [T, D] after attention, residual and norm */
  float *inner;    /* [T, F] inside the feed-forward part, row stride inner_stride */
  size_t inner_stride;
  float *heads; /* [workers, head_size] what each worker keeps of its head */
  size_t head_size;
  AttnBlock block;
} Run;

static void
cut_run (AttnCutter *cutter, Run *run)
{
  const AttnConfig *config = run->config;
  run->mixed = attn_cutter_take_matrix (cutter, run->T, config->d_model);
  run->attended = attn_cutter_take_matrix (cutter, run->T, config->d_model);
  run->inner_stride = attn_linear_get_stride (config->d_ff);
  run->inner = attn_cutter_take_matrix (cutter, run->T, run->inner_stride);
  run->head_size = attn_ops_attend_scratch_size (run->T, config->d_k);
  run->heads =
      attn_cutter_take_matrix (cutter, attn_pool_get_n_threads (run->pool), run->head_size);
}

static bool
get_scratch (Run *run, GError **error)
{
  AttnCutter cutter = {0};
  cut_run (&cutter, run);
  if (!attn_block_init (&run->block, &cutter, "the run's scratch memory", false, error))
    return false;
  cutter = (AttnCutter){.base = run->block.data};
  cut_run (&cutter, run);
  return true;
}

static void
enter (const Run *run, AttnStage stage)
{
  if (run->options->stage != NULL)
    run->options->stage (stage, run->options->stage_data);
}

/* A linear layer on all rows, from x to y. */
static AttnLinearCall
make_call (const Run *run, const AttnLinear *linear, const float *x, float *y)
{
  return (AttnLinearCall){
      .x = x,
      .ldx = linear->n_in,
      .y = y,
      .ldy = linear->n_out,
      .n_rows = run->T,
      .activation = run->config->activation,
  };
}

/* Work on rows that pieces of ROWS_PER_PIECE share out. */
typedef struct {
  const Run *run;
  float *x; /* [T, D] */
  const AttnNormWeights *norm;
  const int32_t *type_ids; /* for embed_piece() */
} RowJob;

static size_t
get_rows (const RowJob *job, size_t piece, size_t *first)
{
  *first = piece * ROWS_PER_PIECE;
  return MIN (ROWS_PER_PIECE, job->run->T - *first);
}

static void
run_rows (RowJob *job, AttnPieceFunc func)
{
  size_t n_pieces = (job->run->T + ROWS_PER_PIECE - 1) / ROWS_PER_PIECE;
  attn_pool_run (job->run->pool, n_pieces, func, job);
}

static void
norm_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  const RowJob *job = data;
  size_t first, n = get_rows (job, piece, &first), D = job->run->config->d_model;
  float *x = job->x + first * D;
  attn_ops_layer_norm (x, x, job->norm->gain, job->norm->bias, n, D,
                       job->run->config->layer_norm_eps);
}

static void
layer_norm (const Run *run, float *x, const AttnNormWeights *norm)
{
  enter (run, ATTN_STAGE_NORM);
  RowJob job = {.run = run, .x = x, .norm = norm};
  run_rows (&job, norm_piece);
}

static void
embed_piece (size_t piece, size_t worker, void *data)
{
  const RowJob *job = data;
  const AttnWeights *w = job->run->weights;
  size_t first, n = get_rows (job, piece, &first), D = job->run->config->d_model;
  for (size_t t = first; t < first + n; t++) {
    const float *word = w->words + (size_t)job->run->trace->ids[t] * D;
    const float *position = w->positions + t * D;
    size_t type_id = job->type_ids != NULL ? (size_t)job->type_ids[t] : 0;
    const float *type = w->types != NULL ? w->types + type_id * D : NULL;
    float *x = job->x + t * D;
    for (size_t i = 0; i < D; i++)
      x[i] = word[i] + (type != NULL ? type[i] : 0) + position[i];
  }
  norm_piece (piece, worker, data);
}

/* x = norm (word + type + position) */
static void
embed (const Run *run, const int32_t *type_ids, float *x)
{
  enter (run, ATTN_STAGE_EMBEDDINGS);
  RowJob job = {.run = run, .x = x, .norm = &run->weights->embed_norm, .type_ids = type_ids};
  run_rows (&job, embed_piece);
}

typedef struct {
  const Run *run;
  size_t layer, pieces_per_head;
} AttendJob;

/* head = softmax (q kᵀ / √d_k) v, for some of its queries */
static void
attend_piece (size_t piece, size_t worker, void *data)
{
  const AttendJob *job = data;
  const Run *run = job->run;
  size_t d_k = run->config->d_k, head = piece / job->pieces_per_head;
  AttnAttendCall call = {
      .score = attn_trace_get_score_call (run->trace, job->layer, head),
      .first_query = piece % job->pieces_per_head * ATTN_QUERIES_PER_PIECE,
      .out = run->mixed + head * d_k,
      .ldo = run->config->d_model,
  };
  call.n_queries = MIN (ATTN_QUERIES_PER_PIECE, run->T - call.first_query);
  call.v = attn_trace_peek_tap (run->trace, ATTN_TAP_VALUE, job->layer, &call.ldv) + head * d_k;
  attn_ops_attend (&call, run->heads + worker * run->head_size);
}

static void
attend (const Run *run, size_t layer)
{
  enter (run, ATTN_STAGE_ATTENTION);
  AttendJob job = {.run = run, .layer = layer};
  job.pieces_per_head = (run->T + ATTN_QUERIES_PER_PIECE - 1) / ATTN_QUERIES_PER_PIECE;
  attn_pool_run (run->pool, run->config->n_heads * job.pieces_per_head, attend_piece, &job);
}

/* qkv = x Wᵀ + b */
static void
project_qkv (const Run *run, const AttnLinear *linear, const float *x, float *qkv)
{
  enter (run, ATTN_STAGE_QKV);
  AttnLinearCall call = make_call (run, linear, x, qkv);
  attn_linear_run (linear, &call, run->pool);
}

/* y = x + mixed Wᵀ + b */
static void
project_out (const Run *run, const AttnLinear *linear, const float *x, float *y)
{
  enter (run, ATTN_STAGE_OUTPUT);
  AttnLinearCall call = make_call (run, linear, run->mixed, y);
  call.after = ATTN_AFTER_ADD;
  call.add = x;
  attn_linear_run (linear, &call, run->pool);
}

/* y = x + act (x Wᵀ + b) W'ᵀ + b' */
static void
feed_forward (const Run *run, const AttnLayerWeights *w, const float *x, float *y)
{
  enter (run, ATTN_STAGE_UP);
  AttnLinearCall up = make_call (run, &w->up, x, run->inner);
  up.ldy = run->inner_stride;
  up.after = ATTN_AFTER_ACTIVATION;
  attn_linear_run (&w->up, &up, run->pool);

  enter (run, ATTN_STAGE_DOWN);
  AttnLinearCall down = make_call (run, &w->down, run->inner, y);
  down.ldx = run->inner_stride;
  down.after = ATTN_AFTER_ADD;
  down.add = x;
  attn_linear_run (&w->down, &down, run->pool);
}

/* One layer with its norms after the residual sums, as in the first Transformer and BERT. */
static void
run_layer_norm_after (const Run *run, size_t l)
{
  const AttnLayerWeights *w = &run->weights->layers[l];
  const float *x = run->trace->hiddens[l];
  float *y = run->trace->hiddens[l + 1], *attended = run->attended;

  project_qkv (run, &w->qkv, x, run->trace->qkvs[l]);
  attend (run, l);
  project_out (run, &w->out, x, attended);
  layer_norm (run, attended, &w->attn_norm);

  feed_forward (run, w, attended, y);
  layer_norm (run, y, &w->ffn_norm);
}

static bool
run_layers (const Run *run, const AttnRunOptions *options, GError **error)
{
  size_t L = run->config->n_layers;
  for (size_t l = 0; l < L; l++) {
    if (!attn_progress_tell (options->progress, options->progress_data, (double)l / (double)L,
                             error))
      return false;
    switch (run->trace->model->arch->norm) {
    case ATTN_NORM_AFTER:
      run_layer_norm_after (run, l);
      break;
    }
  }
  return attn_progress_tell (options->progress, options->progress_data, 1, error);
}

typedef struct {
  AttnTokens *tokens; /* NULL for bare ids */
  const int32_t *ids, *type_ids;
  size_t n_tokens;
} Input;

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
               "token %zu has type %d, the model has %zu token types", position, type_id,
               config->n_types);
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
        !check_type (model->config, t, input->type_ids != NULL ? input->type_ids[t] : 0, error))
      return false;
  return true;
}

/* Writes @trace from its ids. */
static bool
fill_trace (AttnTrace *trace,
            const int32_t *type_ids,
            const AttnRunOptions *options,
            GError **error)
{
  Run run = {
      .config = trace->model->config,
      .weights = &trace->model->weights,
      .options = options,
      .pool = options->pool,
      .trace = trace,
      .T = trace->n_tokens,
  };
  if (!get_scratch (&run, error))
    return false;
  embed (&run, type_ids, trace->hiddens[0]);
  bool done = run_layers (&run, options, error);
  enter (&run, ATTN_STAGE_END);
  attn_block_clear (&run.block);
  return done;
}

static AttnTrace *
run_input (AttnModel *model, const Input *input, const AttnRunOptions *options, GError **error)
{
  static const AttnRunOptions alone = {0};
  if (!check_input (model, input, error))
    return NULL;
  g_autoptr (AttnTrace) trace =
      attn_trace_new (model, input->tokens, input->ids, input->n_tokens, error);
  if (trace == NULL ||
      !fill_trace (trace, input->type_ids, options != NULL ? options : &alone, error))
    return NULL;
  return g_steal_pointer (&trace);
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
  Input input = {.ids = ids, .type_ids = type_ids, .n_tokens = n_tokens};
  return run_input (model, &input, options, error);
}

AttnTrace *
attn_model_run (AttnModel *model, AttnTokens *tokens, const AttnRunOptions *options, GError **error)
{
  g_return_val_if_fail (model != NULL && tokens != NULL, NULL);
  size_t n_tokens = attn_tokens_get_n (tokens);
  g_autofree int32_t *ids = g_new (int32_t, 2 * n_tokens);
  int32_t *type_ids = ids + n_tokens;
  for (size_t t = 0; t < n_tokens; t++) {
    ids[t] = attn_tokens_peek (tokens, t)->id;
    type_ids[t] = attn_tokens_peek (tokens, t)->type_id;
  }
  Input input = {tokens, ids, type_ids, n_tokens};
  return run_input (model, &input, options, error);
}
