/* SPDX-License-Identifier: MIT */
/* The largest flow down through layers of nodes, by Dinitz' blocking flows. */
#include "max-flow.h"

#include <glib.h>

#include <string.h>

#define LEAST 1e-13  /* of what is left of a capacity: less is rounding */
#define ENOUGH 1e-10 /* of what is left below the bound: nobody looks for less */

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

/* What can still go from a node of layer @layer to tokens of the layer below: [T] capacities and
 * flows from the edge @first on. */
static inline size_t
get_first_down (const Search *search, size_t layer, size_t token)
{
  return ((layer - 1) * search->graph->T + token) * search->graph->T;
}

/* The edge that comes down to a node of layer @layer from token @from above it. */
static inline size_t
get_edge_up (const Search *search, size_t layer, size_t token, size_t from)
{
  return (layer * search->graph->T + from) * search->graph->T + token;
}

static void
reach (const Search *search, size_t node, size_t level, size_t *n_queued)
{
  if (search->scratch->level[node] > 0)
    return;
  search->scratch->level[node] = level;
  search->scratch->queue[(*n_queued)++] = node;
}

static void
reach_neighbours (const Search *search, size_t node, size_t *n_queued)
{
  const AttnFlowGraph *graph = search->graph;
  const size_t T = graph->T, layer = node / T, token = node % T;
  const size_t level = search->scratch->level[node] + 1;
  const double *flow = search->scratch->flow;
  if (layer > 0) {
    const size_t first = get_first_down (search, layer, token);
    for (size_t to = 0; to < T; to++)
      if (graph->capacities[first + to] - flow[first + to] > LEAST)
        reach (search, (layer - 1) * T + to, level, n_queued);
  }
  if (layer < graph->n_layers)
    for (size_t from = 0; from < T; from++)
      if (flow[get_edge_up (search, layer, token, from)] > LEAST)
        reach (search, (layer + 1) * T + from, level, n_queued);
}

/* Steps from the source by breadth; whether the sink is reached. */
static bool
find_levels (const Search *search)
{
  size_t *level = search->scratch->level, n_queued = 0;
  memset (level, 0, (search->graph->n_layers + 1) * search->graph->T * sizeof *level);
  reach (search, search->source, 1, &n_queued);
  for (size_t at = 0; at < n_queued && level[search->sink] == 0; at++)
    reach_neighbours (search, search->scratch->queue[at], &n_queued);
  return level[search->sink] > 0;
}

static double push (const Search *search, size_t node, double most);

/* Pushes along one edge, down or back up. Returns: how much arrived. */
static double
push_along (const Search *search, size_t node, size_t to, size_t edge, bool up, double most)
{
  AttnFlowScratch *scratch = search->scratch;
  if (scratch->level[to] != scratch->level[node] + 1)
    return 0;
  const double flow = scratch->flow[edge];
  const double left = up ? flow : search->graph->capacities[edge] - flow;
  if (left <= LEAST)
    return 0;
  const double pushed = push (search, to, MIN (most, left));
  scratch->flow[edge] += up ? -pushed : pushed;
  return pushed;
}

/* Pushes up to @most from @node on. Returns: how much arrived. The depth of calls is that of
 * levels, at most the number of nodes. */
static double
push (const Search *search, size_t node, double most)
{
  const size_t T = search->graph->T, layer = node / T, token = node % T;
  const size_t end = layer < search->graph->n_layers ? 2 * T : T;
  size_t *next = &search->scratch->next[node];
  double sum = 0;
  if (node == search->sink)
    return most;
  for (*next = layer > 0 ? *next : MAX (*next, T); *next < end; (*next)++) {
    const bool up = *next >= T;
    const size_t other = up ? *next - T : *next;
    sum += push_along (search, node, (up ? layer + 1 : layer - 1) * T + other,
                       up ? get_edge_up (search, layer, token, other)
                          : get_first_down (search, layer, token) + other,
                       up, most - sum);
    if (most - sum <= LEAST)
      return sum; /* this edge may have more left */
  }
  return sum;
}

/* No more can flow than leaves the source or enters the sink. */
static double
find_bound (const AttnFlowGraph *graph, size_t source, size_t sink)
{
  const size_t T = graph->T;
  double out = 0, in = 0;
  for (size_t i = 0; i < T; i++) {
    out += graph->capacities[((graph->n_layers - 1) * T + source) * T + i];
    in += graph->capacities[i * T + sink];
  }
  return MIN (out, in);
}

double
attn_max_flow (const AttnFlowGraph *graph, size_t source, size_t sink, AttnFlowScratch *scratch)
{
  const size_t T = graph->T, n = (graph->n_layers + 1) * T;
  const Search search = {graph, scratch, graph->n_layers * T + source, sink};
  const double most = find_bound (graph, source, sink);
  double sum = 0;
  memset (scratch->flow, 0, graph->n_layers * T * T * sizeof *scratch->flow);
  while (most - sum > ENOUGH && find_levels (&search)) {
    memset (scratch->next, 0, n * sizeof *scratch->next);
    const double pushed = push (&search, search.source, most - sum);
    if (pushed <= 0)
      break; /* what is left is rounding */
    sum += pushed;
  }
  return sum;
}
