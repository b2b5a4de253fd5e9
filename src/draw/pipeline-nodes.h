/* SPDX-License-Identifier: MIT */
/* The pictures of the way through a layer while they are placed: for what places them, and for what
 * joins them by arrows. */
#pragma once

#include "pipeline-private.h"

#define ATTN_DRAW_FLOW_COLUMNS 12
#define ATTN_DRAW_FLOW_NODES 20
#define ATTN_DRAW_FLOW_TRACKS 3 /* most lines side by side from one row to the next */

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

/* Px of a row once it is placed. */
typedef struct {
  double right;    /* where its last column ends */
  double bottom;   /* from where on lines run under it */
  size_t n_under;  /* lines under it that lead up into it … */
  size_t n_tracks; /* … and under those, that lead to the next row */
} AttnDrawFlowRow;

typedef struct {
  const AttnDrawPipe *pipe;
  AttnDrawNode nodes[ATTN_DRAW_FLOW_NODES];
  size_t n;
  AttnDrawFlowColumn columns[ATTN_DRAW_FLOW_COLUMNS]; /* those without a picture are 0 wide */
  size_t n_captions;                                  /* lines over a picture, 1 … 3 */
  double scale;                                       /* across */
  double low, square, pitch; /* px: heights of pictures and scores; between lanes */
  double head, title;        /* px of texts over the queries, and over keys and values */
  AttnDrawFlowRow rows[ATTN_DRAW_FLOW_COLUMNS];
  size_t n_rows;
  double left, room; /* px where rows begin, and of their width */
  double track;      /* px from one line beside or under a row to the next */
  double bottom;     /* px where the last row ends */
} AttnDrawFlow;

/* Returns: whether it is what rows are multiplied by. */
bool attn_draw_node_is_factor (const AttnDrawNode *node);

/* Returns: the picture of a step (nullable: the family has no such step), or of a factor. */
const AttnDrawNode *attn_draw_flow_find (const AttnDrawFlow *flow, AttnStep step);
const AttnDrawNode *attn_draw_flow_find_factor (const AttnDrawFlow *flow, AttnFactor factor);
