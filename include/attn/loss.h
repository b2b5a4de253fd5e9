/* SPDX-License-Identifier: MIT */
/* How well runs do what they were asked: the loss that ablation and importance are measured by. */
#pragma once

#include "attn/pool.h"
#include "attn/trace.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/* What is asked of runs of one text: labels at some tokens, or that the sentence's vector stays. */
typedef struct _AttnTarget AttnTarget;

/**
 * attn_target_new_labels:
 * @positions: [n] tokens whose guesses count
 * @labels:    [n] ids that are right there
 *
 * The loss is the mean of -ln p (label), nats.
 *
 * Returns: (transfer full): for attn_target_free(), or NULL with @error: UNSUPPORTED (no LM head),
 *   SHAPE (none, or a position or a label that the model has not).
 */
AttnTarget *attn_target_new_labels (const AttnTrace *clean,
                                    const size_t *positions,
                                    const int32_t *labels,
                                    size_t n,
                                    GError **error);

/* The same of a causal model: at every token but the last the id that follows; SHAPE for a text of
 * one token. */
AttnTarget *attn_target_new_next (const AttnTrace *clean, GError **error);

/* For models without an LM head: the loss is 1 - cosine between the sentence's vector (the mean of
 * the last hidden states) and that of @clean, which is referenced. */
AttnTarget *attn_target_new_vector (AttnTrace *clean);

void attn_target_free (AttnTarget *target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnTarget, attn_target_free)

/* How well one run does. */
typedef struct {
  double loss;
  double accuracy; /* share of the labels that the run guesses first; NaN of a vector */
} AttnScore;

/**
 * attn_target_compute_scores:
 * @traces: [n] runs of the target's text, on any gates
 * @pool:   (nullable)
 * @scores: [n] written
 *
 * Of guesses that are equally likely the one with the smallest id is the first.
 *
 * Returns: false with @error: TOO_LARGE.
 * Test: tests/core/test-prune.c, plain loops.
 */
bool attn_target_compute_scores (const AttnTarget *target,
                                 AttnTrace *const *traces,
                                 size_t n,
                                 AttnPool *pool,
                                 AttnScore *scores,
                                 GError **error);

/**
 * attn_target_compute_losses:
 * @traces: [n] runs of the target's text, on any gates
 * @pool:   (nullable)
 * @losses: [n] written
 *
 * Returns: false with @error: TOO_LARGE.
 * Test: tests/core/test-ablate.c, golden data.
 */
bool attn_target_compute_losses (const AttnTarget *target,
                                 AttnTrace *const *traces,
                                 size_t n,
                                 AttnPool *pool,
                                 double *losses,
                                 GError **error);

G_END_DECLS
