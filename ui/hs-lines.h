/* SPDX-License-Identifier: MIT */
/* Whose lines are seen. A session without chosen heads shows those of all, which is much at first:
 * so a person who opens the view sees the chosen head's alone, and takes in others by a click.
 *
 * That one head is an arrangement like any other: it is saved, exported and named in commands. */
#pragma once

#include "hs-session.h"

#include <stdbool.h>

G_BEGIN_DECLS

/* What a person does who asks for a view. Lines begin with the chosen head alone, unless all were
 * there when they were left; whoever leaves those of one head finds every head chosen elsewhere. */
void hs_lines_open_view (HsSession *session, AttnDrawKind kind);

/* What a person does who asks for a head: where its lines are seen alone, they are the new one's.
 */
void hs_lines_choose_head (HsSession *session, guint head);

/* Whether lines are shown, but not every head's. */
bool hs_lines_are_of_some (HsSession *session);

G_END_DECLS
