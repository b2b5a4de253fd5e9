/* SPDX-License-Identifier: MIT */
/* Maps made for a test: any size, any labels, weights that look like attention. */
#pragma once

#include "attn-draw/layout.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  size_t n_layers, n_heads, n_queries, n_keys;
  const char *const
      *labels; /* (nullable): repeated when there are more tokens; else "t0", "t1" … */
  size_t n_labels;
  bool causal;          /* a query sees the keys up to itself */
  const float *weights; /* (nullable): [n_queries, n_keys] of every head; else made up by a seed */
  float factor;      /* 0 counts as 1; head h of layer l has weights × factor^(l × n_heads + h) */
  size_t fails_from; /* head from which compute fails; 0 for never */
} Fixture;

/* Returns: (transfer full): rows of made-up weights sum to 1 before the factor. */
AttnMaps *fixture_make_maps (const Fixture *fixture);

/* Returns: (transfer full): panels of @view; a failure ends the test program. */
AttnDrawPanels *fixture_make_panels (const Fixture *fixture, const AttnDrawView *view);

/* Returns: (transfer full): the layout of @view on such maps. */
AttnDrawLayout *fixture_make_layout (const Fixture *fixture, const AttnDrawView *view);

/* Returns: the contrast ratio of two colours, 1 … 21; source: WCAG 2.1, success criterion 1.4.3. */
double fixture_get_contrast (AttnDrawColor a, AttnDrawColor b);

/* Words in several scripts, some very long, some not visible. */
extern const char *const fixture_words[];
extern const size_t fixture_n_words;

G_END_DECLS
