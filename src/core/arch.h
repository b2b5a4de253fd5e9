/* SPDX-License-Identifier: MIT */
/* What tells one family of transformers from another, as a table that one encoder loop reads.
 *
 * A new family is a new table; a new kind of norm, position or score is a new value in an enum
 * here, and the compiler then names the places that must learn it. Sizes and switches that differ
 * between two models of a family stand in AttnConfig instead.
 *
 * Letters: D model width, E width of the embeddings (mostly D), F feed-forward width, V words. */
#pragma once

#include "attn/config.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* What a tensor is for. Those between QUERY and FFN_NORM_BIAS occur once a layer. */
typedef enum {
  ATTN_ROLE_WORDS,     /* [V, E] */
  ATTN_ROLE_POSITIONS, /* [P, E] */
  ATTN_ROLE_TYPES,     /* [types, E] */
  ATTN_ROLE_EMBED_NORM_GAIN,
  ATTN_ROLE_EMBED_NORM_BIAS,
  ATTN_ROLE_PROJECTION, /* [D, E], stored [out, in] like every matrix here */
  ATTN_ROLE_PROJECTION_BIAS,
  ATTN_ROLE_DISTANCES, /* MPNet: [buckets, heads]; DeBERTa: [2 × distances or buckets, D] */
  ATTN_ROLE_DISTANCE_NORM_GAIN,
  ATTN_ROLE_DISTANCE_NORM_BIAS,
  ATTN_ROLE_CONVOLUTION, /* [D, D × tokens]: DeBERTa's, after the first layer */
  ATTN_ROLE_CONVOLUTION_BIAS,
  ATTN_ROLE_CONVOLUTION_NORM_GAIN,
  ATTN_ROLE_CONVOLUTION_NORM_BIAS,
  ATTN_ROLE_QUERY, /* [D, D] */
  ATTN_ROLE_QUERY_BIAS,
  ATTN_ROLE_KEY,
  ATTN_ROLE_KEY_BIAS,
  ATTN_ROLE_VALUE,
  ATTN_ROLE_VALUE_BIAS,
  ATTN_ROLE_QKV, /* [3 D, D]: the three above in one */
  ATTN_ROLE_QKV_BIAS,
  ATTN_ROLE_DISTANCE_KEY, /* [D, D]: DeBERTa's projections of distances */
  ATTN_ROLE_DISTANCE_KEY_BIAS,
  ATTN_ROLE_DISTANCE_QUERY,
  ATTN_ROLE_DISTANCE_QUERY_BIAS,
  ATTN_ROLE_OUT,
  ATTN_ROLE_OUT_BIAS,
  ATTN_ROLE_ATTN_NORM_GAIN,
  ATTN_ROLE_ATTN_NORM_BIAS,
  ATTN_ROLE_UP, /* [F, D]; [2 F, D] where the inner part is gated */
  ATTN_ROLE_UP_BIAS,
  ATTN_ROLE_DOWN, /* [D, F] */
  ATTN_ROLE_DOWN_BIAS,
  ATTN_ROLE_FFN_NORM_GAIN,
  ATTN_ROLE_FFN_NORM_BIAS,
  ATTN_ROLE_FINAL_NORM_GAIN,
  ATTN_ROLE_FINAL_NORM_BIAS,
  ATTN_ROLE_HEAD_DENSE, /* [E, D] */
  ATTN_ROLE_HEAD_DENSE_BIAS,
  ATTN_ROLE_HEAD_NORM_GAIN,
  ATTN_ROLE_HEAD_NORM_BIAS,
  ATTN_ROLE_DECODER, /* [V, E] */
  ATTN_ROLE_DECODER_BIAS,
  ATTN_N_ROLES
} AttnRole;

/* When a model has a tensor. A file without one that it needs is refused. */
typedef enum {
  ATTN_NEED_NEVER, /* the family has no such tensor */
  ATTN_NEED_ALWAYS,
  ATTN_NEED_LATER,          /* in every layer but the first */
  ATTN_NEED_PROJECTION,     /* where embeddings are not as wide as the model */
  ATTN_NEED_RELATIVE,       /* where scores depend on distances (AttnRelative) */
  ATTN_NEED_RELATIVE_NORM,  /* and those are normed */
  ATTN_NEED_DISTANCE_KEY,   /* and the query meets distances, with a projection of their own */
  ATTN_NEED_DISTANCE_QUERY, /* and the key does */
  ATTN_NEED_CONVOLUTION,    /* where the config has one */
  ATTN_NEED_HEAD,           /* part of the LM head, which a file may lack as a whole */
  ATTN_NEED_TIED,           /* likewise, and may stand for the word embeddings by being absent */
} AttnNeed;

