/* SPDX-License-Identifier: MIT */
/* A small attention layer trained on a toy task: how many heads does it take?
 *
 * For: the experiment "more heads are not always better", which measures and promises nothing. Not
 * for: training models that somebody opens.
 *
 * The task: a sequence of T symbols, one of them marked. At every place three questions: which
 * symbol stood just before, which was the first, which is the marked one. Each is a relation that
 * one head can follow; all three at once want several views, and d_model is shared among them.
 *
 * The network: embeddings of symbols and places, one multi-head attention, x = norm (x +
 * attention), and a linear map to the three answers. Adam on the mean of -ln p of the right
 * answers.
 *
 * Letters: T tokens of a sequence, D = d_model, h heads. */
#pragma once

#include "attn/pool.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

#define ATTN_TRAIN_QUESTIONS 3 /* previous, first, marked */

/* Start with ATTN_TRAIN_OPTIONS. */
typedef struct {
  size_t d_model;       /* 1 … ATTN_TRAIN_MAX */
  size_t n_heads;       /* divides d_model */
  size_t n_tokens;      /* 2 … ATTN_TRAIN_MAX */
  size_t n_symbols;     /* 2 … ATTN_TRAIN_MAX */
  size_t n_sequences;   /* 1 … ATTN_TRAIN_MAX: for each step */
  size_t n_steps;       /* 1 … ATTN_TRAIN_MAX_STEPS */
  size_t report_every;  /* ≥ 1: steps between two reports */
  double learning_rate; /* > 0 */
  uint32_t seed; /* of weights and of sequences to learn from; what is measured on is always the
                    same */
} AttnTrainOptions;

#define ATTN_TRAIN_MAX 4096
#define ATTN_TRAIN_MAX_STEPS 100000 /* a minute or two of the usual task */

#define ATTN_TRAIN_OPTIONS \
  { \
    .d_model = 32, .n_heads = 1, .n_tokens = 16, .n_symbols = 8, .n_sequences = 32, \
    .n_steps = 400, .report_every = 20, .learning_rate = 0.01, .seed = 1 \
  }

/* What was measured after some steps, on sequences that were not learned from. */
typedef struct {
  size_t step;
  double loss;                        /* mean -ln p of the right answers; nats */
  double right[ATTN_TRAIN_QUESTIONS]; /* share of each question's answers that were right */
} AttnTrainPoint;

/* Told on the caller's thread, also before the first step. Returns: whether to go on. */
typedef bool (*AttnTrainFunc) (const AttnTrainPoint *point, void *data);

/**
 * attn_train_run:
 * @pool:   (nullable)
 * @report: (nullable)
 * @last:   (out) (nullable): the point after the last step
 *
 * The same options give the same numbers on any number of threads; on another kind of CPU the last
 * bits differ, and after hundreds of steps the curves.
 *
 * Returns: false with @error: SHAPE (an option out of its range), TOO_LARGE, CANCELLED.
 * Source: Kingma and Ba 2015 (Adam, β 0.9 and 0.999); Vaswani et al. 2017.
 * Test:   tests/core/test-train.c: derivatives by finite differences, threads, what is learned.
 */
bool attn_train_run (const AttnTrainOptions *options,
                     AttnPool *pool,
                     AttnTrainFunc report,
                     void *report_data,
                     AttnTrainPoint *last,
                     GError **error);

G_END_DECLS
