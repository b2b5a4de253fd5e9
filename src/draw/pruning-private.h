/* SPDX-License-Identifier: MIT */
/* What the parts of the figure on how many heads can go share. */
#pragma once

#include "attn-draw/pruning.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

#define N_(english) (english)

/* The curves of one order, which are one line: those of several seeds are beside each other. */
typedef struct {
  AttnPruneOrder order;
  size_t first, n; /* of the pruning's curves */
} AttnDrawPruningLine;

/* Returns: how many of @lines were written. */
size_t attn_draw_pruning_find_lines (const AttnPruning *pruning,
                                     AttnDrawPruningLine lines[ATTN_N_PRUNE_ORDERS]);

/* Returns: the sentence in the figure's language. */
const char *attn_draw_pruning_say (const AttnDrawPruning *asked, const char *english);

/* Returns: (transfer full): the sentence with its arguments. */
char *attn_draw_pruning_fill (const AttnDrawPruning *asked,
                              const char *english,
                              const char *const *arguments,
                              size_t n);

/* Returns: what the order is called. */
const char *attn_draw_pruning_peek_order (const AttnDrawPruning *asked, AttnPruneOrder order);

/* Returns: what losses are called, as they change. */
const char *attn_draw_pruning_peek_measure (const AttnDrawPruning *asked);

/* Returns: (transfer full): what the loss is the loss of, where it falls, and what frames mark: a
 * line each. */
char *attn_draw_pruning_dup_subtitle (const AttnDrawPruning *asked);
