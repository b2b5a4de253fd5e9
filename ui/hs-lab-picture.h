/* SPDX-License-Identifier: MIT */
/* What a figure of the lab needs to be a picture like any other: the session's model, text and
 * looks. */
#pragma once

#include "hs-session.h"

#include "attn-draw/picture.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _HsLabPicture HsLabPicture;

/* Returns: (transfer full) (nullable): of what the session shows now, for hs_lab_picture_free(),
 * from any thread; NULL where it shows nothing. */
HsLabPicture *hs_lab_picture_new (HsSession *session);

void hs_lab_picture_free (HsLabPicture *self);

/* Returns: the picture in @format, as wide as the lab's files are; its pointers are self's. The
 * hash of the weights is what is known already. */
AttnDrawPicture hs_lab_picture_get (const HsLabPicture *self, AttnDrawFormat format);

G_END_DECLS
