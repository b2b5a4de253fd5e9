/* SPDX-License-Identifier: MIT */
/* Arrows of the way through a layer: straight, or with right angles in the room between columns and
 * around rows. */
#include "pipeline-arrows.h"

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

static size_t
get_row (const AttnDrawFlow *flow, const AttnDrawNode *node)
{
  return flow->columns[node->column].row;
}

static void
add (const AttnDrawFlow *flow, const AttnDrawPoint *points, size_t n)
{
  attn_draw_figure_add_elbow (flow->pipe->builder, points, n,
                              attn_draw_tone_get (&flow->pipe->asked->style, ATTN_DRAW_TONE_DIM));
}

/* ---- from one row to another ---- */

/* Which of the lines between rows a picture's is, from 1: so that none crosses another, values
 * leave innermost at the right, turn first under the row, and go down outermost at the left. */
static size_t
find_track (const AttnDrawNode *from)
{
  switch (from->lane) {
  case ATTN_DRAW_LANE_VALUES:
    return 1;
  case ATTN_DRAW_LANE_KEYS:
    return 2;
  case ATTN_DRAW_LANE_QUERIES:
  case ATTN_DRAW_LANE_SCORES:
  default:
    return ATTN_DRAW_FLOW_TRACKS;
  }
}

/* What adds to the row's sum goes down at the margin, other lines between it and the row. */
static double
get_left (const AttnDrawFlow *flow, size_t track)
{
  return flow->pipe->margin + (double)track * flow->track;
}

/* Writes four points: out of the right side of a picture, around its row, to the left of all rows.
 */
static void
leave_row (const AttnDrawFlow *flow, const AttnDrawNode *from, AttnDrawPoint *points)
{
  const AttnDrawFlowRow *row = &flow->rows[get_row (flow, from)];
  const size_t track = find_track (from), place = MIN (track, row->n_tracks);
  const double right = row->right + get_air (flow) + (double)place * flow->track,
               y = get_middle_y (from);
  const double under = row->bottom + (double)(row->n_under + place) * flow->track;
  points[0] = at (from->rect.x + from->rect.width + 1 + get_air (flow), y);
  points[1] = at (right, y);
  points[2] = at (right, under);
  points[3] = at (get_left (flow, track), under);
}

/* Into the left side of the first picture of a later row. */
static void
wrap (const AttnDrawFlow *flow, const AttnDrawNode *from, const AttnDrawNode *to, double by)
{
  AttnDrawPoint line[6];
  const double y = get_middle_y (to) + by;
  leave_row (flow, from, line);
  line[4] = at (get_left (flow, find_track (from)), y);
  line[5] = at (to->rect.x - 1 - get_air (flow), y);
  add (flow, line, G_N_ELEMENTS (line));
}

/* Writes three points: under a picture's row, and up into it. @place: from 1. */
static void
enter_from_below (const AttnDrawFlow *flow,
                  const AttnDrawNode *to,
                  double left,
                  size_t place,
                  AttnDrawPoint *points)
{
  const double under = flow->rows[get_row (flow, to)].bottom + (double)place * flow->track;
  points[0] = at (left, under);
  points[1] = at (get_middle_x (to), under);
  points[2] = at (get_middle_x (to), to->rect.y + to->rect.height + 1 + get_air (flow));
}

static void
wrap_from_below (const AttnDrawFlow *flow, const AttnDrawNode *from, const AttnDrawNode *to)
{
  AttnDrawPoint line[7];
  leave_row (flow, from, line);
  enter_from_below (flow, to, get_left (flow, find_track (from)), 1, line + 4);
  add (flow, line, G_N_ELEMENTS (line));
}

/* Down the left margin, past all rows between. */
static void
wrap_around (const AttnDrawFlow *flow, const AttnDrawNode *from, const AttnDrawNode *to)
{
  const double y = get_middle_y (from), left = get_left (flow, 0);
  AttnDrawPoint line[5] = {at (from->rect.x - 1 - get_air (flow), y), at (left, y)};
  enter_from_below (flow, to, left, flow->rows[get_row (flow, to)].n_under, line + 2);
  add (flow, line, G_N_ELEMENTS (line));
}

/* ---- within a row, where it is one ---- */

/* From the right side of one picture to the left side of one in a column further on, @by px from
 * its middle; the turn is in the room before that column. */
static void
join_shifted (const AttnDrawFlow *flow, const AttnDrawNode *from, const AttnDrawNode *to, double by)
{
  if (from == NULL || to == NULL)
    return;
  if (get_row (flow, from) != get_row (flow, to)) {
    wrap (flow, from, to, by);
    return;
  }
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
  if (from == NULL || to == NULL)
    return;
  if (get_row (flow, from) != get_row (flow, to)) {
    wrap_from_below (flow, from, to);
    return;
  }
  const double air = get_air (flow), x = get_middle_x (to);
  const double bottom = to->rect.y + to->rect.height + 1 + air;
  if (from->column == to->column) {
    const AttnDrawPoint up[] = {at (x, from->rect.y - from->head - 2), at (x, bottom)};
    add (flow, up, G_N_ELEMENTS (up));
    return;
  }
  const double left = from->rect.x + from->rect.width + 1 + air, y = get_middle_y (from);
  const AttnDrawPoint line[] = {at (left, y), at (x, y), at (x, bottom)};
  add (flow, line, G_N_ELEMENTS (line));
}

/* Backwards: the head's rows of W_O, where they stand in one row. */
static void
join_left (const AttnDrawFlow *flow, const AttnDrawNode *from, const AttnDrawNode *to)
{
  if (from == NULL || to == NULL || get_row (flow, from) != get_row (flow, to))
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
  if (from == NULL || to == NULL)
    return;
  if (get_row (flow, from) != get_row (flow, to)) {
    wrap_around (flow, from, to);
    return;
  }
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
    join (flow, from, factor);
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
