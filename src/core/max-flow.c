/* SPDX-License-Identifier: MIT */
/* The largest flow down through layers of nodes, by Dinitz' blocking flows. */
#include "max-flow.h"

#include <glib.h>

#include <string.h>

#define LEAST 1e-13 /* of what is left of a capacity: less is rounding */

void
attn_flow_scratch_init (AttnFlowScratch *scratch, const AttnFlowGraph *graph)
{
  const size_t n = (graph->n_layers + 1) * graph->T;
  *scratch = (AttnFlowScratch){
      .flow = g_new (double, graph->n_layers * graph->T * graph->T),
      .level = g_new (size_t, n),
      .next = g_new (size_t, n),
      .queue = g_new (size_t, n),
  };
}

void
attn_flow_scratch_clear (AttnFlowScratch *scratch)
{
  g_free (scratch->flow);
  g_free (scratch->level);
  g_free (scratch->next);
  g_free (scratch->queue);
}

/* A search under way. Nodes are numbered layer · T + token. A node's neighbours: first the T below
 * it, then the T above it, to which flow can only be taken back. */
typedef struct {
  const AttnFlowGraph *graph;
  AttnFlowScratch *scratch;
  size_t source, sink;
} Search;

typedef struct {
  size_t node; /* at the other end */
  size_t edge; /* index of capacity and flow */
  bool up;
} Way;

/* Returns: false where there is no such layer. */
static bool
find_way (const AttnFlowGraph *graph, size_t node, size_t neighbour, Way *way)
{
  const size_t T = graph->T, layer = node / T, token = node % T, other = neighbour % T;
  way->up = neighbour >= T;
  if (way->up ? layer == graph->n_layers : layer == 0)
    return false;
  way->node = (way->up ? layer + 1 : layer - 1) * T + other;
  way->edge = way->up ? (layer * T + other) * T + token : ((layer - 1) * T + token) * T + other;
  return true;
}

static double
get_left (const Search *search, const Way *way)
{
  const double flow = search->scratch->flow[way->edge];
  return way->up ? flow : search->graph->capacities[way->edge] - flow;
}

/* Steps from the source by breadth; whether the sink is reached. */
static bool
find_levels (const Search *search)
{
  const size_t T = search->graph->T;
  size_t *level = search->scratch->level, *queue = search->scratch->queue;
  size_t n_queued = 1;
  memset (level, 0, (search->graph->n_layers + 1) * T * sizeof *level);
  level[search->source] = 1;
  queue[0] = search->source;
  for (size_t at = 0; at < n_queued && level[search->sink] == 0; at++)
    for (size_t neighbour = 0; neighbour < 2 * T; neighbour++) {
      Way way;
      if (!find_way (search->graph, queue[at], neighbour, &way) || level[way.node] > 0 ||
          get_left (search, &way) <= LEAST)
        continue;
      level[way.node] = level[queue[at]] + 1;
      queue[n_queued++] = way.node;
    }
  return level[search->sink] > 0;
}

/* Pushes up to @most from @node on. Returns: how much arrived. The depth of calls is that of
 * levels, at most the number of nodes. */
static double
push (const Search *search, size_t node, double most)
{
  AttnFlowScratch *scratch = search->scratch;
  double sum = 0;
  if (node == search->sink)
    return most;
  for (; scratch->next[node] < 2 * search->graph->T; scratch->next[node]++) {
    Way way;
    if (!find_way (search->graph, node, scratch->next[node], &way) ||
        scratch->level[way.node] != scratch->level[node] + 1)
      continue;
    const double left = get_left (search, &way);
    if (left <= LEAST)
      continue;
    const double pushed = push (search, way.node, MIN (most - sum, left));
    scratch->flow[way.edge] += way.up ? -pushed : pushed;
    sum += pushed;
    if (most - sum <= LEAST)
      return sum; /* the way may have more left */
  }
  return sum;
}

double
attn_max_flow (const AttnFlowGraph *graph, size_t source, size_t sink, AttnFlowScratch *scratch)
{
  const size_t T = graph->T, n = (graph->n_layers + 1) * T;
  const Search search = {graph, scratch, graph->n_layers * T + source, sink};
  double most = 0, sum = 0;
  for (size_t i = 0; i < T; i++)
    most += graph->capacities[((graph->n_layers - 1) * T + source) * T + i];
  memset (scratch->flow, 0, graph->n_layers * T * T * sizeof *scratch->flow);
  while (most - sum > LEAST && find_levels (&search)) {
    memset (scratch->next, 0, n * sizeof *scratch->next);
    const double pushed = push (&search, search.source, most - sum);
    if (pushed <= 0)
      break; /* what is left is rounding */
    sum += pushed;
  }
  return sum;
}
