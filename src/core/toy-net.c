/* SPDX-License-Identifier: MIT */
/* The small network that is trained on the toy task: one sequence forwards and backwards. */
#include "toy-net.h"

#include "ops-backward.h"
#include "ops.h"

#include <math.h>

#define EPS 1e-5 /* of the norm */

void
attn_toy_cut_weights (AttnCutter *cutter, const AttnTrainOptions *options, AttnToyWeights *weights)
{
  const size_t D = options->d_model, answers = ATTN_TRAIN_QUESTIONS * options->n_symbols;
  weights->words = attn_cutter_take_matrix (cutter, 2 * options->n_symbols, D);
  weights->places = attn_cutter_take_matrix (cutter, options->n_tokens, D);
  weights->qkv = attn_cutter_take_matrix (cutter, 3 * D, D);
  weights->qkv_bias = attn_cutter_take (cutter, 3 * D);
  weights->out = attn_cutter_take_matrix (cutter, D, D);
  weights->out_bias = attn_cutter_take (cutter, D);
  weights->gain = attn_cutter_take (cutter, D);
  weights->bias = attn_cutter_take (cutter, D);
  weights->answers = attn_cutter_take_matrix (cutter, answers, D);
  weights->answers_bias = attn_cutter_take (cutter, answers);
}

void
attn_toy_cut_scratch (AttnCutter *cutter, const AttnTrainOptions *options, AttnToyScratch *scratch)
{
  const size_t T = options->n_tokens, D = options->d_model;
  scratch->x = attn_cutter_take_matrix (cutter, T, D);
  scratch->qkv = attn_cutter_take_matrix (cutter, T, 3 * D);
  scratch->maps = attn_cutter_take_matrix (cutter, options->n_heads * T, T);
  scratch->mixed = attn_cutter_take_matrix (cutter, T, D);
  scratch->sum = attn_cutter_take_matrix (cutter, T, D);
  scratch->y = attn_cutter_take_matrix (cutter, T, D);
  scratch->logits = attn_cutter_take_matrix (cutter, ATTN_TRAIN_QUESTIONS * T, options->n_symbols);
  scratch->d_y = attn_cutter_take_matrix (cutter, T, D);
  scratch->d_part = attn_cutter_take_matrix (cutter, T, D);
  scratch->d_mixed = attn_cutter_take_matrix (cutter, T, D);
  scratch->d_qkv = attn_cutter_take_matrix (cutter, T, 3 * D);
  scratch->d_map = attn_cutter_take_matrix (cutter, T, T);
}

static void
fill_uniform (float *values, size_t n, double limit, GRand *random)
{
  for (size_t i = 0; i < n; i++)
    values[i] = (float)g_rand_double_range (random, -limit, limit);
}

/* Matrices as wide apart as Glorot and Bengio (2010) advise. */
void
attn_toy_start (const AttnToyWeights *weights, const AttnTrainOptions *options, GRand *random)
{
  const size_t D = options->d_model, S = options->n_symbols;
  fill_uniform (weights->words, 2 * S * D, 1, random);
  fill_uniform (weights->places, options->n_tokens * D, 1, random);
  fill_uniform (weights->qkv, 3 * D * D, sqrt (3 / (double)D), random);
  fill_uniform (weights->out, D * D, sqrt (3 / (double)D), random);
  fill_uniform (weights->answers, ATTN_TRAIN_QUESTIONS * S * D, sqrt (6 / (double)(D + S)), random);
  for (size_t i = 0; i < D; i++)
    weights->gain[i] = 1;
}

static void
embed (const AttnToyWeights *weights, const AttnTrainOptions *options, const int32_t *ids, float *x)
{
  const size_t D = options->d_model;
  for (size_t t = 0; t < options->n_tokens; t++)
    for (size_t i = 0; i < D; i++)
      x[t * D + i] = weights->words[(size_t)ids[t] * D + i] + weights->places[t * D + i];
}

static void
attend (const AttnTrainOptions *options, const AttnToyScratch *scratch)
{
  const size_t T = options->n_tokens, D = options->d_model, d_k = D / options->n_heads;
  for (size_t head = 0; head < options->n_heads; head++) {
    const AttnScoreCall call = {
        .q = scratch->qkv + head * d_k,
        .k = scratch->qkv + D + head * d_k,
        .ldq = 3 * D,
        .ldk = 3 * D,
        .n_tokens = T,
        .d_k = d_k,
        .scale = (float)(1 / sqrt ((double)d_k)),
    };
    float *map = scratch->maps + head * T * T;
    attn_ops_map (&call, map);
    attn_ops_mix_values (map, scratch->qkv + 2 * D + head * d_k, 3 * D, T, d_k,
                         scratch->mixed + head * d_k, D);
  }
}

