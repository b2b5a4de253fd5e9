/* SPDX-License-Identifier: MIT */
/* Steps and numbers of the pipeline by keys and clicks. */
#include "hs-lab-walk.h"

#include "hs-lab-follow.h"

bool
hs_lab_walk_is_open (HsSession *session)
{
  return hs_session_get_in_lab (session) &&
         hs_session_get_lab_page (session) == ATTN_DRAW_LAB_PIPELINE;
}

bool
hs_lab_walk_has_cell (HsSession *session)
{
  const AttnDrawLabPlace *place = hs_session_peek_lab_place (session);

  return place->row != G_MAXSIZE && place->column != G_MAXSIZE;
}

static void
go (HsSession *session, AttnStep step, size_t row, size_t column)
{
  AttnDrawLabPlace place = *hs_session_peek_lab_place (session);

  place.step = step;
  place.row = row;
  place.column = column;
  hs_session_set_lab_place (session, &place);
}

void
hs_lab_walk_set_step (HsSession *session, AttnStep step)
{
  go (session, step, G_MAXSIZE, G_MAXSIZE);
}

bool
hs_lab_walk_move_step (HsSession *session, AttnDrawSteps *steps, int by)
{
  const AttnStep at = hs_session_peek_lab_place (session)->step;
  const AttnStep step = attn_draw_steps_move (steps, at, by);

  if (step == at)
    return false;
  hs_lab_walk_set_step (session, step);
  return true;
}

static bool
is_square (AttnStep step)
{
  return step == ATTN_STEP_SCORES || step == ATTN_STEP_WEIGHTS;
}

/* One change: who watches is told once all of it is there. */
void
hs_lab_walk_pick (HsSession *session, AttnStep step, size_t row, size_t column)
{
  g_object_freeze_notify (G_OBJECT (session));
  go (session, step, row, column);
  hs_session_set_pinned (session, hs_lab_find_row (session, ATTN_SIDE_QUERY, row),
                         is_square (step) ? hs_lab_find_row (session, ATTN_SIDE_KEY, column)
                                          : HS_NONE);
  g_object_thaw_notify (G_OBJECT (session));
}

void
hs_lab_walk_drop (HsSession *session)
{
  g_object_freeze_notify (G_OBJECT (session));
  hs_lab_walk_set_step (session, hs_session_peek_lab_place (session)->step);
  hs_session_set_pinned (session, hs_session_get_pinned_query (session), HS_NONE);
  g_object_thaw_notify (G_OBJECT (session));
}

void
hs_lab_walk_follow (HsSession *session, size_t token)
{
  g_object_freeze_notify (G_OBJECT (session));
  hs_lab_walk_set_step (session, hs_session_peek_lab_place (session)->step);
  hs_lab_follow (session, token);
  g_object_thaw_notify (G_OBJECT (session));
}

void
hs_lab_walk_hover (HsSession *session, guint id, guint row, guint column)
{
  HsCell cell = HS_CELL_NONE;

  if (id != 0) {
    cell.query = hs_lab_find_row (session, ATTN_SIDE_QUERY, row);
    if (id >= ATTN_DRAW_PIPELINE_STEP && is_square (id - ATTN_DRAW_PIPELINE_STEP))
      cell.key = hs_lab_find_row (session, ATTN_SIDE_KEY, column);
  }
  hs_session_set_hovered (session, &cell);
}

static bool
move_cell (HsSession *session, AttnDrawSteps *steps, HsMove move)
{
  const AttnDrawLabPlace place = *hs_session_peek_lab_place (session);
  const AttnMatrix *matrix = attn_draw_steps_peek (steps, place.step);
  size_t row = place.row, column = place.column;

  if (matrix == NULL || row >= matrix->n_rows || column >= matrix->n_columns)
    return false;
  hs_cursor_move_cell (&row, &column, matrix->n_rows, matrix->n_columns, move);
  hs_lab_walk_pick (session, place.step, row, column);
  return true;
}

bool
hs_lab_walk_move (HsSession *session, AttnDrawSteps *steps, HsMove move)
{
  if (move == HS_MOVE_PAGE_UP || move == HS_MOVE_PAGE_DOWN) {
    hs_lab_walk_move_step (session, steps, move == HS_MOVE_PAGE_UP ? -1 : 1);
    return true;
  }
  if (hs_lab_walk_has_cell (session))
    return move_cell (session, steps, move);
  switch (move) {
  case HS_MOVE_LEFT:
  case HS_MOVE_RIGHT:
    hs_lab_walk_move_step (session, steps, move == HS_MOVE_LEFT ? -1 : 1);
    return true;
  case HS_MOVE_HOME:
  case HS_MOVE_END:
    hs_lab_walk_move_step (session, steps, move == HS_MOVE_HOME ? -ATTN_N_STEPS : ATTN_N_STEPS);
    return true;
  default:
    return false; /* the page scrolls */
  }
}

bool
hs_lab_walk_escape (HsSession *session)
{
  if (hs_lab_walk_has_cell (session)) {
    hs_lab_walk_drop (session);
    return true;
  }
  if (hs_session_get_pinned_query (session) == HS_NONE)
    return false;
  hs_session_set_pinned (session, HS_NONE, HS_NONE);
  return true;
}
