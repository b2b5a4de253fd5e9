/* SPDX-License-Identifier: MIT */
/* Tokens of the run, which the lab's figures have, and the rows and columns of the picture that
 * stand for them: where words are shown, several tokens share one. */
#pragma once

#include "hs-session.h"

#include "attn/maps.h"

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* Returns: (nullable) (transfer none): the maps that are shown. */
AttnMaps *hs_lab_peek_shown (HsSession *session);

/* Returns: the token at the head of what a row of the picture stands for; G_MAXSIZE where there is
 * no such row, as for HS_NONE. */
size_t hs_lab_find_token (HsSession *session, guint row);

/* Returns: the row or column that @token is in; HS_NONE where the picture leaves it out. */
guint hs_lab_find_row (HsSession *session, AttnSide side, size_t token);

/* @token: written: the one that is followed, which the pinned row is of. Returns: whether there is
 * one. */
bool hs_lab_get_followed (HsSession *session, size_t *token);

/* Pins the row that @token is in; a token that is followed already is so no more. */
void hs_lab_follow (HsSession *session, size_t token);

G_END_DECLS