void
attn_toy_forward (const AttnToyWeights *weights,
                  const AttnTrainOptions *options,
                  const int32_t *ids,
                  const AttnToyScratch *scratch)
{
  const size_t T = options->n_tokens, D = options->d_model, S = options->n_symbols;
  embed (weights, options, ids, scratch->x);
  attn_ops_logits (scratch->x, T, weights->qkv, weights->qkv_bias, D, 3 * D, scratch->qkv, NULL);
  attend (options, scratch);
  attn_ops_logits (scratch->mixed, T, weights->out, weights->out_bias, D, D, scratch->sum, NULL);
  for (size_t i = 0; i < T * D; i++)
    scratch->sum[i] += scratch->x[i];
  attn_ops_layer_norm (scratch->y, scratch->sum, weights->gain, weights->bias, T, D, EPS);
  for (size_t question = 0; question < ATTN_TRAIN_QUESTIONS; question++)
    attn_ops_logits (scratch->y, T, weights->answers + question * S * D,
                     weights->answers_bias + question * S, D, S, scratch->logits + question * T * S,
                     NULL);
}

static void
add (float *to, const float *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
}

/* d_y = what the answers' derivatives give together. */
static void
answer_backward (const AttnToyWeights *weights,
                 const AttnTrainOptions *options,
                 const AttnToyScratch *scratch,
                 const AttnToyWeights *derivatives)
{
  const size_t T = options->n_tokens, D = options->d_model, S = options->n_symbols;
  for (size_t question = 0; question < ATTN_TRAIN_QUESTIONS; question++) {
    attn_backward_linear (&(AttnLinearBackward){
        .x = scratch->y,
        .weights = weights->answers + question * S * D,
        .d_y = scratch->logits + question * T * S,
        .n_rows = T,
        .n_in = D,
        .n_out = S,
        .d_x = question == 0 ? scratch->d_y : scratch->d_part,
        .d_weights = derivatives->answers + question * S * D,
        .d_bias = derivatives->answers_bias + question * S,
    });
    if (question > 0)
      add (scratch->d_y, scratch->d_part, T * D);
  }
}

/* d_part = dL/dx by way of attention, from d_y = dL/d(sum). */
static void
attention_backward (const AttnToyWeights *weights,
                    const AttnTrainOptions *options,
                    const AttnToyScratch *scratch,
                    const AttnToyWeights *derivatives)
{
  const size_t T = options->n_tokens, D = options->d_model, d_k = D / options->n_heads;
  attn_backward_linear (&(AttnLinearBackward){
      .x = scratch->mixed,
      .weights = weights->out,
      .d_y = scratch->d_y,
      .n_rows = T,
      .n_in = D,
      .n_out = D,
      .d_x = scratch->d_mixed,
      .d_weights = derivatives->out,
      .d_bias = derivatives->out_bias,
  });
  for (size_t head = 0; head < options->n_heads; head++)
    attn_backward_head (&(AttnHeadBackward){
        .q = scratch->qkv + head * d_k,
        .k = scratch->qkv + D + head * d_k,
        .v = scratch->qkv + 2 * D + head * d_k,
        .weights = scratch->maps + head * T * T,
        .d_out = scratch->d_mixed + head * d_k,
        .ld = 3 * D,
        .ld_out = D,
        .n_tokens = T,
        .d_k = d_k,
        .scale = (float)(1 / sqrt ((double)d_k)),
        .d_q = scratch->d_qkv + head * d_k,
        .d_k_rows = scratch->d_qkv + D + head * d_k,
        .d_v = scratch->d_qkv + 2 * D + head * d_k,
        .ld_d = 3 * D,
        .d_weights = scratch->d_map,
        .d_scores = scratch->d_map,
    });
  attn_backward_linear (&(AttnLinearBackward){
      .x = scratch->x,
      .weights = weights->qkv,
      .d_y = scratch->d_qkv,
      .n_rows = T,
      .n_in = D,
      .n_out = 3 * D,
      .d_x = scratch->d_part,
      .d_weights = derivatives->qkv,
      .d_bias = derivatives->qkv_bias,
  });
}

double
attn_toy_backward (const AttnToyWeights *weights,
                   const AttnTrainOptions *options,
                   const int32_t *ids,
                   const int *labels,
                   double factor,
                   const AttnToyScratch *scratch,
                   const AttnToyWeights *derivatives)
{
  const size_t T = options->n_tokens, D = options->d_model, S = options->n_symbols;
  const double loss = attn_backward_cross_entropy (scratch->logits, scratch->logits, labels,
                                                   ATTN_TRAIN_QUESTIONS * T, S, factor);
  answer_backward (weights, options, scratch, derivatives);
  attn_backward_layer_norm (&(AttnNormBackward){
      .x = scratch->sum,
      .gain = weights->gain,
      .d_y = scratch->d_y,
      .n_rows = T,
      .width = D,
      .eps = EPS,
      .d_x = scratch->d_y,
      .d_gain = derivatives->gain,
      .d_bias = derivatives->bias,
  });
  attention_backward (weights, options, scratch, derivatives);
  add (scratch->d_part, scratch->d_y, T * D);
  for (size_t t = 0; t < T; t++) {
    add (derivatives->words + (size_t)ids[t] * D, scratch->d_part + t * D, D);
    add (derivatives->places + t * D, scratch->d_part + t * D, D);
  }
  return loss;
}
