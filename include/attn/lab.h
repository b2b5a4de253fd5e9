/* SPDX-License-Identifier: MIT */
/* The arithmetic of head counts: what d_model and the number of heads fix, and what they leave.
 *
 * For: the laboratory of head counts, without any model. Not for: an opened model's own numbers
 * (attn_model_get_parameter_counts()) or the steps of a run (steps.h).
 *
 * Letters: D = d_model, h heads, d_k = D / h, T tokens, L layers. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

#define ATTN_LAB_MAX 65536       /* of d_model, heads and tokens */
#define ATTN_LAB_MAX_LAYERS 1024 /* so that no product of them overflows */

/* What is asked. All > 0. */
typedef struct {
  size_t d_model, n_heads, n_tokens; /* ≤ ATTN_LAB_MAX */
  size_t n_layers;                   /* ≤ ATTN_LAB_MAX_LAYERS */
} AttnLabShape;

/* Sizes of multi-head attention alone, in all layers: no feed-forward part, norms or embeddings. */
typedef struct {
  bool divisible;            /* whether h divides D; else d_k is 0 */
  size_t d_k;                /* width of a head */
  size_t heads_below;        /* the largest divisor of D below h; 0 for none */
  size_t heads_above;        /* the smallest divisor of D above h; 0 for none */
  size_t width_below;        /* the largest multiple of h below D; 0 for none */
  size_t width_above;        /* the smallest multiple of h above D */
  guint64 parameters;        /* of W_Q, W_K, W_V and W_O: 4 D² L */
  guint64 parameters_biased; /* with a bias each: (4 D² + 4 D) L */
  guint64 projection_adds;   /* multiply-adds of the four projections: 4 T D² L */
  guint64 attention_adds;    /* of scores and mixed values: 2 T² D L */
  guint64 exponentials;      /* of softmax: h T² L */
  guint64 map_bytes;         /* of the maps as f32: 4 h T² L */
} AttnLabCount;

/**
 * attn_lab_count:
 * @shape: within its limits
 * @count: written
 *
 * Only d_k, exponentials and map_bytes change with h; parameters and multiply-adds do not.
 *
 * Errors: none; a number of heads that does not divide D is an answer.
 * Source: Vaswani et al. 2017, section 3.2.2.
 * Test:   tests/core/test-lab.c, plain loops.
 */
void attn_lab_count (const AttnLabShape *shape, AttnLabCount *count);

/* A shape that somebody published. */
typedef struct {
  const char *name, *source; /* static, English, for translation */
  size_t d_model, n_heads, n_layers;
} AttnLabPreset;

/* Returns: (transfer none): [@n] the presets, static. */
const AttnLabPreset *attn_lab_peek_presets (size_t *n);

G_END_DECLS
