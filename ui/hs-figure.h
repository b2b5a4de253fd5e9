/* SPDX-License-Identifier: MIT */
/* A figure on the screen: as wide as there is room, as high as it then is, pointed at and picked
 * from with mouse and keys. */
#pragma once

#include "hs-cursor.h"

#include "attn-draw/figure.h"

#include <gtk/gtk.h>

#include <stdbool.h>

G_BEGIN_DECLS

#define HS_TYPE_FIGURE (hs_figure_get_type ())
G_DECLARE_FINAL_TYPE (HsFigure, hs_figure, HS, FIGURE, GtkWidget)

/* Returns: (transfer full) (nullable): the figure for so many px of width; NULL for none yet. */
typedef AttnDrawFigure *(*HsFigureMaker) (double width, gpointer data);

/* Property "label" (string): what it is called by who reads the screen. Property "value" (string,
 * nullable): what is picked in it now, for the same.
 *
 * Signals: "picked" (uint id, uint row, uint column): an item with an id was clicked; "hovered"
 * likewise, with the id 0 once nothing is; "moved" (int, an HsMove) → boolean: an arrow key, true
 * where it has done something; "activated" → boolean: Enter or the space bar. */
GtkWidget *hs_figure_new (const char *label);

/* @make is called whenever the figure is needed for another width, or was made anew. */
void hs_figure_set_maker (HsFigure *self, HsFigureMaker make, gpointer data);

/* What it shows has changed: it is made again before it is next drawn. */
void hs_figure_renew (HsFigure *self);

/* Returns: (nullable) (transfer none): what is on screen. */
AttnDrawFigure *hs_figure_peek (HsFigure *self);

/* Returns: whether what it shows was painted, and nothing of it has changed since. */
bool hs_figure_is_painted (HsFigure *self);

/* Its keys are used from now on, and nothing is scrolled for that. */
void hs_figure_take_keys (HsFigure *self);

/* Outlines [@n] @rects of the figure on top of it, as what the pointer is on, until it is renewed:
 * what goes with that elsewhere in the figure. Copied. */
void hs_figure_set_marks (HsFigure *self, const AttnDrawRect *rects, size_t n);

/* Px of width below which the figure would rather be scrolled; 0 at first. */
void hs_figure_set_least_width (HsFigure *self, int width);

G_END_DECLS
