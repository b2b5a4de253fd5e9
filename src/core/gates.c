/* SPDX-License-Identifier: MIT */
/* Gates of heads: a kind and a factor for each. */
#include "attn/gates.h"

#include "attn/names.h"

static const char *const names[ATTN_N_GATES] = {
    [ATTN_GATE_KEEP] = "keep", [ATTN_GATE_ZERO] = "zero",   [ATTN_GATE_UNIFORM] = "uniform",
    [ATTN_GATE_MEAN] = "mean", [ATTN_GATE_PATCH] = "patch",
};

const char *
attn_gate_peek_name (AttnGate gate)
{
  g_return_val_if_fail (gate < ATTN_N_GATES, NULL);
  return names[gate];
}

AttnGate
attn_gate_find (const char *name)
{
  return (AttnGate)attn_name_find (name, names, ATTN_N_GATES);
}

AttnHeadGates *
attn_head_gates_new (size_t n_layers, size_t n_heads)
{
  AttnHeadGates *gates = g_new (AttnHeadGates, 1);
  const size_t n = n_layers * n_heads;
  *gates = (AttnHeadGates){n_layers, n_heads, g_new0 (AttnGate, n), g_new (float, n)};
  for (size_t i = 0; i < n; i++)
    gates->factors[i] = 1;
  return gates;
}

AttnHeadGates *
attn_head_gates_copy (const AttnHeadGates *gates)
{
  AttnHeadGates *copy = g_new (AttnHeadGates, 1);
  const size_t n = gates->n_layers * gates->n_heads;
  *copy = (AttnHeadGates){gates->n_layers, gates->n_heads,
                          g_memdup2 (gates->gates, n * sizeof *gates->gates),
                          g_memdup2 (gates->factors, n * sizeof *gates->factors)};
  return copy;
}

void
attn_head_gates_free (AttnHeadGates *gates)
{
  if (gates == NULL)
    return;
  g_free (gates->gates);
  g_free (gates->factors);
  g_free (gates);
}

void
attn_head_gates_set (AttnHeadGates *gates, size_t layer, size_t head, AttnGate gate)
{
  g_return_if_fail (layer < gates->n_layers && head < gates->n_heads && gate < ATTN_N_GATES);
  gates->gates[layer * gates->n_heads + head] = gate;
}

AttnGate
attn_head_gates_get (const AttnHeadGates *gates, size_t layer, size_t head)
{
  g_return_val_if_fail (layer < gates->n_layers && head < gates->n_heads, ATTN_GATE_KEEP);
  return gates->gates[layer * gates->n_heads + head];
}

size_t
attn_head_gates_count (const AttnHeadGates *gates)
{
  size_t count = 0;
  for (size_t i = 0; i < gates->n_layers * gates->n_heads; i++)
    count += gates->gates[i] != ATTN_GATE_KEEP || gates->factors[i] != 1;
  return count;
}
