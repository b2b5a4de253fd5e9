/* SPDX-License-Identifier: MIT */
/* The titles of rows and columns of maps, which stay in view while the maps are scrolled. */
#pragma once

#include "attn-draw/layout.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Along the edges of the widget; px of the picture. */
typedef struct {
  double shift_x, shift_y; /* of the titles of rows and of columns; 0 where they stand by
                              themselves */
  double width, height;    /* of the strips they stand on then; else 0 */
} HsTitleStrips;

/* @visible: the part of the picture that is on screen */
HsTitleStrips hs_title_strips_find (const AttnDrawLayout *layout, const graphene_rect_t *visible);

/* Returns: the strips' sizes wherever the picture is scrolled to; all 0 where it has no titles. */
HsTitleStrips hs_title_strips_measure (const AttnDrawLayout *layout);

/* Moves a point of a strip to where its title stands in the layout. */
void hs_title_strips_map (const HsTitleStrips *strips,
                          const graphene_rect_t *visible,
                          double *x,
                          double *y);

/* Draws one title, by what it is and whether the pointer is on its row or column. */
typedef void (*HsTitleAppend) (GtkSnapshot *snapshot, const AttnDrawItem *item, gconstpointer data);

/* Draws the strips over the picture. */
void hs_title_strips_append (const HsTitleStrips *strips,
                             GtkSnapshot *snapshot,
                             const AttnDrawLayout *layout,
                             const graphene_rect_t *visible,
                             HsTitleAppend append,
                             gconstpointer data);

G_END_DECLS
