/* SPDX-License-Identifier: MIT */
/* Lenses: other numbers than the weights themselves, in maps of the same shape.
 *
 * For: looking at a text's attention another way; what a lens gives are maps again, so that every
 * picture, number and export takes them. What needs a model is not there for a file of arrays.
 *
 * Letters: T tokens, a_ij the weight of query i on key j, x_i the layer's input at token i,
 * f_h (x) = (x W_V + b_V) W_O of head h with its part of W_O and without b_O, n () the 2-norm. */
#pragma once

#include "attn/loss.h"
#include "attn/maps.h"
#include "attn/pool.h"
#include "attn/progress.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_LENS_RAW,        /* a_ij */
  ATTN_LENS_SPECIAL,    /* a_ij with 0 on what the template added; rows sum to 1 again */
  ATTN_LENS_NORM,       /* a_ij n (f_h (x_j)) */
  ATTN_LENS_NORM_LAYER, /* n (Σ_h a_ij f_h (x_j)) */
  ATTN_LENS_MIXING,     /* see attn_lens_compute_mixing() */
  ATTN_LENS_ZEROING,    /* C_ij = 1 - cos (output i of the layer without value j in any head, output
                           i), over the row's sum */
  ATTN_LENS_ROLLOUT, /* R_l = M_l R_(l-1), R_1 = M_1, M = ½ mean_h a + ½ 1, over the row's sum */
  ATTN_LENS_ZEROING_ROLLOUT, /* R_l = C_l R_(l-1), R_1 = C_1: nothing added */
  ATTN_LENS_FLOW,            /* largest flow from query i of layer l down to input j where layer k
                                lets M_k [i, j] through */
  ATTN_LENS_GRADIENT,        /* a_ij ∂L/∂a_ij */
  ATTN_LENS_SCORES,          /* before softmax; -∞ for hidden keys */
  ATTN_N_LENSES
} AttnLens;

/* What one map of it is of. */
typedef enum {
  ATTN_LENS_LEVEL_CELL,  /* a head, each of its weights by itself */
  ATTN_LENS_LEVEL_HEAD,  /* a head, with what it makes of values */
  ATTN_LENS_LEVEL_LAYER, /* a layer, its heads together: one map each */
  ATTN_LENS_LEVEL_MODEL, /* all layers up to one: one map each */
} AttnLensLevel;

/* On a CPU of today; measured numbers stand in the manual page. */
typedef enum {
  ATTN_LENS_COST_MAP,  /* as the maps themselves, one when it is looked at */
  ATTN_LENS_COST_PASS, /* about as a few forward passes */
  ATTN_LENS_COST_SLOW, /* seconds; with progress */
} AttnLensCost;

/* Why a lens does not fit some maps. */
typedef enum {
  ATTN_LENS_FITS,
  ATTN_LENS_NEEDS_MODEL,       /* the maps come from a file */
  ATTN_LENS_NEEDS_TEXT,        /* nobody knows which tokens the template added */
  ATTN_LENS_NEEDS_SQUARE,      /* queries and keys are not as many */
  ATTN_LENS_NEEDS_NORM_AFTER,  /* the family's norms come before each part */
  ATTN_LENS_NEEDS_DOT_SCORES,  /* the way back through this family's scores is not known here */
  ATTN_LENS_NEEDS_HEAD,        /* there is no LM head */
  ATTN_LENS_NEEDS_PLAIN_HEADS, /* some heads are mean, patched or the like */
  ATTN_LENS_NEEDS_FEWER_TOKENS,
} AttnLensReason;

#define ATTN_LENS_ZEROING_TOKENS 128
#define ATTN_LENS_FLOW_TOKENS 64

/* A row of the table. */
typedef struct {
  const char *title;   /* English, for titles: "norm-weighted attention" */
  const char *meaning; /* a sentence of what a number says */
  AttnLensLevel level;
  AttnLensCost cost;
  bool needs_model;
  size_t max_tokens;    /* 0: as many as the model takes */
  bool is_signed;       /* numbers may be below 0 */
  bool is_share;        /* rows sum to 1, so that entropies and masses mean something */
  const char *families; /* which it is defined for, in words */
} AttnLensAbout;

/* Returns: (transfer none): static. */
const AttnLensAbout *attn_lens_peek_about (AttnLens lens);

/* By lens, and a NULL; for command lines, files and sessions. */
extern const char *const attn_lens_names[ATTN_N_LENSES + 1];

