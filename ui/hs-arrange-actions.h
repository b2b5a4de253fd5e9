/* SPDX-License-Identifier: MIT */
/* The actions of the group "arrange": what maps go through before they are drawn. */
#pragma once

#include "hs-session.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * hs_arrange_actions_new:
 *
 * A stateful action for every part of hs-arrangement.h, which follows the session; "all-heads" to
 * combine them all again; "reset" to show everything as it is. Those that would do nothing now are
 * not enabled.
 *
 * Returns: (transfer full): the group; it watches @session as long as it lives.
 */
GActionGroup *hs_arrange_actions_new (HsSession *session);

G_END_DECLS
