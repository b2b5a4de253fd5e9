/* SPDX-License-Identifier: MIT */
/* The small network that is trained on the toy task: one sequence forwards and backwards.
 *
 * Letters: T tokens, D = d_model, h heads, S symbols. */
#pragma once

#include "block.h"

#include "attn/train.h"

#include <stddef.h>
#include <stdint.h>

/* Weights, or likewise their derivatives: matrices are plain rows, [out, in]. */
typedef struct {
  float *words;          /* [2 S, D] symbols, then marked ones */
  float *places;         /* [T, D] */
  float *qkv, *qkv_bias; /* [3 D, D], [3 D] */
  float *out, *out_bias; /* [D, D], [D] */
  float *gain, *bias;    /* [D] of the norm */
  float *answers;        /* [questions, S, D] */
  float *answers_bias;   /* [questions, S] */
} AttnToyWeights;

/* What one sequence leaves behind on its way, and scratch memory for the way back. */
typedef struct {
  float *x;                      /* [T, D] embedded */
  float *qkv;                    /* [T, 3 D] */
  float *maps;                   /* [h, T, T] */
  float *mixed;                  /* [T, D] the heads' outputs */
  float *sum;                    /* [T, D] x + attention */
  float *y;                      /* [T, D] normed */
  float *logits;                 /* [questions, T, S] */
  float *d_y, *d_part, *d_mixed; /* [T, D] */
  float *d_qkv;                  /* [T, 3 D] */
  float *d_map;                  /* [T, T] */
} AttnToyScratch;

/* Cut arrays off a block, as attn_cutter_take() does. */
void
attn_toy_cut_weights (AttnCutter *cutter, const AttnTrainOptions *options, AttnToyWeights *weights);
void
attn_toy_cut_scratch (AttnCutter *cutter, const AttnTrainOptions *options, AttnToyScratch *scratch);

/* Small random numbers; gains 1, biases 0. */
void attn_toy_start (const AttnToyWeights *weights, const AttnTrainOptions *options, GRand *random);

/* Fills @scratch up to the logits. @ids: [T] */
void attn_toy_forward (const AttnToyWeights *weights,
                       const AttnTrainOptions *options,
                       const int32_t *ids,
                       const AttnToyScratch *scratch);

/**
 * attn_toy_backward:
 * @labels:      [questions, T]
 * @factor:      what the loss is multiplied by
 * @scratch:     after attn_toy_forward(); logits become their derivatives
 * @derivatives: added to
 *
 * Returns: Σ -ln p of the right answers, without @factor.
 */
double attn_toy_backward (const AttnToyWeights *weights,
                          const AttnTrainOptions *options,
                          const int32_t *ids,
                          const int *labels,
                          double factor,
                          const AttnToyScratch *scratch,
                          const AttnToyWeights *derivatives);
