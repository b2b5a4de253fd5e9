/* SPDX-License-Identifier: MIT */
/* What was looked for, brought into view. */
#pragma once

#include "hs-picture.h"

G_BEGIN_DECLS

/* Shows the token that the session found last, where there is one: pans a map that is zoomed, and
 * scrolls the picture. */
void hs_picture_reveal_found (HsPicture *picture);

G_END_DECLS
