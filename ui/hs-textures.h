/* SPDX-License-Identifier: MIT */
/* The textures of a layout's panels and colour bar: made when first drawn, a few of them in each
 * frame, and kept as long as they show the same. */
#pragma once

#include "hs-pixels.h"

#include "attn-draw/layout.h"

#include <gtk/gtk.h>

#include <stdbool.h>

G_BEGIN_DECLS

typedef struct _HsTextures HsTextures;

HsTextures *hs_textures_new (void);

void hs_textures_free (HsTextures *textures);

/**
 * hs_textures_begin:
 * @layout: what is going to be drawn
 * @screen: what it is drawn on
 *
 * Begins a frame: forgets the textures of other numbers, and finds out which of the others are of
 * another look or size. Those are still given out while there is no time for new ones.
 */
void hs_textures_begin (HsTextures *textures, const AttnDrawLayout *layout, const HsScreen *screen);

/* Draws the item (a panel or the bar): as it was, where it is still to be made anew and this
 * frame's time for that is over. */
void hs_textures_append (HsTextures *textures, GtkSnapshot *snapshot, const AttnDrawItem *item);

/* Ends a frame: where textures take much memory, those that were not drawn are dropped.
 *
 * Returns: whether all that were asked for are right; if not, another frame is needed. */
bool hs_textures_end (HsTextures *textures);

G_END_DECLS
