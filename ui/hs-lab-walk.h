/* SPDX-License-Identifier: MIT */
/* Ways through the pipeline's steps and numbers: each moves the session's place in the lab, and
 * with it the row that is followed. */
#pragma once

#include "hs-cursor.h"
#include "hs-session.h"

#include "attn-draw/pipeline.h"

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* Returns: whether the page with the steps is open. */
bool hs_lab_walk_is_open (HsSession *session);

/* Returns: whether a number of the step was picked. */
bool hs_lab_walk_has_cell (HsSession *session);

/* The step from its beginning; no number of it is picked. */
void hs_lab_walk_set_step (HsSession *session, AttnStep step);

/* Goes @by stages on, as far as there are. Returns: whether that is another step. */
bool hs_lab_walk_move_step (HsSession *session, AttnDrawSteps *steps, int by);

/* Picks a number, and with it its row, and where its column is a token that, too. */
void hs_lab_walk_pick (HsSession *session, AttnStep step, size_t row, size_t column);

/* Picks none any more; its row stays followed. */
void hs_lab_walk_drop (HsSession *session);

/* Follows @token, or no more where it is followed already. */
void hs_lab_walk_follow (HsSession *session, size_t token);

/* What the pointer is on; @id: as the figure's items have it, 0 for nothing. */
void hs_lab_walk_hover (HsSession *session, guint id, guint row, guint column);

/* Arrows go from step to step, and once a number is picked from number to number; the page keys
 * always from step to step. Returns: whether the key means something here. */
bool hs_lab_walk_move (HsSession *session, AttnDrawSteps *steps, HsMove move);

/* Escape: first the number is dropped, then the row. Returns: whether there was any. */
bool hs_lab_walk_escape (HsSession *session);

G_END_DECLS
