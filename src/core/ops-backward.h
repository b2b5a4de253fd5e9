/* SPDX-License-Identifier: MIT */
/* Derivatives of the operations of a forward pass: from dL/d(output) to dL/d(input) and, where
 * wanted, to dL/d(weights). All arrays are f32 row-major.
 *
 * What is called d… is a derivative of one number L, the loss. Derivatives of weights are added to
 * what is there, so that several texts sum up; those of inputs are written, unless said otherwise.
 *
 * Source: the chain rule. Test: tests/core/test-ops-backward.c, finite differences in double. */
#pragma once

#include "attn/config.h"

#include <stdbool.h>
#include <stddef.h>

/* y = x Wᵀ + b, W plain rows. */
typedef struct {
  const float *x;       /* [n_rows, n_in]; not read where d_weights is NULL */
  const float *weights; /* [n_out, n_in]; not read where d_x is NULL */
  const float *d_y;     /* [n_rows, n_out] */
  size_t n_rows, n_in, n_out;
  float *d_x;       /* (nullable): [n_rows, n_in], written */
  float *d_weights; /* (nullable): [n_out, n_in], added to */
  float *d_bias;    /* (nullable): [n_out], added to */
} AttnLinearBackward;

void attn_backward_linear (const AttnLinearBackward *call);

/**
 * attn_backward_softmax_rows:
 * @y:   [n_rows, n] what softmax gave; hidden keys are 0, and get 0
 * @d_y: [n_rows, n]
 * @d_x: [n_rows, n] written; may be @d_y itself
 *
 * d_x = y · (d_y - Σ y d_y), row by row.
 */
void
attn_backward_softmax_rows (float *d_x, const float *y, const float *d_y, size_t n_rows, size_t n);

/* y = norm (x) · gain + bias, as attn_ops_layer_norm(). */
typedef struct {
  const float *x;    /* [n_rows, width] */
  const float *gain; /* [width] */
  const float *d_y;  /* [n_rows, width] */
  size_t n_rows, width;
  double eps;
  float *d_x;    /* [n_rows, width], written; may be d_y itself */
  float *d_gain; /* (nullable): [width], added to */
  float *d_bias; /* (nullable): [width], added to */
} AttnNormBackward;

void attn_backward_layer_norm (const AttnNormBackward *call);

/**
 * attn_backward_activate:
 * @x:   [n] what went in
 * @d_y: [n]
 * @d_x: [n] written; may be @d_y itself
 *
 * d_x = act' (x) · d_y. ReLU's derivative at 0 is 0.
 */
void attn_backward_activate (
    AttnActivation activation, float *d_x, const float *x, const float *d_y, size_t n);

/* out = softmax (scale · q kᵀ) v of one head; rows have strides, since heads stand side by side.
 */
typedef struct {
  const float *q, *k, *v; /* [n_tokens, d_k], row stride ld */
  const float *weights;   /* [n_tokens, n_tokens] what softmax gave */
  const float *d_out;     /* [n_tokens, d_k], row stride ld_out */
  size_t ld, ld_out;
  size_t n_tokens, d_k;
  float scale;
  float *d_q, *d_k_rows, *d_v; /* [n_tokens, d_k], row stride ld_d, written */
  size_t ld_d;
  float *d_weights; /* [n_tokens, n_tokens] written: dL/d(weights) */
  float *d_scores;  /* [n_tokens, n_tokens] written; may be d_weights */
} AttnHeadBackward;

void attn_backward_head (const AttnHeadBackward *call);

/**
 * attn_backward_cross_entropy:
 * @logits:  [n_rows, n] read
 * @labels:  [n_rows] below @n, or negative for a row that does not count
 * @d_logits: [n_rows, n] written: dL/d(logits) times @factor; may be @logits itself
 *
 * L = Σ -ln softmax (logits)[label].
 *
 * Returns: L, the sum over the rows that count, without @factor.
 */
double attn_backward_cross_entropy (float *d_logits,
                                    const float *logits,
                                    const int *labels,
                                    size_t n_rows,
                                    size_t n,
                                    double factor);
