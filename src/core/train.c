/* SPDX-License-Identifier: MIT */
/* Training the small network: sequences, derivatives, Adam, and what is measured on the way. */
#include "attn/train.h"

#include "ops-backward.h"
#include "toy-net.h"
#include "toy-task.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

#define MAX_PIECES 8        /* that a step's sequences are shared out in, whatever the threads */
#define N_MEASURED 64       /* sequences to measure on */
#define MEASURED_SEED 77777 /* of these */
#define BETA_1 0.9
#define BETA_2 0.999
#define ADAM_EPS 1e-8

/* Sequences with their answers. */
typedef struct {
  size_t n;
  int32_t *ids; /* [n, T] */
  int *labels;  /* [n, questions, T] */
} Sequences;

/* What one piece of a step works with. */
typedef struct {
  AttnToyScratch scratch;
  AttnToyWeights derivatives;
  float *all_derivatives; /* [n_weights] the same in one */
} Piece;

typedef struct {
  const AttnTrainOptions *options;
  AttnPool *pool;
  size_t n_weights;                   /* padding included */
  float *all_weights, *mean, *square; /* [n_weights]; Adam's two running means */
  AttnToyWeights weights;
  size_t n_pieces;
  Piece pieces[MAX_PIECES];
  AttnBlock block;
  Sequences learned, measured;
  double losses[MAX_PIECES]; /* of the pieces of a measurement */
  size_t n_right[MAX_PIECES][ATTN_TRAIN_QUESTIONS];
  GRand *random;
} Training;

static bool
check_size (const char *name, size_t value, size_t least, GError **error)
{
  if (value >= least && value <= ATTN_TRAIN_MAX)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE, "%s is %zu, wanted %zu to %d", name, value,
               least, ATTN_TRAIN_MAX);
  return false;
}

static bool
check (const AttnTrainOptions *options, GError **error)
{
  if (!check_size ("d_model", options->d_model, 1, error) ||
      !check_size ("the number of heads", options->n_heads, 1, error) ||
      !check_size ("the number of tokens", options->n_tokens, 2, error) ||
      !check_size ("the number of symbols", options->n_symbols, 2, error) ||
      !check_size ("the number of sequences", options->n_sequences, 1, error))
    return false;
  if (options->d_model % options->n_heads != 0) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE, "%zu heads do not divide d_model, %zu",
                 options->n_heads, options->d_model);
    return false;
  }
  if (options->n_steps < 1 || options->n_steps > ATTN_TRAIN_MAX_STEPS) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE, "the number of steps is %zu, wanted 1 to %d",
                 options->n_steps, ATTN_TRAIN_MAX_STEPS);
    return false;
  }
  if (options->report_every > 0 && options->learning_rate > 0)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "steps between reports and learning rate are %zu and %g, wanted more than 0",
               options->report_every, options->learning_rate);
  return false;
}

static float *
cut_weights (AttnCutter *cutter, const Training *training, AttnToyWeights *weights)
{
  attn_toy_cut_weights (cutter, training->options, weights);
  return weights->words; /* the first one */
}

static void
cut (AttnCutter *cutter, Training *training)
{
  training->all_weights = cut_weights (cutter, training, &training->weights);
  training->n_weights = cutter->used;
  training->mean = attn_cutter_take (cutter, training->n_weights);
  training->square = attn_cutter_take (cutter, training->n_weights);
  for (size_t i = 0; i < training->n_pieces; i++) {
    Piece *piece = &training->pieces[i];
    piece->all_derivatives = cut_weights (cutter, training, &piece->derivatives);
    attn_toy_cut_scratch (cutter, training->options, &piece->scratch);
  }
}

static void
sequences_init (Sequences *sequences, const AttnTrainOptions *options, size_t n)
{
  sequences->n = n;
  sequences->ids = g_new (int32_t, n * options->n_tokens);
  sequences->labels = g_new (int, n *ATTN_TRAIN_QUESTIONS * options->n_tokens);
}

static void
sequences_fill (const Sequences *sequences, const AttnTrainOptions *options, GRand *random)
{
  const size_t T = options->n_tokens;
  for (size_t i = 0; i < sequences->n; i++)
    attn_toy_fill (random, T, options->n_symbols, sequences->ids + i * T,
                   sequences->labels + i * ATTN_TRAIN_QUESTIONS * T);
}

static void
sequences_clear (Sequences *sequences)
{
  g_free (sequences->ids);
  g_free (sequences->labels);
}

static bool
training_init (Training *training, GError **error)
{
  const AttnTrainOptions *options = training->options;
  training->n_pieces = MIN (MAX_PIECES, options->n_sequences);
  AttnCutter cutter = {0};
  cut (&cutter, training);
  if (!attn_block_init (&training->block, &cutter, "the training", true, error))
    return false;
  cutter = (AttnCutter){.base = training->block.data};
  cut (&cutter, training);
  sequences_init (&training->learned, options, options->n_sequences);
  sequences_init (&training->measured, options, N_MEASURED);
  g_autoptr (GRand) fixed = g_rand_new_with_seed (MEASURED_SEED);
  sequences_fill (&training->measured, options, fixed);
  training->random = g_rand_new_with_seed (options->seed);
  attn_toy_start (&training->weights, options, training->random);
  return true;
}

