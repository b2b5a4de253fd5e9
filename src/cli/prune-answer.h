/* SPDX-License-Identifier: MIT */
/* Pruning curves and how they are told, as JSON and CSV. */
#pragma once

#include "subject.h"

#include "attn/prune.h"
#include "attn/task.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  CLI_PRUNE_IMPORTANCE, /* by gradients, over the layer's 2-norm */
  CLI_PRUNE_ABLATION,   /* by what its removal alone adds to the loss */
  CLI_PRUNE_RANDOM,
  CLI_N_PRUNE_ORDERS
} CliPruneOrder;

/* Returns: the order of this name, or CLI_N_PRUNE_ORDERS. */
CliPruneOrder cli_prune_find_order (const char *name);

typedef struct {
  CliPruneOrder order;
  uint32_t seed;     /* of a random one */
  size_t *heads;     /* [n_heads] layer · heads + head, the first removed first; owned */
  AttnScore *scores; /* [n_points] means over the texts; owned */
} CliCurve;

typedef struct {
  CliSubject subject;
  bool asks_importance, asks_ablation;
  size_t n_layers, n_heads, n_points; /* n_heads: of the whole model */
  size_t n_texts, n_draws;
  AttnTaskKind kind;            /* of the last text, */
  bool mixes_kinds;             /* and others have another one */
  double *importance, *effects; /* [n_heads] means over the texts; owned */
  AttnScore *layers;            /* [n_layers] with all its heads removed; owned */
  GArray *curves;               /* of CliCurve; owned */
} CliPrune;

GArray *cli_prune_new_curves (void);

void cli_prune_clear (CliPrune *prune);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliPrune, cli_prune_clear)

void cli_prune_append_json (GString *text, const CliPrune *prune);
void cli_prune_append_csv (GString *text, const CliPrune *prune);
