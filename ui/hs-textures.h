/* SPDX-License-Identifier: MIT */
/* The textures of a layout's panels and colour bar, made when first drawn and kept. */
#pragma once

#include "attn-draw/layout.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _HsTextures HsTextures;

HsTextures *hs_textures_new (void);
void hs_textures_free (HsTextures *textures);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsTextures, hs_textures_free)

/* Forgets all textures: the layout or the device scale has changed. */
void hs_textures_clear (HsTextures *textures);

/**
 * hs_textures_peek:
 * @item:  a panel or the bar of @layout
 * @scale: device px per px
 *
 * Returns: (transfer none): a texture of exactly the item's device pixels, so that drawn 1:1 no
 *   renderer blurs it; valid until hs_textures_clear().
 */
GdkTexture *hs_textures_peek (HsTextures *textures,
                              const AttnDrawLayout *layout,
                              const AttnDrawItem *item,
                              double scale);

G_END_DECLS
