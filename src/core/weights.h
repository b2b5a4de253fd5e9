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

typedef enum {
  ATTN_HEAD_NONE,
  ATTN_HEAD_TIED, /* its decoder is the word embeddings */
  ATTN_HEAD_OWN,
} AttnHeadKind;

/* What decides which weights a model has. */
typedef struct {
  const AttnArch *arch;     /* static */
  const AttnConfig *config; /* not owned */
  AttnHeadKind head;
} AttnLayout;

typedef struct {
  float *gain; /* [D]; NULL: no norm at all */
  float *bias; /* [D], or NULL for none */
} AttnNormWeights;

typedef struct {
  AttnLinear qkv; /* rows: all queries, all keys, all values */
  AttnLinear out;
  AttnLinear up; /* rows: F; or F that are activated and F that gate them */
  AttnLinear down;
  AttnNormWeights attn_norm, ffn_norm;
  AttnLinear distance_key, distance_query; /* without panels where there are none */
} AttnLayerWeights;

/* Everything points into `block`; what a model does not have is NULL. */
typedef struct {
  AttnLayout layout;
  float *words;     /* [V, E] plain rows */
  float *positions; /* [P, E] */
  float *types;     /* [types, E] */
  AttnNormWeights embed_norm;
  AttnLinear projection; /* without panels where embeddings are as wide as the model */
  float *distances;      /* as ATTN_ROLE_DISTANCES says */
  AttnNormWeights distance_norm;
  AttnLinear convolution; /* inputs: of each element its values at all tokens; or no panels */
  AttnNormWeights convolution_norm;
  AttnLayerWeights *layers; /* [attn_config_get_n_layer_weights()]; owned */
  AttnNormWeights final_norm;
  AttnLinear head_dense; /* the LM head */
  AttnNormWeights head_norm;
  float *decoder;      /* [V, E]: `words` when tied; NULL without an LM head */
  float *decoder_bias; /* [V] */
  AttnBlock block;
} AttnWeights;

/* Returns: whether a model of this layout has such a tensor in layer @layer of those with weights
 * of their own. */
bool attn_layout_has (const AttnLayout *layout, AttnRole role, size_t layer);

/* Writes the matrix's shape, [out, in], or [length, 1]. Returns: the number of dimensions, 1 or 2.
 */
size_t attn_layout_get_shape (const AttnLayout *layout, AttnRole role, size_t shape[2]);

/* The same as the family's files have it, where a convolution has three dimensions. */
size_t attn_layout_get_stored_shape (const AttnLayout *layout, AttnRole role, size_t shape[3]);

/* Returns: how many layers have weights of this role: 1 for what occurs once. */
size_t attn_layout_get_n_times (const AttnLayout *layout, AttnRole role);

/**
 * attn_weights_init:
 *
 * Makes room for all weights of a model, zeroed. @layout is copied; what it points to must stay.
 *
 * Returns: false with @error: TOO_LARGE; @weights is then empty.
 */
bool attn_weights_init (AttnWeights *weights, const AttnLayout *layout, GError **error);

void attn_weights_clear (AttnWeights *weights);

/* The place of one tensor: plain memory, or rows of a packed matrix. */
typedef struct {
  float *plain;       /* [rows, width], or NULL: then */
  AttnLinear *linear; /* rows `first_out` … of this matrix */
  size_t first_out;
} AttnPlace;

/* Returns: the place of a tensor; both pointers NULL for what this model does not have. */
AttnPlace attn_weights_find_place (AttnWeights *weights, AttnRole role, size_t layer);
