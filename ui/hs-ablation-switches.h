/* SPDX-License-Identifier: MIT */
/* Switching heads off and on, many at once. */
#pragma once

#include "attn/gates.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* What several heads can be made at once. */
typedef enum {
  HS_SWITCHES_ALL_ON,
  HS_SWITCHES_INVERT,
  HS_SWITCHES_ALL_OFF,
  HS_SWITCHES_LAYER_OFF,  /* all of one layer, beside what is off */
  HS_SWITCHES_LAYER_LEFT, /* all but one layer */
  HS_SWITCHES_HEAD_LEFT,  /* all but one head */
  HS_SWITCHES_LEAST,      /* a third of all: those that matter least */
  HS_N_SWITCHES
} HsSwitches;

/* NULL-terminated, by HsSwitches: as an action's target names them. */
extern const char *const hs_switches_names[HS_N_SWITCHES + 1];

/* Returns: (transfer full): switches of so many heads, those of @list off; heads that are not there
 * are passed over. @list: (nullable) */
AttnHeadGates *hs_switches_read (const char *list, size_t n_layers, size_t n_heads);

/* Switches a head; or all heads of a layer or of a column, which all go off unless all are. */
void hs_switches_toggle (AttnHeadGates *gates, size_t layer, size_t head);
void hs_switches_toggle_layer (AttnHeadGates *gates, size_t layer);
void hs_switches_toggle_column (AttnHeadGates *gates, size_t head);

/* @sizes: (nullable): [n_layers, n_heads] how much each matters, of HS_SWITCHES_LEAST, which does
 * nothing without them. */
void hs_switches_apply (
    AttnHeadGates *gates, HsSwitches how, size_t layer, size_t head, const double *sizes);

G_END_DECLS
