/* SPDX-License-Identifier: MIT */
/* The picture's lines as textures, band by band: only what is on screen is painted, and kept while
 * it is near. What takes more than a moment is painted on another thread. */
#pragma once

#include "hs-pixels.h"

#include "attn-draw/layout.h"
#include "attn-draw/paint.h"

#include <gtk/gtk.h>

#include <stdbool.h>

G_BEGIN_DECLS

typedef struct _HsLineTiles HsLineTiles;

/* On the main thread: more can be drawn than last time. */
typedef void (*HsLineTilesReady) (gpointer data);

HsLineTiles *hs_line_tiles_new (HsLineTilesReady ready, gpointer data);

/* What is still being painted is dropped, and nobody told any more. */
void hs_line_tiles_free (HsLineTiles *tiles);

/* Forgets all bands: the layout has changed. */
void hs_line_tiles_clear (HsLineTiles *tiles);

/**
 * hs_line_tiles_append:
 * @item:         the lines of @layout
 * @focus:        (nullable): only these lines; none for the picture's own
 * @visible:      part of the picture that is on screen
 * @screen:       what it is drawn on
 *
 * While lines of a new focus are being painted, those drawn last stay.
 *
 * Returns: whether all that was asked for was drawn.
 */
bool hs_line_tiles_append (HsLineTiles *tiles,
                           GtkSnapshot *snapshot,
                           const AttnDrawLayout *layout,
                           const AttnDrawItem *item,
                           const AttnDrawFocus *focus,
                           const graphene_rect_t *visible,
                           const HsScreen *screen);

G_END_DECLS
