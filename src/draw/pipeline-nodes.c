/* SPDX-License-Identifier: MIT */
/* Finds the pictures of the way through a layer. */
#include "pipeline-nodes.h"

bool
attn_draw_node_is_factor (const AttnDrawNode *node)
{
  return node->step == ATTN_N_STEPS;
}

const AttnDrawNode *
attn_draw_flow_find (const AttnDrawFlow *flow, AttnStep step)
{
  for (size_t i = 0; i < flow->n; i++)
    if (flow->nodes[i].step == step)
      return &flow->nodes[i];
  return NULL;
}

const AttnDrawNode *
attn_draw_flow_find_factor (const AttnDrawFlow *flow, AttnFactor factor)
{
  for (size_t i = 0; i < flow->n; i++) {
    const AttnDrawNode *node = &flow->nodes[i];
    if (attn_draw_node_is_factor (node) && node->factor == factor)
      return node;
  }
  return NULL;
}
