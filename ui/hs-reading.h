/* SPDX-License-Identifier: MIT */
/* What is pointed at or pinned, in words: for the status line, and for people who do not see the
 * picture. */
#pragma once

#include "hs-session.h"

G_BEGIN_DECLS

/* Returns: (nullable) (transfer full): what the pointer is on; the title's layer and head are not
 * said again. */
char *hs_reading_dup_hovered (HsSession *session);

/* Returns: (nullable) (transfer full): "pinned · " and what that is. */
char *hs_reading_dup_pinned (HsSession *session);

/**
 * hs_reading_dup_spoken:
 *
 * The same by itself: layer and head, and of a token alone its strongest weights, which others see
 * at a glance. Of what is pointed at, else of what is pinned.
 *
 * Returns: (nullable) (transfer full).
 */
char *hs_reading_dup_spoken (HsSession *session);

/* Returns: (transfer full): a line each for what is spoken, the head that is chosen in a grid, and
 * what the picture is of. */
char *hs_reading_dup_description (HsSession *session);

G_END_DECLS