static void
training_clear (Training *training)
{
  attn_block_clear (&training->block);
  sequences_clear (&training->learned);
  sequences_clear (&training->measured);
  g_clear_pointer (&training->random, g_rand_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Training, training_clear)

/* Answers of one question: those that were the likeliest. */
static size_t
count_right (const float *logits, const int *labels, size_t T, size_t S)
{
  size_t n = 0;
  for (size_t t = 0; t < T; t++, logits += S) {
    size_t best = 0;
    for (size_t i = 1; i < S; i++)
      if (logits[i] > logits[best])
        best = i;
    n += labels[t] >= 0 && best == (size_t)labels[t];
  }
  return n;
}

/* A piece of the sequences to measure on. */
static void
measure_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  Training *training = data;
  const AttnTrainOptions *options = training->options;
  const size_t T = options->n_tokens, S = options->n_symbols;
  const AttnToyScratch *scratch = &training->pieces[piece].scratch;
  training->losses[piece] = 0;
  memset (training->n_right[piece], 0, sizeof training->n_right[piece]);
  for (size_t i = piece; i < N_MEASURED; i += training->n_pieces) {
    const int *labels = training->measured.labels + i * ATTN_TRAIN_QUESTIONS * T;
    attn_toy_forward (&training->weights, options, training->measured.ids + i * T, scratch);
    for (size_t question = 0; question < ATTN_TRAIN_QUESTIONS; question++)
      training->n_right[piece][question] +=
          count_right (scratch->logits + question * T * S, labels + question * T, T, S);
    training->losses[piece] += attn_backward_cross_entropy (scratch->logits, scratch->logits,
                                                            labels, ATTN_TRAIN_QUESTIONS * T, S, 1);
  }
}

/* Nothing is asked of the first token's previous one. */
static size_t
count_answers (const AttnTrainOptions *options, size_t question)
{
  return options->n_tokens - (question == ATTN_TOY_PREVIOUS);
}

static size_t
count_all_answers (const AttnTrainOptions *options)
{
  size_t n = 0;
  for (size_t question = 0; question < ATTN_TRAIN_QUESTIONS; question++)
    n += count_answers (options, question);
  return n;
}

static void
measure (Training *training, size_t step, AttnTrainPoint *point)
{
  const AttnTrainOptions *options = training->options;
  attn_pool_run (training->pool, training->n_pieces, measure_piece, training);
  *point = (AttnTrainPoint){.step = step};
  for (size_t piece = 0; piece < training->n_pieces; piece++) {
    point->loss += training->losses[piece];
    for (size_t question = 0; question < ATTN_TRAIN_QUESTIONS; question++)
      point->right[question] += (double)training->n_right[piece][question];
  }
  point->loss /= (double)(N_MEASURED * count_all_answers (options));
  for (size_t question = 0; question < ATTN_TRAIN_QUESTIONS; question++)
    point->right[question] /= (double)(N_MEASURED * count_answers (options, question));
}

/* A piece of the sequences to learn from. */
static void
learn_piece (size_t piece, size_t worker G_GNUC_UNUSED, void *data)
{
  Training *training = data;
  const AttnTrainOptions *options = training->options;
  const size_t T = options->n_tokens, n = options->n_sequences;
  const Piece *own = &training->pieces[piece];
  const double factor = 1 / (double)(n * count_all_answers (options));
  memset (own->all_derivatives, 0, training->n_weights * sizeof (float));
  for (size_t i = piece; i < n; i += training->n_pieces) {
    const int32_t *ids = training->learned.ids + i * T;
    attn_toy_forward (&training->weights, options, ids, &own->scratch);
    attn_toy_backward (&training->weights, options, ids,
                       training->learned.labels + i * ATTN_TRAIN_QUESTIONS * T, factor,
                       &own->scratch, &own->derivatives);
  }
}

/* Adam; the pieces' derivatives are summed in their order. */
static void
move_weights (Training *training, size_t step)
{
  const double rate = training->options->learning_rate * sqrt (1 - pow (BETA_2, (double)step)) /
                      (1 - pow (BETA_1, (double)step));
  for (size_t i = 0; i < training->n_weights; i++) {
    double d = 0;
    for (size_t piece = 0; piece < training->n_pieces; piece++)
      d += (double)training->pieces[piece].all_derivatives[i];
    const double mean = BETA_1 * (double)training->mean[i] + (1 - BETA_1) * d;
    const double square = BETA_2 * (double)training->square[i] + (1 - BETA_2) * d * d;
    training->mean[i] = (float)mean;
    training->square[i] = (float)square;
    training->all_weights[i] -= (float)(rate * mean / (sqrt (square) + ADAM_EPS));
  }
}

static bool
tell (Training *training,
      size_t step,
      AttnTrainFunc report,
      void *data,
      AttnTrainPoint *last,
      GError **error)
{
  AttnTrainPoint point;
  measure (training, step, &point);
  if (last != NULL)
    *last = point;
  if (report == NULL || report (&point, data))
    return true;
  g_set_error_literal (error, ATTN_ERROR, ATTN_ERROR_CANCELLED, "the training was stopped");
  return false;
}

bool
attn_train_run (const AttnTrainOptions *options,
                AttnPool *pool,
                AttnTrainFunc report,
                void *report_data,
                AttnTrainPoint *last,
                GError **error)
{
  g_auto (Training) training = {.options = options, .pool = pool};
  if (!check (options, error) || !training_init (&training, error) ||
      !tell (&training, 0, report, report_data, last, error))
    return false;
  for (size_t step = 1; step <= options->n_steps; step++) {
    sequences_fill (&training.learned, options, training.random);
    attn_pool_run (pool, training.n_pieces, learn_piece, &training);
    move_weights (&training, step);
    if ((step % options->report_every == 0 || step == options->n_steps) &&
        !tell (&training, step, report, report_data, last, error))
      return false;
  }
  return true;
}
