/* SPDX-License-Identifier: MIT */
/* A forward pass under way: what it reads, and its scratch memory.
 *
 * Letters: R rows, the tokens of all texts; D model width, E width of embeddings, F feed-forward
 * width. */
#pragma once

#include "arch.h"
#include "block.h"
#include "trace-private.h"
#include "weights.h"

#include "attn/config.h"
#include "attn/pool.h"
#include "attn/run.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A pass under way: what it reads, its traces, and scratch memory that ends with it. */
typedef struct {
  const AttnArch *arch;
  const AttnConfig *config;
  const AttnWeights *weights;
  const AttnRunOptions *options;
  AttnPool *pool;           /* of the options */
  AttnTrace *const *traces; /* their rows stand one after the other in shared arrays */
  size_t n_texts;
  size_t R, longest;    /* rows in all; tokens of the longest text */
  int32_t *tokens;      /* [R] place in its text */
  int32_t *ids, *types; /* [R] */
  int32_t *positions;   /* [R] row of the position table */
  float *embedded;      /* [R, E] before the projection */
  float *normed;        /* [R, D] where norms come before */
  float *mixed;         /* [R, D] the heads' outputs side by side */
  float *attended;      /* [R, D] after attention and residual */
  float *unfolded;      /* [R, D conv_width] what a convolution reads for each row */
  float *inner;         /* [R, F or 2 F] inside the feed-forward part, row stride inner_stride */
  size_t inner_stride;
  float *angles, *local_angles; /* [longest, d_k] for rotation */
  float *heads;                 /* [workers, head_size] what each worker keeps of its head */
  size_t head_size;
  AttnBlock block;
} AttnForwardPass;

/* Makes the scratch memory, and stacks the texts' rows; @type_ids: [n_texts], each nullable.
 * Returns: false with @error: TOO_LARGE; else @pass->block is to be cleared. */
bool attn_forward_pass_init (AttnForwardPass *pass, const int32_t *const *type_ids, GError **error);
