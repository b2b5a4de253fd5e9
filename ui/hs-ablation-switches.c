/* SPDX-License-Identifier: MIT */
/* Switches as gates: zero stands for off, whatever the kind of ablation is. */
#include "hs-ablation-switches.h"

#include "attn/ablation.h"

#include <math.h>

const char *const hs_switches_names[HS_N_SWITCHES + 1] = {
    "all-on", "invert", "all-off", "layer-off", "layer-left", "head-left", "least", NULL,
};

AttnHeadGates *
hs_switches_read (const char *list, size_t n_layers, size_t n_heads)
{
  AttnHeadGates *gates = attn_head_gates_new (n_layers, n_heads);

  if (list != NULL && *list != '\0')
    attn_head_list_read (list, ATTN_GATE_ZERO, gates, NULL);
  return gates;
}

static void
set (AttnHeadGates *gates, size_t index, bool off)
{
  gates->gates[index] = off ? ATTN_GATE_ZERO : ATTN_GATE_KEEP;
}

static bool
is_off (const AttnHeadGates *gates, size_t index)
{
  return gates->gates[index] != ATTN_GATE_KEEP;
}

void
hs_switches_toggle (AttnHeadGates *gates, size_t layer, size_t head)
{
  const size_t index = layer * gates->n_heads + head;

  set (gates, index, !is_off (gates, index));
}

/* Heads @first, @first + @step … of [@n]. */
static void
toggle_some (AttnHeadGates *gates, size_t first, size_t step, size_t n)
{
  bool all_off = true;

  for (size_t i = 0; i < n; i++)
    all_off = all_off && is_off (gates, first + i * step);
  for (size_t i = 0; i < n; i++)
    set (gates, first + i * step, !all_off);
}

void
hs_switches_toggle_layer (AttnHeadGates *gates, size_t layer)
{
  toggle_some (gates, layer * gates->n_heads, 1, gates->n_heads);
}

void
hs_switches_toggle_column (AttnHeadGates *gates, size_t head)
{
  toggle_some (gates, head, gates->n_heads, gates->n_layers);
}

/* The third of the heads whose sizes are least; of equal ones the earlier. */
static void
switch_least (AttnHeadGates *gates, const double *sizes)
{
  const size_t n = gates->n_layers * gates->n_heads;

  for (size_t i = 0; i < n; i++) {
    size_t n_less = 0;
    for (size_t k = 0; k < n; k++)
      n_less += sizes[k] < sizes[i] || (sizes[k] == sizes[i] && k < i);
    set (gates, i, !isnan (sizes[i]) && n_less < n / 3);
  }
}

void
hs_switches_apply (
    AttnHeadGates *gates, HsSwitches how, size_t layer, size_t head, const double *sizes)
{
  const size_t n = gates->n_layers * gates->n_heads, H = gates->n_heads;

  if (how == HS_SWITCHES_LEAST) {
    if (sizes != NULL)
      switch_least (gates, sizes);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const bool in_layer = i / H == layer, was_off = is_off (gates, i);
    switch (how) {
    case HS_SWITCHES_INVERT:
      set (gates, i, !was_off);
      break;
    case HS_SWITCHES_ALL_OFF:
      set (gates, i, true);
      break;
    case HS_SWITCHES_LAYER_OFF:
      set (gates, i, was_off || in_layer);
      break;
    case HS_SWITCHES_LAYER_LEFT:
      set (gates, i, !in_layer);
      break;
    case HS_SWITCHES_HEAD_LEFT:
      set (gates, i, !in_layer || i % H != head);
      break;
    case HS_SWITCHES_ALL_ON:
    case HS_SWITCHES_LEAST:
    case HS_N_SWITCHES:
    default:
      set (gates, i, false);
    }
  }
}
