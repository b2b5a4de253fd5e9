/* SPDX-License-Identifier: MIT */
/* From the session to a question, and from its answer back. */
#include "hs-lab-question.h"

#include "hs-lab-follow.h"
#include "hs-lab-walk.h"

/* Whether the place's number is picked: not where its row was let go, or another one pinned,
 * elsewhere. A session that was opened has the number first. */
static bool
is_picked (HsLabMemory *memory, HsSession *session, const HsLabQuestion *question)
{
  const AttnDrawLabPlace *place = hs_session_peek_lab_place (session);
  const bool was_followed = memory->was_followed;

  memory->was_followed = question->has_row;
  if (!hs_lab_walk_has_cell (session))
    return false;
  return question->has_row ? question->row == place->row : !was_followed;
}

HsLabQuestion
hs_lab_question_make (HsLabMemory *memory, HsSession *session, AttnTrace *trace)
{
  const AttnConfig *config = attn_model_peek_config (attn_trace_peek_model (trace));
  const AttnDrawLabPlace *place = hs_session_peek_lab_place (session);
  HsLabQuestion question = {
      .trace = trace,
      .layer = MIN (hs_session_get_layer (session), config->n_layers - 1),
      .head = MIN (hs_session_get_head (session), config->n_heads - 1),
      .is_open = !hs_session_get_head_chosen (session),
      .step = place->step,
  };

  question.has_row = hs_lab_get_followed (session, &question.row);
  question.has_cell = is_picked (memory, session, &question);
  if (question.has_cell) {
    question.row = place->row;
    question.column = place->column;
  }
  return question;
}

static void
settle_place (HsSession *session, const HsLabQuestion *answered)
{
  AttnDrawLabPlace place = *hs_session_peek_lab_place (session);

  place.step = answered->step;
  if (!answered->has_cell)
    place.row = place.column = G_MAXSIZE;
  hs_session_set_lab_place (session, &place);
  if (answered->has_cell && !answered->has_row)
    hs_lab_walk_pick (session, place.step, place.row, place.column); /* as a session has it */
}

static void
take_head (HsSession *session, const HsLabQuestion *answered)
{
  if (answered->is_open && !hs_session_get_head_chosen (session))
    hs_session_lend_head (session, (guint)answered->layer, (guint)answered->head);
}

static bool
is_elsewhere (HsLabMemory *memory, const HsLabQuestion *answered)
{
  const HsLabQuestion before = memory->shown;

  memory->shown = *answered;
  if (!memory->has_shown) {
    memory->has_shown = true;
    return answered->has_cell;
  }
  return before.step != answered->step || before.has_cell != answered->has_cell ||
         (answered->has_cell && (before.row != answered->row || before.column != answered->column));
}

bool
hs_lab_question_take_answer (HsLabMemory *memory, HsSession *session, const HsLabQuestion *answered)
{
  const bool has_moved = is_elsewhere (memory, answered);

  take_head (session, answered);
  settle_place (session, answered);
  return has_moved;
}
