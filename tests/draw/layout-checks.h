/* SPDX-License-Identifier: MIT */
/* What has to hold for every layout, and layouts of many kinds to try it on. A check that fails
 * ends the test program. */
#pragma once

#include "draw-fixture.h"

#include <stdbool.h>

G_BEGIN_DECLS

typedef struct {
  AttnDrawKind kind;
  size_t n_queries, n_keys;
  double width, font_size_pt;
  const char *font;
  bool pins, causal;
  double max_height;
  size_t n_layers, n_heads; /* 0 for one head of a heat map, twelve of a grid, six such layers */
} LayoutCase;

/* Returns: (transfer full): a view, panels or layout of the case. */
AttnDrawView *layout_case_make_view (const LayoutCase *c);
AttnDrawPanels *layout_case_make_panels (const LayoutCase *c, const AttnDrawView *view);
AttnDrawLayout *layout_case_make (const LayoutCase *c);

/* Texts, panels and the bar keep clear of each other. */
void layout_assert_clear (const AttnDrawLayout *layout);

/* Nothing leaves the picture; for pictures that are not tiny. */
void layout_assert_inside (const AttnDrawLayout *layout);

/* The note is there exactly when a label is missing. */
void layout_assert_thinning_told (const AttnDrawLayout *layout);

/* Numbers are finite, sizes are not negative, and what should be whole px is. */
void layout_assert_sane (const AttnDrawLayout *layout);

/* Returns: whether a note holds @part. */
bool layout_has_note (const AttnDrawLayout *layout, const char *part);

/* Returns: how many maps stand beside each other. */
size_t layout_count_columns (const AttnDrawLayout *layout);

/* Returns: (transfer none): the first label of @token, or NULL. */
const AttnDrawItem *
layout_find_label (const AttnDrawLayout *layout, AttnDrawRole role, size_t token);

/* Returns: (transfer full): words that say which item of which layout it is. */
char *layout_describe (const AttnDrawLayout *layout, const AttnDrawItem *item);

G_END_DECLS
