/* SPDX-License-Identifier: MIT */
/* The steps of multi-head attention in one layer, each a matrix of the numbers that ran.
 *
 * For: showing the way from a layer's input to its attention output, and the arithmetic behind any
 * one number. Not for: maps alone (maps.h) or what the feed-forward part does. Everything is read
 * off a trace or computed again by the kernels of the forward pass.
 *
 * Letters: T tokens, D = d_model, h heads, d_k = D / h. */
#pragma once

#include "attn/trace.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* In the order of the computation. Matrices W are stored [out, in], so a map is x Wᵀ + b. */
typedef enum {
  ATTN_STEP_INPUT,        /* [T, D] X: what the layer is given */
  ATTN_STEP_NORMED,       /* [T, D] norm (X): only where norms come before */
  ATTN_STEP_QUERIES,      /* [T, D] Q = X W_Qᵀ + b_Q, of all heads side by side; then rotated in
                             families that do so, and likewise keys */
  ATTN_STEP_KEYS,         /* [T, D] K */
  ATTN_STEP_VALUES,       /* [T, D] V */
  ATTN_STEP_HEAD_QUERIES, /* [T, d_k] the head's own columns of Q */
  ATTN_STEP_HEAD_KEYS,    /* [T, d_k] */
  ATTN_STEP_HEAD_VALUES,  /* [T, d_k] */
  ATTN_STEP_SCORES,  /* [T, T] Q_h K_hᵀ / √d_k, with what else the family adds; -∞: hidden */
  ATTN_STEP_WEIGHTS, /* [T, T] softmax of each row */
  ATTN_STEP_HEAD_OUTPUT,  /* [T, d_k] weights · V_h */
  ATTN_STEP_CONCAT,       /* [T, D] the outputs of all heads side by side */
  ATTN_STEP_CONTRIBUTION, /* [T, D] what this head's output alone becomes by W_O, without b_O */
  ATTN_STEP_OUTPUT,       /* [T, D] concat W_Oᵀ + b_O: the sum of all contributions, and b_O */
  ATTN_STEP_SUM,          /* [T, D] X + output */
  ATTN_STEP_RESULT,       /* [T, D] norm (X + output): only where norms come after */
  ATTN_N_STEPS
} AttnStep;

/* "scores" and the like, for scripts and files, by step; NULL behind the last. */
extern const char *const attn_step_names[ATTN_N_STEPS + 1];

/* Returns: (transfer none): the step's of attn_step_names; static. */
const char *attn_step_peek_name (AttnStep step);

/* Returns: the step of this name, as attn_name_find() compares, or ATTN_N_STEPS. */
AttnStep attn_step_find (const char *name);

/* Returns: whether this model's family has the step. */
bool attn_step_is_there (const AttnModel *model, AttnStep step);

/* Returns: whether the step's matrix is another one for another head. */
bool attn_step_is_of_head (AttnStep step);

/* What a family does around the steps, for words about them. */
typedef struct {
  bool has_positions; /* rows of a table of positions are added to the words' */
  bool has_types;     /* and rows of a table of token types */
  bool is_normed;     /* a LayerNorm comes between those and the first layer */
  bool is_causal;     /* a query sees no key after itself */
} AttnStepFamily;

/* Test: tests/core/test-steps.c */
AttnStepFamily attn_steps_get_family (const AttnModel *model);

typedef struct {
  size_t n_rows, n_columns; /* > 0 */
  float *values;            /* [n_rows, n_columns] f32 row-major; owned */
} AttnMatrix;

void attn_matrix_free (AttnMatrix *matrix);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnMatrix, attn_matrix_free)

/**
 * attn_step_compute:
 * @step: one that is there
 * @layer,@head: from 0
 *
 * Returns: a new matrix for attn_matrix_free(), or NULL with @error: TOO_LARGE.
 * Threads: reentrant; runs on the calling thread.
 * Source:  Vaswani et al. 2017, section 3.2.
 * Test:    tests/core/test-steps.c: every family, plain loops in double, 1e-5.
 */
AttnMatrix *attn_step_compute (
    const AttnTrace *trace, AttnStep step, size_t layer, size_t head, GError **error);

/* What rows are multiplied by on the way. */
typedef enum {
  ATTN_FACTOR_QUERIES, /* W_Q */
  ATTN_FACTOR_KEYS,
  ATTN_FACTOR_VALUES,
  ATTN_FACTOR_OUTPUT, /* W_O: a head's own are d_k rows of it */
  ATTN_N_FACTORS
} AttnFactor;

/**
 * attn_step_compute_factor:
 * @layer: from 0
 *
 * Returns: a new matrix [D, D] for attn_matrix_free(), turned so that Q = X W_Q + b_Q, or NULL with
 *   @error: TOO_LARGE.
 * Threads: reentrant.
 * Test:    tests/core/test-steps.c: differences of two rows of X lead to those of Q.
 */
AttnMatrix *
attn_step_compute_factor (const AttnTrace *trace, AttnFactor factor, size_t layer, GError **error);

typedef enum {
  ATTN_CELL_GIVEN,   /* no arithmetic: it comes from before this layer's attention */
  ATTN_CELL_COPIED,  /* one term: the cell it is copied from */
  ATTN_CELL_DOT,     /* scale · (Σ left · right + added), and bias */
  ATTN_CELL_ROTATED, /* two terms, each a dot product turned by an angle's cosine or sine */
  ATTN_CELL_SOFTMAX, /* terms: all keys that are seen; left the score, right exp (score - largest)
                      */
  ATTN_CELL_HIDDEN,  /* a key that the query cannot see */
  ATTN_CELL_ADDED,   /* two terms: left · 1 */
  ATTN_CELL_NORMED,  /* (left - mean) / deviation · gain + bias; one term */
} AttnCellKind;

typedef struct {
  size_t index; /* column of the left factor, key of a softmax */
  float left, right;
  double product; /* left · right; of a softmax the weight */
} AttnCellTerm;

/* The arithmetic of one cell, in double. */
typedef struct {
  AttnCellKind kind;
  AttnStep left_step; /* whose cells the left factors are */
  size_t row, column; /* of the cell */
  size_t n_terms;
  AttnCellTerm *terms; /* the largest absolute product first, equal ones by index; owned */
  double sum;          /* Σ products; of a softmax Σ right */
  double added;        /* DeBERTa's terms for the distance between the two tokens; else 0 */
  double scale;        /* 1/√d_k or what the family has instead; else 1 */
  double bias;         /* added at last: b, or MPNet's for the distance; of a softmax the largest
                          score, which is taken off first */
  double mean, deviation, gain; /* of a norm, over the row: √(var + eps) */
  double result;                /* what all this gives */
  float value;                  /* what the matrix has: equal within rounding */
} AttnCell;

void attn_cell_free (AttnCell *cell);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnCell, attn_cell_free)

/**
 * attn_cell_explain:
 * @row,@column: below the step's matrix's sizes
 *
 * Returns: a new cell for attn_cell_free(), or NULL with @error: TOO_LARGE.
 * Test: tests/core/test-steps.c: result and value agree within 1e-5 of the terms' size.
 */
AttnCell *attn_cell_explain (const AttnTrace *trace,
                             AttnStep step,
                             size_t layer,
                             size_t head,
                             size_t row,
                             size_t column,
                             GError **error);

G_END_DECLS
