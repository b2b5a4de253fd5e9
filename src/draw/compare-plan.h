/* SPDX-License-Identifier: MIT */
/* A comparison while it is laid out: its maps with their labels, and where they stand. */
#pragma once

#include "layout-private.h"

#include <stdbool.h>
#include <stddef.h>

/* em of the view's font */
#define ATTN_DRAW_COMPARED_LABEL_GAP 0.45
#define ATTN_DRAW_COMPARED_BAR_GAP 0.8

/* One map with its labels. */
typedef struct {
  AttnDrawLabels *queries, *keys;
  AttnDrawSpan rows, columns; /* that are drawn; none where the part has no token of it */
  size_t n_queries, n_keys;   /* how many these are */
  AttnDrawLabelPlan query_plan, key_plan;
  AttnDrawCells cells;
  double title_width; /* px */
  double bar_width;   /* px with numbers and gap; 0 for none */
  double x, y;        /* px of the cells from the maps' corner */
} AttnDrawComparedMap;

typedef struct {
  AttnDrawComparedMap maps[ATTN_DRAW_MAX_COMPARED];
  size_t n;
  size_t n_most_queries, n_most_keys;
  size_t largest;      /* panel: the first that is drawn */
  double title_height; /* px over each map */
  /* what is planned */
  size_t n_columns, n_rows;
  bool has_labels, has_bars;
  double key_gap, key_height;          /* px over each map */
  double left[ATTN_DRAW_MAX_COMPARED]; /* px of the query labels of each column */
  AttnDrawParts parts;                 /* its heading is there before */
} AttnDrawCompared;

bool attn_draw_compared_is_drawn (const AttnDrawComparedMap *map);

/* Returns: the column of maps in which @panel stands. */
size_t attn_draw_compared_get_column (const AttnDrawCompared *compare, size_t panel);

/* Settles the sizes of all maps, and which stand side by side: as large as fits the build's width
 * and height, or else as is useful. */
void attn_draw_compared_plan (AttnDrawBuild *build, AttnDrawCompared *compare);
