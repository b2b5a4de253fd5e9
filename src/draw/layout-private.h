/* SPDX-License-Identifier: MIT */
/* A layout while it is built, and what the two views share: headings, notes, frames. */
#pragma once

#include "labels.h"
#include "palette.h"
#include "text.h"

#include "attn-draw/layout.h"

#include <stdbool.h>
#include <stddef.h>

/* Where one panel's cells stand; whole numbers of px. */
typedef struct {
  AttnDrawRect rect;
  double labels_left; /* query labels stand from here to the panel; negative for none */
} AttnDrawPlace;

struct _AttnDrawLayout {
  AttnDrawView *view;
  AttnDrawPanels *panels;
  const AttnDrawInk *ink;
  double width, height;
  GArray *items;         /* AttnDrawItem, in painting order */
  AttnDrawPlace *places; /* [n panels] */
};

/* What a view's function works with. With @emits false nothing is added to the layout: the same
 * function then only finds out the height, so that trying a width and using it cannot differ. */
typedef struct {
  AttnDrawLayout *layout;
  AttnDrawFonts *fonts;
  AttnDrawLabels *queries, *keys;
  double em;        /* px of the view's font size */
  double bar_width; /* px of the colour bar with its numbers */
  double width;     /* px of the picture */
  double margin;    /* px on all sides */
  bool emits;
} AttnDrawBuild;

/* Cells of one size: their number and the room they take together, whole px. */
typedef struct {
  double width, height;  /* of the panel */
  double cell_x, cell_y; /* of one cell; whole numbers where that costs little room */
} AttnDrawCells;

/**
 * attn_draw_build_fit_cells:
 * @width:    px there are for the panel
 * @max_cell: px a cell has at most
 *
 * Square cells, unless the map is far higher than wide. More room never gives smaller cells.
 */
AttnDrawCells attn_draw_build_fit_cells (const AttnDrawBuild *build, double width, double max_cell);

/* One text with its top left at (x, y) before it is turned by @angle about that point. */
typedef struct {
  AttnDrawRole role;
  size_t panel, token;
  double x, y, angle;
  AttnDrawColor color;
} AttnDrawTextPlace;

void
attn_draw_build_add_text (AttnDrawBuild *build, PangoLayout *text, const AttnDrawTextPlace *place);
void
attn_draw_build_add_rule (AttnDrawBuild *build, AttnDrawRole role, size_t panel, AttnDrawRect rect);

/* Adds a panel of cells at (x, y) with its frame. */
void attn_draw_build_add_panel (AttnDrawBuild *build,
                                size_t panel,
                                double x,
                                double y,
                                const AttnDrawCells *cells,
                                double labels_left);

/* Marks what is pinned in a panel that has been added. */
void attn_draw_build_add_pins (AttnDrawBuild *build, size_t panel);

/* Adds a query's label that ends at @right, its middle line at @middle. */
void attn_draw_labels_add_query (AttnDrawBuild *build,
                                 const AttnDrawLabelPlan *plan,
                                 size_t panel,
                                 size_t token,
                                 double right,
                                 double middle);

/* Adds a key's label over the column whose middle is at @middle; a turned one has its middle line
 * begin at @bottom, a flat one has it there. */
void attn_draw_labels_add_key (AttnDrawBuild *build,
                               const AttnDrawLabelPlan *plan,
                               size_t panel,
                               size_t token,
                               double middle,
                               double bottom);

/* Title and subtitle from the top margin on. Returns: the y below them. */
double attn_draw_build_heading (AttnDrawBuild *build);

/**
 * attn_draw_build_notes:
 * @y: where they start
 * @right: px, end of the content: the range's note ends here when all fits on one line
 * @stride: one label in @stride is shown, if @is_thinned
 * @is_pooled: several weights share a pixel
 *
 * Returns: the y below them.
 */
double attn_draw_build_notes (
    AttnDrawBuild *build, double y, double right, size_t stride, bool is_thinned, bool is_pooled);

/* The views. Each adds everything and returns the picture's height. */
double attn_draw_layout_heatmap (AttnDrawBuild *build);
double attn_draw_layout_heads (AttnDrawBuild *build);

/* Returns: a height below which the view's picture of build->width cannot come, found quickly. */
double attn_draw_layout_heatmap_least (AttnDrawBuild *build);
double attn_draw_layout_heads_least (AttnDrawBuild *build);

/* Where cell @index of @n begins on a side of @length px from @origin; index @n is the end. */
static inline double
attn_draw_edge (double origin, double length, size_t n, size_t index)
{
  return origin + length * (double)index / (double)n;
}
