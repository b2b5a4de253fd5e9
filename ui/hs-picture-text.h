/* SPDX-License-Identifier: MIT */
/* What pointer and keys do on the picture of the text: each piece of it is a key of the pinned
 * query, or where none is pinned a query that looks itself. */
#pragma once

#include "hs-cursor.h"
#include "hs-session.h"

#include "attn-draw/layout.h"

#include <stdbool.h>

G_BEGIN_DECLS

/* Returns: what is hovered when the pointer is on the piece of @query and @key. */
HsCell hs_picture_text_get_cell (HsSession *session, const AttnDrawHit *hit);

/* Moves the hovered piece: left and right in reading order, up and down from line to line.
 *
 * Returns: whether a piece is hovered; @rect is where it stands in @layout. */
bool hs_picture_text_move (HsSession *session,
                           const AttnDrawLayout *layout,
                           HsMove move,
                           AttnDrawRect *rect);

/* Pins the hovered piece as the query that looks, or releases it. */
void hs_picture_text_pin (HsSession *session, const AttnDrawLayout *layout);

G_END_DECLS