const char *attn_lens_peek_name (AttnLens lens);

/* Returns: the lens of this name, as attn_name_find() compares, or ATTN_N_LENSES. */
AttnLens attn_lens_find (const char *name);

const char *attn_lens_level_peek_name (AttnLensLevel level); /* "cell", "head", "layer", "model" */
const char *attn_lens_cost_peek_name (AttnLensCost cost);    /* "map", "pass", "slow" */

/* Returns: whether maps of the lens have one head only, whatever the model has. */
bool attn_lens_is_joint (AttnLens lens);

/* @maps: of a trace or a file, as they are. Returns: whether the lens is defined there. */
AttnLensReason attn_lens_get_reason (AttnLens lens, const AttnMaps *maps);

/* The same before anything is run: of a text of @n_tokens, 0 if that is not known. */
AttnLensReason attn_lens_get_model_reason (AttnLens lens, const AttnModel *model, size_t n_tokens);

/* Returns: (transfer full) (nullable): @reason as a sentence; NULL where the lens fits. */
char *attn_lens_dup_reason (AttnLens lens, AttnLensReason reason);

/* A plain value; all zero is allowed. */
typedef struct {
  AttnPool *pool;            /* nullable; not kept */
  AttnProgressFunc progress; /* nullable; not kept */
  void *progress_data;
  bool one_layer;           /* of slow lenses compute … */
  size_t layer;             /* … this alone at once; others when somebody looks at them */
  const AttnTarget *target; /* (nullable): the L of ATTN_LENS_GRADIENT, of labels; without: as
                               attn_lens_new_target() */
} AttnLensOptions;

/**
 * attn_lens_new_maps:
 * @maps: of a trace or a file, as they are; referenced
 *
 * Maps as large as @maps, with their labels, of all layers; of one head where
 * attn_lens_is_joint(). Slow ones are computed here; of layers left out when they are asked for.
 *
 * Returns: (transfer full): for attn_maps_unref() (@maps itself for ATTN_LENS_RAW), or NULL with
 *   @error: UNSUPPORTED (attn_lens_get_reason()), TOO_LARGE, CANCELLED.
 * Source: Kobayashi et al. 2020, 2021 (norms, mixing); Mohebbi et al. 2023 (value zeroing); Abnar
 *   and Zuidema 2020 (rollout, flow).
 * Test:   tests/core/test-lens.c, golden data, closed forms and plain loops.
 */
AttnMaps *
attn_lens_new_maps (AttnLens lens, AttnMaps *maps, const AttnLensOptions *options, GError **error);

/**
 * attn_lens_new_target:
 *
 * What a run is asked where nobody says: of a causal model at each token the next one; at masks the
 * model's best guesses; in a text without masks each of its own ordinary tokens.
 *
 * Returns: (transfer full): for attn_target_free(), or NULL with @error: UNSUPPORTED (no LM head),
 *   SHAPE (nothing to guess), TOO_LARGE.
 */
AttnTarget *attn_lens_new_target (AttnTrace *trace, AttnPool *pool, GError **error);

/**
 * attn_lens_compute_mixing:
 * @normed: with the layer norm that follows: each part y is g (y) = (y - mean y) · gain
 * @ratios: [T] written
 *
 * How much of what attention and residual make of token i comes from other tokens: r_i = n (Σ_(j≠i)
 * p_ij) / (n (Σ_(j≠i) p_ij) + n (p_ii)), p_ij = Σ_h a_ij f_h (x_j), and p_ii has x_i more; b_O
 * counts on neither side.
 *
 * The lens shows them, with the norm, as a map whose rows sum to 1: 1 - r_i on the diagonal, and
 * r_i shared out among the others by n (g (p_ij)).
 *
 * Returns: false with @error: UNSUPPORTED, TOO_LARGE.
 * Source: Kobayashi et al. 2021, section 3. Test: tests/core/test-lens.c, golden data.
 */
bool attn_lens_compute_mixing (
    const AttnTrace *trace, size_t layer, bool normed, double *ratios, GError **error);

/**
 * attn_lens_compute_zeroing:
 * @raw: [T, T] written: C_ij of ATTN_LENS_ZEROING, rows not divided by their sums
 *
 * Returns: false with @error: UNSUPPORTED, TOO_LARGE.
 */
bool attn_lens_compute_zeroing (
    const AttnTrace *trace, size_t layer, AttnPool *pool, float *raw, GError **error);

G_END_DECLS
