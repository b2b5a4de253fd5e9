/* SPDX-License-Identifier: MIT */
/* What a layer's attention moves from key to query, taken apart: p_ij = Σ_h a_ij f_h (x_j).
 *
 * Letters: T tokens, H heads, D model width, f_h (x_j) = v_j W_O of head h's columns of W_O, with
 * the head's factor and without b_O. */
#pragma once

#include "trace-private.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* One layer's. */
typedef struct {
  const AttnTrace *trace;
  size_t layer;
  size_t T, H, D, d_k;
  float *out;    /* [H, D, d_k] each head's columns of W_O, one row for each output; owned */
  float *values; /* [T, d_k] scratch; owned */
} AttnParts;

/* Returns: false with @error: TOO_LARGE; @parts is then empty. */
bool attn_parts_init (AttnParts *parts, const AttnTrace *trace, size_t layer, GError **error);

void attn_parts_clear (AttnParts *parts);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnParts, attn_parts_clear)

/* Returns: whether each head's output in @trace is its weights times its values, times a factor. */
bool attn_parts_fit (const AttnTrace *trace);

/* Returns: what the head's output is multiplied with. */
float attn_parts_get_factor (const AttnParts *parts, size_t head);

/* Writes f_h (x_j) of tokens [first, first + n): [n, D]. */
void attn_parts_project (const AttnParts *parts, size_t head, size_t first, size_t n, float *rows);

/* Returns: (transfer full) (nullable): [H, T, T] the maps that the layer's run used; NULL with
 * @error: TOO_LARGE. */
float *attn_parts_try_new_maps (const AttnParts *parts, GError **error);

/* Returns: (transfer full) (nullable): [T, D] Σ_j p_ij of every token i, or p_ii alone; NULL with
 * @error: TOO_LARGE. @maps: as above */
float *
attn_parts_try_new_sums (const AttnParts *parts, const float *maps, bool diagonal, GError **error);

/* Returns: (transfer full) (nullable): [T, T] n (p_ij), of g (p_ij) = (p_ij - its mean) · gain
 * where @gain [D] is given; NULL with @error: TOO_LARGE.
 *
 * By the H × H products of each key's f_h (x_j), T H² numbers instead of T T D. */
float *attn_parts_try_new_norms (const AttnParts *parts,
                                 const float *maps,
                                 const float *gain,
                                 GError **error);

/* y = (y - mean y) · gain, [n] in place. */
void attn_parts_center (float *y, const float *gain, size_t n);
