/* SPDX-License-Identifier: MIT */
/* How the lab's figures look in a window. */
#pragma once

#include "hs-session.h"

#include "attn-draw/lab-charts.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns: the session's letters, colours and language for a figure of @width px; borrowed from
 * @session. */
AttnDrawLabLook hs_lab_look_get (HsSession *session, double width);

/* Returns: the same for a file: on paper, and as wide as files are; borrows nothing of @session. */
AttnDrawLabLook hs_lab_look_get_for_file (HsSession *session);

G_END_DECLS
