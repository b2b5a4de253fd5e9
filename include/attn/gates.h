/* SPDX-License-Identifier: MIT */
/* What a run does to single heads: leave them, switch them off in one way or another, scale them.
 *
 * For: ablation and its kin. A gate stands between a head's output (weights · values) and W_O. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_GATE_KEEP,
  ATTN_GATE_ZERO,    /* the output is 0 */
  ATTN_GATE_UNIFORM, /* the weights are the same for all keys that the query may see */
  ATTN_GATE_MEAN,    /* the output is, at every position, its mean over the text's positions */
  ATTN_GATE_PATCH,   /* the output is that of another run (AttnRunInput.patch_from) */
  ATTN_N_GATES
} AttnGate;

/* Returns: (transfer none): "keep", "zero", "uniform", "mean" or "patch"; static. */
const char *attn_gate_peek_name (AttnGate gate);

/* Returns: the gate of this name, as attn_name_find() compares, or ATTN_N_GATES. */
AttnGate attn_gate_find (const char *name);

typedef struct {
  size_t n_layers, n_heads;
  AttnGate *gates; /* [n_layers, n_heads]; owned */
  float *factors;  /* [n_layers, n_heads] what the output is multiplied with at last; owned */
} AttnHeadGates;

/* Returns: (transfer full): all heads kept, with factors of 1, for attn_head_gates_free(). */
AttnHeadGates *attn_head_gates_new (size_t n_layers, size_t n_heads);

AttnHeadGates *attn_head_gates_copy (const AttnHeadGates *gates);

void attn_head_gates_free (AttnHeadGates *gates);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnHeadGates, attn_head_gates_free)

/* @layer,@head: from 0. */
void attn_head_gates_set (AttnHeadGates *gates, size_t layer, size_t head, AttnGate gate);
AttnGate attn_head_gates_get (const AttnHeadGates *gates, size_t layer, size_t head);

/* Returns: how many heads are not kept as they are. */
size_t attn_head_gates_count (const AttnHeadGates *gates);

G_END_DECLS
