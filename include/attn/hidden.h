/* SPDX-License-Identifier: MIT */
/* Hidden states between the layers: what the LM head would say of them, what single heads add to a
 * guess directly, and where tokens move.
 *
 * All three are readings of states that the model made for its own later layers: hypotheses.
 *
 * Letters: L layers, H heads, T tokens, D model width, V words. */
#pragma once

#include "attn/pool.h"
#include "attn/trace.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/**
 * attn_hidden_compute_logits:
 * @layer:     0 … L: the states that enter it, or for L those that the model gives out
 * @positions: [n] tokens
 * @logits:    [n, V] f32 row-major, written
 *
 * The LM head on states it was not trained for (logit lens). Where the model has a final norm,
 * states before it pass it first.
 *
 * Returns: false with @error: UNSUPPORTED (no LM head), SHAPE (a position beyond the text),
 *   TOO_LARGE.
 * Source: nostalgebraist 2020, "interpreting GPT: the logit lens".
 * Test: tests/core/test-hidden.c, golden data.
 */
bool attn_hidden_compute_logits (const AttnTrace *trace,
                                 size_t layer,
                                 const size_t *positions,
                                 size_t n,
                                 float *logits,
                                 AttnPool *pool,
                                 GError **error);

/* What parts of the model add to one logit on the direct way, past all later attention and
 * feed-forward parts. */
typedef struct {
  size_t n_layers, n_heads, position;
  int32_t token;        /* whose logit */
  double logit;         /* as the run has it */
  double *heads;        /* [L, H] of each head's output; owned */
  double *feed_forward; /* [L] of each feed-forward part, its biases included; owned */
  double embedding;     /* of what enters the first layer */
  double rest;          /* the logit less all of these: biases, norms' biases, and with a head that
                           has an activation what its slope misses */
} AttnContributions;

/**
 * attn_contributions_new:
 *
 * Norms on the way keep the divisors of the run, so that they are linear; an LM head's activation
 * is taken by its slope there. Without one (GPT-2) the parts and biases sum to the logit.
 *
 * Returns: (transfer full): for attn_contributions_free(), or NULL with @error: UNSUPPORTED (no LM
 *   head; runs with heads that are mean or patched), SHAPE (a position beyond the text, a token
 *   beyond the vocabulary), TOO_LARGE.
 * Source: direct logit attribution, Elhage et al. 2021.
 * Test: tests/core/test-hidden.c, sums and finite differences.
 */
AttnContributions *attn_contributions_new (
    const AttnTrace *trace, size_t position, int32_t token, AttnPool *pool, GError **error);

void attn_contributions_free (AttnContributions *contributions);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnContributions, attn_contributions_free)

/**
 * attn_hidden_compute_places:
 * @places: [L + 1, T, 2] written: tokens before each layer and after the last, before a final norm,
 *          on the plane in which all of them together differ most
 * @shares: [2] written: of the variance, 0 … 1
 *
 * Principal components; of each the loading that is largest is positive, so that pictures do not
 * flip. With fewer than two directions the rest is 0; where a state is no finite number all are
 * NaN.
 *
 * Returns: false with @error: TOO_LARGE.
 * Test: tests/core/test-hidden.c, plain Jacobi rotations.
 */
bool
attn_hidden_compute_places (const AttnTrace *trace, double *places, double *shares, GError **error);

G_END_DECLS
