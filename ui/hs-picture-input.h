/* SPDX-License-Identifier: MIT */
/* What pointer and keys do on a picture: hover, pin, choose a head, open it large. */
#pragma once

#include "hs-picture.h"

G_BEGIN_DECLS

/* Adds the key bindings and the actions picture.pin, picture.open and picture.clear. */
void hs_picture_input_install (GtkWidgetClass *widget_class);

/* Adds the pointer's controllers. */
void hs_picture_input_attach (HsPicture *picture);

G_END_DECLS
