/* SPDX-License-Identifier: MIT */
/* The actions that change what is shown: group "view" of the window. */
#pragma once

#include "hs-session.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Stateful: kind, color-map, range, scale (strings, an enum's nicks), shows-values (boolean).
 * Plain: next-layer, previous-layer, next-head, previous-head, next-found, previous-found (they
 * wrap around), unpin, zoom-in, zoom-out, zoom-reset. */
GActionGroup *hs_view_actions_new (HsSession *session);

G_END_DECLS
