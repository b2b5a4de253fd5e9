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

/* One turn of a wheel, or a stroke on a touchpad. */
typedef struct {
  double across, down;   /* notches of a wheel … */
  bool is_in_px;         /* … or px of a touchpad */
  GdkModifierType state; /* with Control it zooms, with Shift a wheel's notches go across */
} HsWheel;

/* Returns: whether it was of use here; if not, it is the surroundings' that scroll. */
bool hs_picture_zoom_turn (HsPicture *picture, const HsWheel *wheel);

/* Returns: whether a press may become a drag: the map is zoomed, or not all of the picture is in
 * view. */
bool hs_picture_zoom_may_drag (HsPicture *picture);

G_END_DECLS
