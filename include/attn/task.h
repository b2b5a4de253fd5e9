/* SPDX-License-Identifier: MIT */
/* What a text asks of a model, so that there is a loss to speak of: words to guess, or a vector.
 *
 * For: ablation and importance on any text, without labels from outside. */
#pragma once

#include "attn/ablate.h"
#include "attn/gates.h"
#include "attn/loss.h"
#include "attn/model.h"
#include "attn/progress.h"
#include "attn/tokens.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_TASK_MASKED,   /* named tokens are masked, and what stood there is right */
  ATTN_TASK_GUESSED,  /* the text has masks, and the model's best guesses are taken for right */
  ATTN_TASK_LABELLED, /* the text has masks, and a person has said what is right at some */
  ATTN_TASK_DRAWN,    /* tokens drawn at random are masked, and what stood there is right */
  ATTN_TASK_NEXT,     /* a causal model: at each token the next one is right */
  ATTN_TASK_VECTOR,   /* no LM head: the sentence's vector is to stay as it is */
  ATTN_N_TASKS
} AttnTaskKind;

/* Returns: (transfer none): "masked", "guessed", "labelled", "drawn", "next" or "vector"; static.
 */
const char *attn_task_peek_kind_name (AttnTaskKind kind);

#define ATTN_TASK_SHARE \
  0.15 /* of ordinary tokens that are drawn, at least one; as BERT learned \
        */

#define ATTN_TASK_MAX_DRAWS 1000

typedef struct {
  const size_t *positions; /* [n_positions] tokens to mask; NULL: the text decides */
  size_t n_positions;
  const int32_t *labels; /* (nullable): [n_labels] ids that are right at the text's masks, from the
                            first mask on; at others the model's best guesses are */
  size_t n_labels;
  size_t n_draws;            /* of ATTN_TASK_DRAWN, to ATTN_TASK_MAX_DRAWS; 0 for 1 */
  uint32_t seed;             /* likewise */
  AttnPool *pool;            /* nullable */
  AttnProgressFunc progress; /* nullable; asked between the draws */
  void *progress_data;
} AttnTaskOptions;

/* A text with its masks, once for each draw, and what is asked of its runs. Immutable. */
typedef struct {
  AttnTaskKind kind;
  size_t n_draws;       /* 1 of other kinds than drawn */
  AttnTokens **texts;   /* [n_draws]; owned */
  AttnTarget **targets; /* [n_draws]; owned */
  AttnTrace *clean;     /* the first draw's run with all heads; owned */
  double loss;          /* mean over the draws */
  size_t *positions;    /* [n_labels] tokens of the first draw that are to be guessed … */
  int32_t *labels;      /* … and what is right there; owned. Not of next and vector */
  size_t n_labels;
} AttnTask;

/**
 * attn_task_new:
 * @tokens: of the model's tokenizer
 *
 * Returns: (transfer full): for attn_task_free(), or NULL with @error: UNSUPPORTED (no mask or no
 *   LM head for positions), SHAPE (a position that the text has not, nothing to mask, too many
 *   draws), TOO_LARGE, CANCELLED.
 * Source: Devlin et al. 2019, section 3.1 (masked words).
 * Test:   tests/core/test-task.c
 */
AttnTask *attn_task_new (AttnModel *model,
                         AttnTokens *tokens,
                         const AttnTaskOptions *options,
                         GError **error);

void attn_task_free (AttnTask *task);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnTask, attn_task_free)

/* Runs a draw with all heads. Only the first draw's run is kept, so that memory does not grow with
 * the draws. Returns: (transfer full): or NULL with @error: TOO_LARGE. */
AttnTrace *attn_task_run_clean (const AttnTask *task, size_t draw, AttnPool *pool, GError **error);

/**
 * attn_task_compute_loss:
 * @gates: what is done to the heads
 * @frozen: whether all layers keep the clean runs' patterns
 * @loss:  (out): mean over the draws
 * @first: (out) (optional) (transfer full): the first draw's run on @gates
 *
 * Returns: false with @error: TOO_LARGE, SHAPE.
 */
bool attn_task_compute_loss (const AttnTask *task,
                             const AttnHeadGates *gates,
                             bool frozen,
                             AttnPool *pool,
                             double *loss,
                             AttnTrace **first,
                             GError **error);

/**
 * attn_task_run:
 * @gates: what is done to the heads; of @ablation the gate is not read, and no progress is told
 *
 * attn_task_compute_loss() that also patches.
 */
bool attn_task_run (const AttnTask *task,
                    const AttnHeadGates *gates,
                    const AttnAblation *ablation,
                    double *loss,
                    AttnTrace **first,
                    GError **error);

/* attn_ablate_each() on every draw, with progress through all of them; @losses: [n_layers, n_heads]
 * written, means over the draws. Returns: false with @error as that says. */
bool attn_task_ablate_each (const AttnTask *task,
                            const AttnAblation *ablation,
                            double *losses,
                            GError **error);

G_END_DECLS