#define ATTN_ROLE_MAX_NAMES 4

typedef struct {
  AttnNeed need;
  /* the usual one first; # is the layer's number; two # are its group's and its own within it */
  const char *names[ATTN_ROLE_MAX_NAMES];
} AttnRoleRule;

typedef enum {
  ATTN_NORM_AFTER,  /* x = norm (x + f (x)) */
  ATTN_NORM_BEFORE, /* x = x + f (norm (x)), and a norm at the end */
} AttnNormPlace;

typedef enum {
  ATTN_POSITION_LEARNED, /* rows of a table are added to the words */
  ATTN_POSITION_ROTARY,  /* queries and keys are rotated */
} AttnPositionScheme;

typedef enum {
  ATTN_SCORE_SCALED_DOT,
  ATTN_SCORE_BUCKETS,      /* plus a number for the distance's bucket and the head */
  ATTN_SCORE_DISENTANGLED, /* plus products with the distance's own key and query */
} AttnScoreRule;

/* Designated initialisers; what is left out is the first value of its enum, or false. */
typedef struct {
  const char *const *model_types; /* config.json's model_type; NULL-terminated */
  const char *const *prefixes;    /* that names may carry in a file; NULL-terminated */
  AttnNormPlace norm;
  AttnPositionScheme positions;
  AttnScoreRule score;
  bool causal;          /* a query sees no key after itself */
  bool gated;           /* inner = act (first half) × second half */
  bool inputs_first;    /* the layers' matrices are stored [in, out] */
  bool projected_first; /* embeddings are projected before their norm, not after */
  const char *pooler;   /* a weight the bare model has and we have no use for; NULL for none */
  AttnRole head_mark;   /* the tensor that tells an LM head from other heads; WORDS: none does */
  AttnRoleRule roles[ATTN_N_ROLES];
} AttnArch;

extern const AttnArch attn_arch_bert;
extern const AttnArch attn_arch_roberta;
extern const AttnArch attn_arch_distilbert;
extern const AttnArch attn_arch_albert;
extern const AttnArch attn_arch_electra;
extern const AttnArch attn_arch_mpnet;
extern const AttnArch attn_arch_deberta;
extern const AttnArch attn_arch_modernbert;
extern const AttnArch attn_arch_gpt2;

/* Names as a family's file may spell them: saved from the bare model, from one with a head, or from
 * inside DataParallel. */
#define ATTN_PREFIXES(base) \
  { \
    "", base, "module.", "module." base, NULL \
  }

/* A matrix or norm with its bias: two rows of a table. */
#define ATTN_WEIGHT_AND_BIAS(weight, bias, need, name) \
  [weight] = {need, {name ".weight"}}, [bias] = {need, {name ".bias"}}
#define ATTN_LINEAR(role, need, name) ATTN_WEIGHT_AND_BIAS (role, role##_BIAS, need, name)
#define ATTN_NORM(role, need, name) ATTN_WEIGHT_AND_BIAS (role##_GAIN, role##_BIAS, need, name)

/* Returns: the family that takes @model_type, static; NULL for none. */
const AttnArch *attn_arch_find (const char *model_type);

/* Returns: (transfer full): "encoder.layer.#.x" with the number of a layer among those with weights
 * of their own, or its group's and its own within that. */
char *attn_arch_dup_name (const AttnConfig *config, const char *pattern, size_t layer);

/* Returns: whether each layer has its own tensor of this role. */
bool attn_role_is_layered (AttnRole role);

/* Returns: whether the role is a norm's gain or bias. */
bool attn_role_is_norm (AttnRole role);

/* Returns: whether the role is one of the layers' matrices, which some families store [in, out]. */
bool attn_role_is_layer_matrix (AttnRole role);

/**
 * attn_role_is_present:
 * @has_head,@own_decoder: what is known of the LM head
 * @layer: among those with weights of their own
 *
 * Returns: whether a model of this family and config has such a tensor.
 */
bool attn_role_is_present (const AttnArch *arch,
                           const AttnConfig *config,
                           bool has_head,
                           bool own_decoder,
                           AttnRole role,
                           size_t layer);
