/* SPDX-License-Identifier: MIT */
/* The middle of the window, honest about the session's state: nothing typed, busy with progress and
 * stop, failed with what to do, or the picture. */
#pragma once

#include "hs-picture.h"
#include "hs-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_FACE (hs_face_get_type ())
G_DECLARE_FINAL_TYPE (HsFace, hs_face, HS, FACE, GtkWidget)

/* Property "session" (HsSession). Property "long-busy" (boolean, read-only): busy for so long that
 * the eye should be told. Its buttons activate win.stop, win.retry and win.use-shipped-model. */
GtkWidget *hs_face_new (HsSession *session);

/* Returns: (nullable) (transfer none): the picture; there is one as long as there is a session. */
HsPicture *hs_face_peek_picture (HsFace *self);

G_END_DECLS
