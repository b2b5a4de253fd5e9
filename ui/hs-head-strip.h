/* SPDX-License-Identifier: MIT */
/* The heads of the shown layer, small, beside a heat map: a look at the others, a click goes there.
 */
#pragma once

#include "hs-session.h"

#include "attn-draw/layout.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_HEAD_STRIP (hs_head_strip_get_type ())
G_DECLARE_FINAL_TYPE (HsHeadStrip, hs_head_strip, HS, HEAD_STRIP, GtkWidget)

/* @session: referenced; its heads are shown, and choosing one is told to it */
GtkWidget *hs_head_strip_new (HsSession *session);

/**
 * hs_head_strip_fit:
 * @width,@height: px there are for it
 *
 * Arranges the heads within that room, for an allocation of the answer's width and @height. Tells
 * the session whether heads are wanted at all.
 *
 * Returns: px of width it takes; 0 when there is nothing to show, or no room for it.
 */
int hs_head_strip_fit (HsHeadStrip *strip, int width, int height);

/* Returns: (nullable) (transfer none): what is on screen, for tests. */
const AttnDrawLayout *hs_head_strip_peek_layout (HsHeadStrip *strip);

G_END_DECLS
