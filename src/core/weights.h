/* SPDX-License-Identifier: MIT */
/* Where each weight of a model stands in memory: one block, a place for every role. */
#pragma once

#include "arch.h"
#include "block.h"
#include "linear.h"

#include "attn/config.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  float *gain, *bias; /* [D] */
} AttnNormWeights;

typedef struct {
  AttnLinear qkv; /* rows: all queries, all keys, all values */
  AttnLinear out, up, down;
  AttnNormWeights attn_norm, ffn_norm;
} AttnLayerWeights;

/* Everything points into `block`. */
typedef struct {
  float *words;     /* [V, D] plain rows */
  float *positions; /* [P, D] */
  float *types;     /* [types, D]; NULL where there are none */
  AttnNormWeights embed_norm;
  AttnLayerWeights *layers; /* [n_layers]; owned */
  AttnLinear head_dense;    /* the LM head: valid when `decoder` is not NULL */
  AttnNormWeights head_norm;
  float *decoder;      /* [V, D]: `words` when tied; NULL without an LM head */
  float *decoder_bias; /* [V] */
  AttnBlock block;
} AttnWeights;

typedef enum {
  ATTN_HEAD_NONE,
  ATTN_HEAD_TIED, /* its decoder is the word embeddings */
  ATTN_HEAD_OWN,
} AttnHeadKind;

/**
 * attn_weights_init:
 *
 * Makes room for all weights of a model, zeroed.
 *
 * Returns: false with @error: TOO_LARGE; @weights is then empty.
 */
bool attn_weights_init (AttnWeights *weights,
                        const AttnConfig *config,
                        AttnHeadKind head,
                        GError **error);

void attn_weights_clear (AttnWeights *weights);

/* The place of one tensor: plain memory, or rows of a packed matrix. */
typedef struct {
  float *plain;       /* [rows, width], or NULL: then */
  AttnLinear *linear; /* rows `first_out` … of this matrix */
  size_t first_out;
} AttnPlace;

/* Returns: the place of a tensor; both pointers NULL for what this model does not have. */
AttnPlace attn_weights_find_place (AttnWeights *weights,
                                   const AttnConfig *config,
                                   AttnRole role,
                                   size_t layer);

/* Writes the shape that a model of this config wants. Returns: the number of dimensions, 1 or 2. */
size_t attn_role_get_shape (AttnRole role, const AttnConfig *config, size_t shape[2]);
