/* SPDX-License-Identifier: MIT */
/* The picture in the middle of the window: draws the session's panels and lets one hover, pin and
 * choose. */
#pragma once

#include "hs-session.h"

#include "attn-draw/layout.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_PICTURE (hs_picture_get_type ())
G_DECLARE_FINAL_TYPE (HsPicture, hs_picture, HS, PICTURE, GtkWidget)

/**
 * hs_picture_new:
 * @session: referenced; what it shows is drawn, and hovering, pinning and choosing are told to it
 *
 * A scrollable widget (GtkScrollable): it fits the picture into its size and scrolls down where
 * even the smallest useful picture is taller.
 */
GtkWidget *hs_picture_new (HsSession *session);

/* Returns: (nullable) (transfer none): what is on screen, for exports and tests; NULL while there
 * is nothing to show. Valid until the next frame. */
const AttnDrawLayout *hs_picture_peek_layout (HsPicture *picture);

/* Returns: whether the last frame had all of what it shows; if not, the next ones bring the rest.
 */
bool hs_picture_is_complete (HsPicture *picture);

/* Returns: where the widget's top left is on the picture, px: scrolled, or negative where a picture
 * smaller than the widget stands in its middle. */
graphene_point_t hs_picture_get_origin (HsPicture *picture);

/* Returns: (transfer none): the session it shows. */
HsSession *hs_picture_peek_session (HsPicture *picture);

/* Returns: whether (x, y), in the widget's own px, is on something; @hit is always written. Its
 * query and key are the numbers that all panels have in common, see attn-draw/panels.h. */
bool hs_picture_pick (HsPicture *picture, double x, double y, AttnDrawHit *hit);

/* Returns: px of width of @width that the heat map needs to be as large as @width × @height allows,
 * labels and colour bar included; @width for other pictures. */
int hs_picture_measure_width (HsPicture *picture, int width, int height);

/* Returns: whether it shows all layers, which are magnified as wholes. */
bool hs_picture_has_sheet (HsPicture *picture);

/* Multiplies the session's magnification; the point (x, y) of the widget stays on what it is on. */
void hs_picture_magnify (HsPicture *picture, double factor, double x, double y);

/* Whether keys moved what is hovered: then the pointer takes over only when it is moved. */
bool hs_picture_is_led_by_keys (HsPicture *picture);
void hs_picture_set_led_by_keys (HsPicture *picture, bool led);

/* Scrolls as little as needed to bring a part of the picture into view. */
void hs_picture_reveal (HsPicture *picture, AttnDrawRect rect);

G_END_DECLS
