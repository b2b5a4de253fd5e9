/* SPDX-License-Identifier: MIT */
/* A layout as render nodes: textures for cells, text as text, hover and pin on top. */
#pragma once

#include "hs-find.h"
#include "hs-line-tiles.h"
#include "hs-textures.h"

#include "attn-draw/layout.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Emphasis on top of the layout: what the pointer is on and whether keys go here. */
typedef struct {
  size_t panel;          /* of the grid; G_MAXSIZE for none */
  size_t layer, head;    /* whose titles are emphasised; G_MAXSIZE for none */
  size_t query, key;     /* G_MAXSIZE for none */
  size_t selected;       /* panel of the chosen head in a grid or legend; G_MAXSIZE for none */
  const GArray *matches; /* (nullable): HsMatch: tokens that were looked for */
  bool has_focus;        /* of lines only those of a token or a head are drawn */
  AttnDrawFocus focus;
} HsPictureMarks;

/**
 * hs_picture_paint:
 * @textures: between hs_textures_begin() for this layout and hs_textures_end()
 * @tiles:    of this layout; NULL where it has no lines
 * @visible:  part of the picture that is on screen; items outside are left out
 * @screen:  what it is drawn on
 *
 * Cells never change with the marks, so hovering costs a few outlines and no texture.
 *
 * Returns: whether all lines between tokens are there; if not, the tiles tell when there are more.
 */
bool hs_picture_paint (GtkSnapshot *snapshot,
                       const AttnDrawLayout *layout,
                       HsTextures *textures,
                       HsLineTiles *tiles,
                       const HsPictureMarks *marks,
                       const graphene_rect_t *visible,
                       const HsScreen *screen);

G_END_DECLS
