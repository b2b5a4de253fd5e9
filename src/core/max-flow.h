/* SPDX-License-Identifier: MIT */
/* The largest flow down through layers of nodes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Nodes [n_layers + 1, T]: layer 0 is the input. From node i of layer k + 1 to node j of layer k
 * goes at most capacities[k, i, j]. */
typedef struct {
  size_t n_layers, T;
  const double *capacities; /* [n_layers, T, T], ≥ 0 */
} AttnFlowGraph;

/* Memory of a search; one for each thread. */
typedef struct {
  double *flow;  /* [n_layers, T, T] */
  size_t *level; /* [nodes] steps from the source, from 1; 0: not reached */
  size_t *next;  /* [nodes] the neighbour to go on with */
  size_t *queue; /* [nodes] */
} AttnFlowScratch;

/* For attn_flow_scratch_clear(). */
void attn_flow_scratch_init (AttnFlowScratch *scratch, const AttnFlowGraph *graph);
void attn_flow_scratch_clear (AttnFlowScratch *scratch);

/**
 * attn_max_flow:
 * @source: a node of the top layer
 * @sink:   a node of the input
 *
 * Returns: the largest flow, to 1e-9 for capacities of about 1.
 * Source: Dinitz 1970 (level graphs, blocking flows).
 * Test: tests/core/test-lens-flow.c, a plain search for augmenting paths.
 */
double
attn_max_flow (const AttnFlowGraph *graph, size_t source, size_t sink, AttnFlowScratch *scratch);
