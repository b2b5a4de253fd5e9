/* SPDX-License-Identifier: MIT */
/* What lies over a picture: what the pointer is on, what was looked for, the chosen head. */
#pragma once

#include "hs-picture-paint.h"

#include "attn/maps.h"

G_BEGIN_DECLS

/* Returns: whether the token of that number is one of @matches (nullable: HsMatch). */
bool hs_picture_hover_is_found (const GArray *matches, AttnSide side, size_t token);

/* @visible: part of the picture that is on screen. A few outlines, and no texture. */
void hs_picture_hover_append (GtkSnapshot *snapshot,
                              const AttnDrawLayout *layout,
                              const HsPictureMarks *marks,
                              const graphene_rect_t *visible);

G_END_DECLS
