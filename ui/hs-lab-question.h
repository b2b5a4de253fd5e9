/* SPDX-License-Identifier: MIT */
/* The pipeline's question, of what is chosen in the session, and what its answer means for that. */
#pragma once

#include "hs-lab-steps.h"
#include "hs-session.h"

#include <stdbool.h>

G_BEGIN_DECLS

/* What was asked and answered before, as far as the next question depends on it. Zero at first. */
typedef struct {
  bool was_followed;   /* a row, when it was last asked */
  bool has_shown;      /* anything yet, and … */
  HsLabQuestion shown; /* … of what; its trace is not to be read */
} HsLabMemory;

/* Returns: the question of the session's place, layer and head; @trace: borrowed. */
HsLabQuestion hs_lab_question_make (HsLabMemory *memory, HsSession *session, AttnTrace *trace);

/* What this text and family have not is not where the session is; the head that was found to begin
 * with is lent until the lab is left. Returns: whether the answer is of another step than before,
 * or of another number that was picked. */
bool hs_lab_question_take_answer (HsLabMemory *memory,
                                  HsSession *session,
                                  const HsLabQuestion *answered);

G_END_DECLS
