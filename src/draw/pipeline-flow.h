/* SPDX-License-Identifier: MIT */
/* The pictures of the way through a layer while they are placed, for what joins them by arrows. */
#pragma once

#include "pipeline-private.h"

#define ATTN_DRAW_FLOW_COLUMNS 12
#define ATTN_DRAW_FLOW_NODES 20

/* Heights at which pictures stand: queries, keys and values one under the other, what comes before
 * and after them between. */
typedef enum {
  ATTN_DRAW_LANE_QUERIES,
  ATTN_DRAW_LANE_KEYS,
  ATTN_DRAW_LANE_VALUES,
  ATTN_DRAW_LANE_SCORES, /* between queries and keys */
} AttnDrawLane;

/* One picture with what stands over it. */
typedef struct {
  AttnStep step;     /* ATTN_N_STEPS: it is of … */
  AttnFactor factor; /* … this */
  AttnDrawLane lane;
  size_t column;
  char *title, *shape, *size; /* owned; markup but for size */
  double text_width;          /* px of the widest of them that are shown … */
  double head;                /* … and of their height */
  AttnDrawRect rect;          /* px of the picture, once it is placed */
} AttnDrawNode;

typedef struct {
  double width; /* px of its widest picture or text */
  double x;     /* once it is placed */
  size_t row;
} AttnDrawFlowColumn;

typedef struct {
  const AttnDrawPipe *pipe;
  AttnDrawNode nodes[ATTN_DRAW_FLOW_NODES];
  size_t n;
  AttnDrawFlowColumn columns[ATTN_DRAW_FLOW_COLUMNS]; /* those without a picture are 0 wide */
  size_t n_captions;                                  /* lines over a picture, 1 … 3 */
  bool has_factors;                                   /* those of Q, K and V: W_O there always is */
  double scale;                                       /* across */
  double low, square, pitch; /* px: heights of pictures and scores; between lanes */
  double head, title;        /* px of texts over the queries, and over keys and values */
  double bottom;             /* px where the last row ends */
} AttnDrawFlow;

/* Returns: (nullable): the picture of a step, or of a factor. */
const AttnDrawNode *attn_draw_flow_find (const AttnDrawFlow *flow, AttnStep step);
const AttnDrawNode *attn_draw_flow_find_factor (const AttnDrawFlow *flow, AttnFactor factor);

/* Joins what stands in the same row. */
void attn_draw_flow_add_arrows (const AttnDrawFlow *flow);
