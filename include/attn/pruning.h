/* SPDX-License-Identifier: MIT */
/* Pruning curves of one text or several: orders of removal side by side, how well the model does on
 * the way, and what each layer and head means for that.
 *
 * For: headscope-cli prune-curve and the window's figure of the same, which have the same numbers.
 * Not for: a single curve of a single task (prune.h). Results are immutable and counted, so that
 * another thread may make and this one show them. */
#pragma once

#include "attn/prune.h"
#include "attn/task.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_PRUNE_BY_IMPORTANCE, /* by gradients, over the layer's 2-norm */
  ATTN_PRUNE_BY_ABLATION,   /* by what its removal alone adds to the loss */
  ATTN_PRUNE_AT_RANDOM,
  ATTN_N_PRUNE_ORDERS
} AttnPruneOrder;

/* Returns: (transfer none): "importance", "ablation" or "random"; static. */
const char *attn_prune_order_peek_name (AttnPruneOrder order);

/* Returns: the order of this name, as attn_name_find() compares, or ATTN_N_PRUNE_ORDERS. */
AttnPruneOrder attn_prune_order_find (const char *name);

#define ATTN_PRUNE_SEEDS 3 /* random orders, where nobody says how many */
#define ATTN_PRUNE_MAX_SEEDS 1000

typedef struct {
  AttnPruneOrder orders[ATTN_N_PRUNE_ORDERS]; /* each at most once */
  size_t n_orders;                            /* ≥ 1 */
  size_t n_seeds;                             /* of random orders; 0 for ATTN_PRUNE_SEEDS */
  uint32_t seed;                              /* of the first of them; others follow it */
} AttnPruningAsked;

/* Returns: all orders that the model allows: by importance where there are gradients, by ablation,
 * and ATTN_PRUNE_SEEDS at random. */
AttnPruningAsked attn_pruning_ask_all (const AttnModel *model, uint32_t seed);

/* One order, and the way along it. */
typedef struct {
  AttnPruneOrder order;
  uint32_t seed;     /* of a random one */
  size_t *heads;     /* [n_heads] layer · heads + head, the first removed first; owned */
  AttnScore *scores; /* [n_points] means over the texts; owned */
} AttnPruneCurve;

typedef struct {
  size_t n_layers, n_heads, n_points; /* n_heads: of the whole model */
  size_t n_texts, n_draws;            /* draws: the most of a text */
  AttnTaskKind kind;                  /* of the last text, */
  bool mixes_kinds;                   /* and others have another one */
  double *importance;                 /* (nullable): [n_heads] means over the texts; owned */
  double *effects;                    /* (nullable): likewise */
  AttnScore *layers;                  /* [n_layers] with all its heads removed; owned */
  AttnPruneCurve *curves;             /* [n_curves] in the order they were asked for; owned */
  size_t n_curves;
} AttnPruning;

/* Returns: (transfer none): the task of text @text, from 0, which lives until the next call; or
 * NULL with @error. Called twice for each text where heads are to be measured first. */
typedef const AttnTask *(*AttnPruningFunc) (size_t text, void *data, GError **error);

/**
 * attn_pruning_new:
 * @n_texts: ≥ 1
 * @get:     gives their tasks, which are of one model
 *
 * Returns: (transfer full): for attn_pruning_unref(), or NULL with @error as @get gives it,
 *   attn_importance_new(), attn_task_ablate_each() and attn_prune_score().
 * Source: Michel et al. 2019, section 4.
 * Test: tests/core/test-prune.c
 */
AttnPruning *attn_pruning_new (const AttnPruningAsked *asked,
                               size_t n_texts,
                               AttnPruningFunc get,
                               void *data,
                               const AttnPruneOptions *options,
                               GError **error);

AttnPruning *attn_pruning_ref (AttnPruning *pruning);
void attn_pruning_unref (AttnPruning *pruning);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnPruning, attn_pruning_unref)

/**
 * attn_pruning_find_fall:
 * @by_likelihood: the quality is exp (−loss); else the accuracy, or of a vector the cosine
 *
 * Returns: the first point of the curve below ATTN_PRUNE_FALL of its quality at point 0, or
 *   n_points for none.
 * Test: tests/core/test-prune.c
 */
size_t attn_pruning_find_fall (const AttnPruning *pruning, size_t curve, bool by_likelihood);

/* Returns: what removing one head of the layer alone adds to the loss: the mean of its heads, and
 * written the least and the largest; NaN where effects are not known. Test: tests/cli/test-prune.c
 */
double
attn_pruning_get_layer (const AttnPruning *pruning, size_t layer, double *least, double *largest);

/* Returns: rank correlation of importance with effects, or with their sizes; NaN where one of them
 * is not known or does not vary. */
double attn_pruning_correlate (const AttnPruning *pruning, bool with_sizes);

/* Returns: (transfer full): what the command line prints, with its line feed. */
char *attn_pruning_dup_json (const AttnPruning *pruning);
char *attn_pruning_dup_csv (const AttnPruning *pruning);

G_END_DECLS
