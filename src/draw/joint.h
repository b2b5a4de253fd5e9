/* SPDX-License-Identifier: MIT */
/* Which rows and columns of A, B and A − B are the same tokens. */
#pragma once

#include "attn/align.h"

#include <stdbool.h>
#include <stddef.h>

#define ATTN_DRAW_MAX_COMPARED 3 /* panels: A, B and A − B */

/* All tokens of one side, numbered together: A's, then B's without a partner. */
typedef struct {
  AttnAlignment *alignment;
  size_t n_a, n_b, n;
  size_t *alone; /* [n - n_a] B's tokens without a partner, rising */
  size_t *order; /* [n] the numbers in reading order … */
  size_t *place; /* [n] … and where each stands in it */
} AttnDrawJointSide;

typedef struct {
  AttnMaps *maps[2];          /* A's and B's, as they are drawn */
  AttnMaps *source_b;         /* (nullable): B's before they were arranged */
  AttnDrawJointSide sides[2]; /* by AttnSide */
  bool has_no_difference;
  bool is_clipped; /* A − B goes beyond its range, which was chosen */
} AttnDrawJoint;

/* Returns: the tokens of both for attn_draw_joint_free(), or NULL with @error: TOO_LARGE. */
AttnDrawJoint *attn_draw_joint_new (AttnMaps *a, AttnMaps *b, GError **error);

void attn_draw_joint_free (AttnDrawJoint *joint);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawJoint, attn_draw_joint_free)

/* Returns: how many cells A and B have in common: 0 where there is no A − B. */
size_t attn_draw_joint_get_n_pairs (const AttnDrawJoint *joint);

/* Returns: the number of row or column @index of A, B or A − B: panel 0, 1 or 2. */
size_t attn_draw_joint_get (const AttnDrawJoint *joint, size_t panel, AttnSide side, size_t index);

/* Returns: where number @token is in the panel; G_MAXSIZE for nowhere. */
size_t attn_draw_joint_find (const AttnDrawJoint *joint, size_t panel, AttnSide side, size_t token);
