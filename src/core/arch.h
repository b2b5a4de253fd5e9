/* SPDX-License-Identifier: MIT */
/* What tells one family of transformers from another, as a table that one encoder loop reads.
 *
 * A new family is a new table; a new kind of norm, position or score is a new value in an enum
 * here, and the compiler then names the places that must learn it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What a tensor is for. Those between QUERY and FFN_NORM_BIAS occur once a layer. */
typedef enum {
  ATTN_ROLE_WORDS,     /* [V, D] */
  ATTN_ROLE_POSITIONS, /* [P, D] */
  ATTN_ROLE_TYPES,     /* [types, D] */
  ATTN_ROLE_EMBED_NORM_GAIN,
  ATTN_ROLE_EMBED_NORM_BIAS,
  ATTN_ROLE_QUERY, /* [D, D], stored [out, in] like every matrix here */
  ATTN_ROLE_QUERY_BIAS,
  ATTN_ROLE_KEY,
  ATTN_ROLE_KEY_BIAS,
  ATTN_ROLE_VALUE,
  ATTN_ROLE_VALUE_BIAS,
  ATTN_ROLE_OUT,
  ATTN_ROLE_OUT_BIAS,
  ATTN_ROLE_ATTN_NORM_GAIN,
  ATTN_ROLE_ATTN_NORM_BIAS,
  ATTN_ROLE_UP, /* [F, D] */
  ATTN_ROLE_UP_BIAS,
  ATTN_ROLE_DOWN, /* [D, F] */
  ATTN_ROLE_DOWN_BIAS,
  ATTN_ROLE_FFN_NORM_GAIN,
  ATTN_ROLE_FFN_NORM_BIAS,
  ATTN_ROLE_HEAD_DENSE, /* [D, D] */
  ATTN_ROLE_HEAD_DENSE_BIAS,
  ATTN_ROLE_HEAD_NORM_GAIN,
  ATTN_ROLE_HEAD_NORM_BIAS,
  ATTN_ROLE_DECODER, /* [V, D] */
  ATTN_ROLE_DECODER_BIAS,
  ATTN_N_ROLES
} AttnRole;

typedef enum {
  ATTN_NEED_NEVER,  /* the family has no such tensor */
  ATTN_NEED_ALWAYS, /* a file without it is refused */
  ATTN_NEED_HEAD,   /* part of the LM head, which a file may lack as a whole */
  ATTN_NEED_TIED,   /* likewise, and may stand for the word embeddings by being absent */
} AttnNeed;

#define ATTN_ROLE_MAX_NAMES 2

typedef struct {
  AttnNeed need;
  const char *names[ATTN_ROLE_MAX_NAMES]; /* the usual one first; # is the layer's number */
} AttnRoleRule;

typedef enum {
  ATTN_NORM_AFTER, /* x = norm (x + f (x)) */
} AttnNormPlace;

typedef enum {
  ATTN_POSITION_LEARNED, /* row t of a table for token t */
} AttnPositionScheme;

typedef enum {
  ATTN_SCORE_SCALED_DOT, /* q kᵀ / √d_k, every key visible */
} AttnScoreRule;

typedef struct {
  const char *const *model_types; /* config.json's model_type; NULL-terminated */
  const char *const *prefixes;    /* that names may carry in a file; NULL-terminated */
  const char *const (
      *spellings)[2]; /* endings: as in `names`, as in old files; {NULL, NULL} ends */
  AttnNormPlace norm;
  AttnPositionScheme positions;
  AttnScoreRule score;
  AttnRoleRule roles[ATTN_N_ROLES];
} AttnArch;

extern const AttnArch attn_arch_bert;

/* Returns: the family that takes @model_type, static; NULL for none. */
const AttnArch *attn_arch_find (const char *model_type);

/* Returns: whether each layer has its own tensor of this role. */
bool attn_role_is_layered (AttnRole role);
