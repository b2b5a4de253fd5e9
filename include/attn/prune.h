/* SPDX-License-Identifier: MIT */
/* How many heads can go: orders in which heads are removed, and how well a task is done on the way.
 *
 * For: pruning curves. Not for: making a smaller model; heads that are removed are switched off.
 *
 * Letters: N heads of the model, numbered layer · heads + head. */
#pragma once

#include "attn/gates.h"
#include "attn/loss.h"
#include "attn/pool.h"
#include "attn/progress.h"
#include "attn/task.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

#define ATTN_PRUNE_SHARE 0.1 /* of all heads, that are removed in one step */
#define ATTN_PRUNE_FALL 0.9  /* of the quality with all heads, below which it has fallen */

/* Returns: how many heads a step removes: a tenth of N, rounded (a half to even), at least 1. */
size_t attn_prune_get_step (size_t n_heads);

/* Returns: points of a curve: with all heads, after each step, and without any; the last step may
 * be smaller. */
size_t attn_prune_count_points (size_t n_heads);

/* Returns: how many heads are removed at a point, from 0 to N. */
size_t attn_prune_get_removed (size_t n_heads, size_t point);

/* Returns: (transfer full): [n_heads] heads, the one with the lowest score first; of equal ones the
 * lower number, and NaN last. For g_free(). */
size_t *attn_prune_order_by_score (const double *scores, size_t n_heads);

/* Returns: (transfer full): likewise, in a random order that @seed decides. */
size_t *attn_prune_order_at_random (size_t n_heads, uint32_t seed);

/* Returns: (transfer full): gates with the first @n_removed heads of @order at zero, for
 * attn_head_gates_free(). */
AttnHeadGates *
attn_prune_make_gates (const size_t *order, size_t n_removed, size_t n_layers, size_t n_heads);

typedef struct {
  AttnPool *pool;            /* nullable */
  AttnProgressFunc progress; /* nullable; asked after every few runs */
  void *progress_data;
} AttnPruneOptions;

/**
 * attn_prune_score:
 * @gates:  [n] what is done to the heads, of the task's model
 * @scores: [n] written: means over the draws
 *
 * Runs the task on each of the gates, several in one batch.
 *
 * Returns: false with @error: TOO_LARGE, CANCELLED.
 * Test: tests/core/test-prune.c: one by one, golden data.
 */
bool attn_prune_score (const AttnTask *task,
                       AttnHeadGates *const *gates,
                       size_t n,
                       const AttnPruneOptions *options,
                       AttnScore *scores,
                       GError **error);

/**
 * attn_prune_compute_curve:
 * @order:  [N] all heads, the first removed first
 * @scores: [attn_prune_count_points()] written
 *
 * Returns: false with @error as attn_prune_score().
 * Source: Michel et al. 2019, section 4.
 */
bool attn_prune_compute_curve (const AttnTask *task,
                               const size_t *order,
                               const AttnPruneOptions *options,
                               AttnScore *scores,
                               GError **error);

/* As the above, with @scores [n_layers] for each layer's heads removed together. */
bool attn_prune_compute_layers (const AttnTask *task,
                                const AttnPruneOptions *options,
                                AttnScore *scores,
                                GError **error);

/* @quality: [n] at the points of a curve; more is better. Returns: the first point below
 * ATTN_PRUNE_FALL of the quality at point 0, or @n for none. */
size_t attn_prune_find_fall (const double *quality, size_t n);

/**
 * attn_rank_correlation:
 * @a,@b: [n]
 *
 * Returns: Spearman's: the correlation of ranks, -1 … 1, equal values sharing the mean of their
 * ranks; NaN where a side is all equal or has a NaN. Test: tests/core/test-prune.c, closed forms.
 */
double attn_rank_correlation (const double *a, const double *b, size_t n);

G_END_DECLS
