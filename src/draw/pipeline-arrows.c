/* SPDX-License-Identifier: MIT */
/* Arrows of the way through a layer: straight, or with right angles in the room between columns. */
#include "pipeline-flow.h"

#include <math.h>

#define AIR 0.35      /* em between an arrow and what it is between */
#define ENTRY 0.22    /* of the scores' height, from their middle: where queries and keys come in */
#define SIDE_STEP 0.5 /* em under the lowest picture, where the way around the layer runs */

/* On whole pixels' middles: thin lines are sharp there. */
static AttnDrawPoint
at (double x, double y)
{
  return (AttnDrawPoint){floor (x) + 0.5, floor (y) + 0.5};
}

static double
get_air (const AttnDrawFlow *flow)
{
  return round (AIR * flow->pipe->em);
}

static double
get_middle_x (const AttnDrawNode *node)
{
  return node->rect.x + node->rect.width / 2;
}

static double
get_middle_y (const AttnDrawNode *node)
{
  return node->rect.y + node->rect.height / 2;
}

static bool
are_joined (const AttnDrawFlow *flow, const AttnDrawNode *from, const AttnDrawNode *to)
{
  return from != NULL && to != NULL &&
         flow->columns[from->column].row == flow->columns[to->column].row;
}

static void
add (const AttnDrawFlow *flow, const AttnDrawPoint *points, size_t n)
{
  attn_draw_figure_add_elbow (flow->pipe->builder, points, n,
                              attn_draw_tone_get (&flow->pipe->asked->style, ATTN_DRAW_TONE_DIM));
}

/* From the right side of one picture to the left side of one in a column further on, @by px from
 * its middle; the turn is in the room before that column. */
static void
join_shifted (const AttnDrawFlow *flow, const AttnDrawNode *from, const AttnDrawNode *to, double by)
{
  if (!are_joined (flow, from, to))
    return;
  const double air = get_air (flow);
  const AttnDrawFlowColumn *column = &flow->columns[from->column];
  const double left = from->rect.x + from->rect.width + 1 + air;
  const double right = to->rect.x - 1 - air;
  const double turn = (column->x + column->width + flow->columns[to->column].x) / 2;
  const double y = get_middle_y (from), end = get_middle_y (to) + by;
  if (fabs (y - end) < 1) {
    const AttnDrawPoint line[] = {at (left, y), at (right, y)};
    add (flow, line, G_N_ELEMENTS (line));
    return;
  }
  const AttnDrawPoint line[] = {at (left, y), at (turn, y), at (turn, end), at (right, end)};
  add (flow, line, G_N_ELEMENTS (line));
}

static void
join (const AttnDrawFlow *flow, const AttnDrawNode *from, const AttnDrawNode *to)
{
  join_shifted (flow, from, to, 0);
}

/* Along its own height, then up into a picture from below: what that is multiplied by. */
static void
join_from_below (const AttnDrawFlow *flow, const AttnDrawNode *from, const AttnDrawNode *to)
{
  if (!are_joined (flow, from, to))
    return;
  const double air = get_air (flow), x = get_middle_x (to);
  const double bottom = to->rect.y + to->rect.height + 1 + air;
  if (from->column == to->column) {
    const AttnDrawPoint up[] = {at (x, from->rect.y - from->head), at (x, bottom)};
    add (flow, up, G_N_ELEMENTS (up));
    return;
  }
  const double left = from->rect.x + from->rect.width + 1 + air, y = get_middle_y (from);
  const AttnDrawPoint line[] = {at (left, y), at (x, y), at (x, bottom)};
  add (flow, line, G_N_ELEMENTS (line));
}

/* Backwards: the head's rows of W_O. */
static void
join_left (const AttnDrawFlow *flow, const AttnDrawNode *from, const AttnDrawNode *to)
{
  if (!are_joined (flow, from, to))
    return;
  const double air = get_air (flow), y = get_middle_y (from);
  const AttnDrawPoint line[] = {at (from->rect.x - 1 - air, y),
                                at (to->rect.x + to->rect.width + 1 + air, y)};
  add (flow, line, G_N_ELEMENTS (line));
}

/* Around the whole layer, under everything. */
static void
join_around (const AttnDrawFlow *flow, const AttnDrawNode *from, const AttnDrawNode *to)
{
  if (!are_joined (flow, from, to))
    return;
  const double air = get_air (flow), y = flow->bottom - round (SIDE_STEP * flow->pipe->em);
  const AttnDrawPoint line[] = {
      at (get_middle_x (from), from->rect.y + from->rect.height + 1 + air),
      at (get_middle_x (from), y),
      at (get_middle_x (to), y),
      at (get_middle_x (to), to->rect.y + to->rect.height + 1 + air),
  };
  add (flow, line, G_N_ELEMENTS (line));
}

/* The rows that come in, to queries, keys and values and so to scores and the head's output. */
static void
add_projections (const AttnDrawFlow *flow)
{
  const AttnDrawNode *normed = attn_draw_flow_find (flow, ATTN_STEP_NORMED);
  const AttnDrawNode *input = attn_draw_flow_find (flow, ATTN_STEP_INPUT);
  join (flow, input, normed);
  for (int i = 0; i < 3; i++) {
    const AttnDrawNode *factor = attn_draw_flow_find_factor (flow, (AttnFactor)i);
    const AttnDrawNode *all = attn_draw_flow_find (flow, (AttnStep)(ATTN_STEP_QUERIES + i));
    const AttnDrawNode *own = attn_draw_flow_find (flow, (AttnStep)(ATTN_STEP_HEAD_QUERIES + i));
    const AttnDrawNode *from = normed != NULL ? normed : input;
    join (flow, from, factor != NULL ? factor : all);
    join (flow, factor, all);
    join (flow, all, own);
  }
}

void
attn_draw_flow_add_arrows (const AttnDrawFlow *flow)
{
  const AttnDrawNode *scores = attn_draw_flow_find (flow, ATTN_STEP_SCORES);
  const AttnDrawNode *weights = attn_draw_flow_find (flow, ATTN_STEP_WEIGHTS);
  const AttnDrawNode *own = attn_draw_flow_find (flow, ATTN_STEP_HEAD_OUTPUT);
  const AttnDrawNode *concat = attn_draw_flow_find (flow, ATTN_STEP_CONCAT);
  const AttnDrawNode *contribution = attn_draw_flow_find (flow, ATTN_STEP_CONTRIBUTION);
  const AttnDrawNode *output = attn_draw_flow_find (flow, ATTN_STEP_OUTPUT);
  const AttnDrawNode *factor = attn_draw_flow_find_factor (flow, ATTN_FACTOR_OUTPUT);
  const AttnDrawNode *sum = attn_draw_flow_find (flow, ATTN_STEP_SUM);
  const double entry = round (ENTRY * flow->square);

  add_projections (flow);
  join_shifted (flow, attn_draw_flow_find (flow, ATTN_STEP_HEAD_QUERIES), scores, -entry);
  join_shifted (flow, attn_draw_flow_find (flow, ATTN_STEP_HEAD_KEYS), scores, entry);
  join (flow, scores, weights);
  join (flow, weights, own);
  join_from_below (flow, attn_draw_flow_find (flow, ATTN_STEP_HEAD_VALUES), own);
  join (flow, own, concat);
  join (flow, own, contribution);
  join_left (flow, factor, contribution);
  join (flow, concat, output);
  join_from_below (flow, factor, output);
  join (flow, output, sum);
  join_around (flow, attn_draw_flow_find (flow, ATTN_STEP_INPUT), sum);
  join (flow, sum, attn_draw_flow_find (flow, ATTN_STEP_RESULT));
}
