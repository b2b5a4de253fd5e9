/* SPDX-License-Identifier: MIT */
/* What wheel, drag and pinch do on a picture: zoom around the pointer, move over the map. */
#pragma once

#include "hs-picture.h"

G_BEGIN_DECLS

/**
 * hs_picture_zoom_attach:
 * @motion: the picture's, which tells where the pointer is
 *
 * Adds the controllers. They leave alone what only the surroundings can do: scroll a page.
 */
void hs_picture_zoom_attach (HsPicture *picture, GtkEventController *motion);

G_END_DECLS
