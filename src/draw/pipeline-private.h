/* SPDX-License-Identifier: MIT */
/* What the parts of the pipeline's figure share: numbers, words, and a builder with its measures.
 */
#pragma once

#include "attn-draw/pipeline.h"

#include <glib.h>

/* Where a family's scores have what depends on the distance of two tokens. */
typedef enum {
  ATTN_DRAW_DISTANCE_NONE,
  ATTN_DRAW_DISTANCE_INSIDE, /* before they are scaled: DeBERTa */
  ATTN_DRAW_DISTANCE_AFTER,  /* MPNet */
} AttnDrawDistance;

struct _AttnDrawSteps {
  gatomicrefcount ref_count;
  AttnTrace *trace;
  AttnMaps *maps; /* (nullable): for the tokens' texts; bare ids have none */
  size_t layer, head;
  size_t n_tokens, d_model, d_k, n_heads, n_layers;
  AttnMatrix *matrices[ATTN_N_STEPS];  /* NULL where there is no such step */
  AttnMatrix *factors[ATTN_N_FACTORS]; /* means of blocks, at most 64 × 64 */
  double scale;                        /* of scores */
  bool has_hidden;                     /* some scores are −∞ */
  bool is_rotated;                     /* queries and keys */
  bool is_left;                        /* by the norm before, which this layer has not */
  AttnDrawDistance distance;
  bool has_bias; /* of Q, K, V and the output */
  bool has_norm_bias;
  size_t hidden_from; /* of a local layer: AttnConfig's; 0: this layer is none */
  AttnStepFamily family;
};

struct _AttnDrawExample {
  gatomicrefcount ref_count;
  AttnDrawSteps *steps;
  AttnStep step;
  AttnCell *cell;
  AttnCell *score;   /* of a weight: its score; of a score: the score itself, not owned twice */
  AttnCell *softmax; /* of a score or a weight that is seen: the row's softmax; else NULL */
};

/* While a figure is made. */
typedef struct {
  AttnDrawSteps *steps;
  const AttnDrawPipeline *asked;
  AttnDrawTranslate translate; /* never NULL */
  void *translate_data;
  AttnDrawFigureBuilder *builder;
  double em;     /* px */
  double margin; /* px around everything */
  double width;  /* px of the figure */
} AttnDrawPipe;

/* Returns: whether scores are divided by √d_k; whether they are scaled at all. */
bool attn_draw_steps_has_root (const AttnDrawSteps *steps);
bool attn_draw_steps_has_scale (const AttnDrawSteps *steps);

/* ---- words ---- */

/* A translation of a marked string; static. */
const char *attn_draw_pipe_say (const AttnDrawPipe *pipe, const char *english);

/* Returns: (transfer full): markup, "<i>Q</i><sub>4</sub>". */
char *attn_draw_pipe_dup_symbol (const AttnDrawPipe *pipe, AttnStep step);

/* The shape as "T × d<sub>model</sub>", markup, and as "11 × 256". */
char *attn_draw_pipe_dup_shape (const AttnDrawPipe *pipe, AttnStep step);
char *attn_draw_pipe_dup_size (const AttnDrawPipe *pipe, AttnStep step);

/* "scaled scores"; what happens in a step; its equation as markup. */
const char *attn_draw_pipe_peek_name (const AttnDrawPipe *pipe, AttnStep step);
/* The sentence is markup too. */
char *attn_draw_pipe_dup_sentence (const AttnDrawPipe *pipe, AttnStep step);
char *attn_draw_pipe_dup_equation (const AttnDrawPipe *pipe, AttnStep step);

/* Returns: (transfer full): markup: what a LayerNorm does with a number. */
char *attn_draw_pipe_dup_norm (const AttnDrawPipe *pipe);

/* Steps of one stage have one sentence and one equation. Returns: the step that has it. */
AttnStep attn_draw_pipe_find_told (AttnStep step);

/* Returns: (transfer full): the token as a label beside others, not markup. */
char *attn_draw_pipe_dup_label (const AttnDrawPipe *pipe, size_t token);

/* Returns: (transfer full): the same where it stands alone: with its place, "the · 4", where
 * another token has the same text. Not markup. */
char *attn_draw_pipe_dup_token (const AttnDrawPipe *pipe, size_t token);

/* Returns: (transfer full): the same as markup. */
char *attn_draw_pipe_dup_quoted (const AttnDrawPipe *pipe, size_t token);

/* Returns: (transfer full): a marked string with @argument in its place, or two of them. */
char *attn_draw_pipe_fill (const AttnDrawPipe *pipe, const char *english, const char *argument);
char *attn_draw_pipe_fill2 (const AttnDrawPipe *pipe,
                            const char *english,
                            const char *first,
                            const char *second);

/* The weight with which @query looks at @key, and the score behind it. */
double attn_draw_steps_get_weight (const AttnDrawSteps *steps, size_t query, size_t key);
double attn_draw_steps_get_score (const AttnDrawSteps *steps, size_t query, size_t key);

/* Markup: the example in words. */
char *attn_draw_pipe_dup_example_title (const AttnDrawPipe *pipe);

/* ---- pictures of matrices ---- */

/* @key: written. Returns: whether the number that was picked is a score or a weight, and so leads
 * to a key. */
bool attn_draw_pipe_find_key (const AttnDrawPipe *pipe, size_t *key);

/* How a step's matrix is shown in a room of some size. */
typedef struct {
  size_t rows_per_cell, columns_per_cell;
  double max;     /* the strongest colour's value */
  double largest; /* in size, with its sign: of all values that are finite */
  bool is_signed;
} AttnDrawShown;

AttnDrawShown
attn_draw_pipe_find_shown (const AttnDrawPipe *pipe, AttnStep step, double width, double height);

/* Adds the matrix of a step with what is picked marked in it; @part: its name, or 0. */
AttnDrawShown attn_draw_pipe_add_matrix (const AttnDrawPipe *pipe,
                                         AttnStep step,
                                         AttnDrawRect rect,
                                         unsigned part);

/* Adds the small picture of what rows are multiplied by, with the head's part of it marked. */
void attn_draw_pipe_add_factor (const AttnDrawPipe *pipe, AttnFactor factor, AttnDrawRect rect);

/* Returns: whether all steps of @a's stage are those of @b's. */
bool attn_draw_steps_is_same_stage (AttnStep a, AttnStep b);

/* ---- parts; each returns the y where it ends ---- */

/* All steps as small pictures, joined by arrows. */
double attn_draw_pipe_add_flow (const AttnDrawPipe *pipe, double top);

/* Returns: whether its rows and columns both are tokens. */
static inline bool
attn_draw_pipe_is_square (AttnStep step)
{
  return step == ATTN_STEP_SCORES || step == ATTN_STEP_WEIGHTS;
}

/* What happens in the step, and its equation: beside it where there is room. */
double attn_draw_pipe_add_words (const AttnDrawPipe *pipe, double x, double y, double width);

/* Its matrix, as large as there is room, with tokens beside it. */
double attn_draw_pipe_add_enlarged (const AttnDrawPipe *pipe, double x, double y, double width);

double attn_draw_pipe_add_card (const AttnDrawPipe *pipe, double x, double y, double width);
