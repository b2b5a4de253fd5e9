/* SPDX-License-Identifier: MIT */
/* Pixels that are drawn in frame after frame, in the form that costs the window's renderer least.
 */
#pragma once

#include <gtk/gtk.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/* What a widget is drawn on. */
typedef struct {
  int scale_factor;    /* device px per px */
  bool takes_textures; /* the renderer keeps them where it draws; GTK's Cairo renderer does not */
} HsScreen;

HsScreen hs_screen_of (GtkWidget *widget);

typedef struct _HsPixels HsPixels;

/* Returns: (transfer full): @width × @height device px to be written before they are first drawn,
 * also on another thread; for hs_pixels_unref(). */
HsPixels *hs_pixels_new (size_t width, size_t height);

HsPixels *hs_pixels_ref (HsPixels *pixels);
void hs_pixels_unref (HsPixels *pixels);

/* Returns: (transfer none): [height, stride] 0xffRRGGBB; not once they have been drawn. */
uint32_t *hs_pixels_get_data (HsPixels *pixels, size_t *stride);

size_t hs_pixels_get_width (HsPixels *pixels);
size_t hs_pixels_get_height (HsPixels *pixels);

/* Draws them into @rect, px: stretched where it has another size than they have. On the main
 * thread, and always on the same kind of screen. */
void hs_pixels_append (HsPixels *pixels,
                       GtkSnapshot *snapshot,
                       const HsScreen *screen,
                       const graphene_rect_t *rect);

G_END_DECLS
