/* SPDX-License-Identifier: MIT */
/* Where everything of a picture stands: text measured once, then a flat, immutable list.
 *
 * attn_draw_paint() writes files from the list, the window walks the same list with textures, and
 * attn_draw_pick() finds what is under the pointer: one geometry for all. Coordinates are px at
 * scale 1, origin top left. A layout belongs to the thread that made it (Pango). */
#pragma once

#include "attn-draw/panels.h"
#include "attn-draw/view.h"

#include <cairo.h>
#include <glib.h>
#include <pango/pango.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct _AttnDrawLayout AttnDrawLayout;

typedef struct {
  double x, y, width, height;
} AttnDrawRect;

typedef struct {
  double red, green, blue; /* 0 … 1 */
} AttnDrawColor;

typedef enum {
  ATTN_DRAW_ITEM_PANEL, /* the cells of one map */
  ATTN_DRAW_ITEM_BAR,   /* the colour bar's gradient, most at the top */
  ATTN_DRAW_ITEM_TEXT,
  ATTN_DRAW_ITEM_RULE, /* a filled rectangle: ticks, or a frame's ground, which a panel covers */
  ATTN_DRAW_ITEM_MARK, /* an outline in the accent colour around what the person pinned; its line is
                          outside the rect */
  ATTN_DRAW_ITEM_LINES, /* a line for each weight, from the rect's left side to its right */
} AttnDrawItemKind;

typedef enum {
  ATTN_DRAW_ROLE_NONE,
  ATTN_DRAW_ROLE_TITLE,
  ATTN_DRAW_ROLE_SUBTITLE,
  ATTN_DRAW_ROLE_NOTE,        /* axes, range, thinned, pooled */
  ATTN_DRAW_ROLE_MAP,         /* a panel, its frame and its marks */
  ATTN_DRAW_ROLE_HEAD_TITLE,  /* a grid panel's small title; of ATTN_DRAW_LAYERS a column's */
  ATTN_DRAW_ROLE_LAYER_TITLE, /* a row's, of ATTN_DRAW_LAYERS */
  ATTN_DRAW_ROLE_QUERY_LABEL,
  ATTN_DRAW_ROLE_KEY_LABEL,
  ATTN_DRAW_ROLE_BAR,     /* the bar, its ticks and numbers */
  ATTN_DRAW_ROLE_LEGEND,  /* a head's colour and number */
  ATTN_DRAW_ROLE_TOKEN,   /* the shade behind a piece of the text; what is in a chip */
  ATTN_DRAW_ROLE_PASSAGE, /* the text itself */
} AttnDrawRole;

typedef struct {
  AttnDrawItemKind kind;
  AttnDrawRole role;
  AttnDrawRect rect;     /* bounds on the picture; of rotated text its bounding box. Items are in
                            painting order */
  size_t panel;          /* index of the panel it belongs to; G_MAXSIZE for none */
  size_t token;          /* label: index of the query or key; a row's or a column's title: of the
                            layer or the head; of ATTN_DRAW_ROLE_TOKEN: its unit; else G_MAXSIZE */
  AttnDrawColor color;   /* of text, rule or mark */
  double line_width;     /* of a mark */
  PangoLayout *text;     /* text only; owned by the layout */
  double text_x, text_y; /* where the text's own origin (its top left) stands … */
  double angle;          /* … and its turn about it, radians, negative = counter-clockwise */
  bool is_of_mean;       /* tells the range of the mean over all queries; not drawn while a query is
                            pointed at: attn_draw_layout_peek_pointed() has what is drawn instead */
} AttnDrawItem;

/* What a point is on. Unused indexes are G_MAXSIZE: labels beside lines belong to no head. */
typedef struct {
  AttnDrawRole role;
  size_t panel, layer, head; /* which map; on a row's title the layer alone, likewise the head */
  size_t query, key;         /* both on a cell, one on a label; none where cells are pooled */
} AttnDrawHit;

/**
 * attn_draw_layout_new:
 * @view:   copied
 * @panels: referenced
 *
 * Returns: a new layout for attn_draw_layout_free(). Never fails: what does not fit is thinned out
 *   and said so in the picture.
 */
AttnDrawLayout *attn_draw_layout_new (const AttnDrawView *view, AttnDrawPanels *panels);

/**
 * attn_draw_layout_new_strip:
 * @view:   copied; its kind is ATTN_DRAW_HEADS
 * @panels: referenced; of that kind
 * @width,@height: px there are beside another picture
 *
 * The heads of a layer as small maps with their numbers, nothing else: to choose from.
 *
 * Returns: (nullable): a layout at most that large, or NULL where its maps would be of no use.
 */
AttnDrawLayout *attn_draw_layout_new_strip (const AttnDrawView *view,
                                            AttnDrawPanels *panels,
                                            double width,
                                            double height);

void attn_draw_layout_free (AttnDrawLayout *layout);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawLayout, attn_draw_layout_free)

/* Returns: (transfer none): what the layout was made of: a file of this view is equal. */
const AttnDrawView *attn_draw_layout_peek_view (const AttnDrawLayout *layout);
AttnDrawPanels *attn_draw_layout_peek_panels (const AttnDrawLayout *layout);

/* Whole numbers of px; the width is the view's, or less where the view limits the height, or what
 * maps of a chosen size need. */
double attn_draw_layout_get_width (const AttnDrawLayout *layout);
double attn_draw_layout_get_height (const AttnDrawLayout *layout);

/* Returns: px the picture is wide in print, where the view may ask for a part of one px more or
 * less than the layout's whole ones: 160 mm are 604.72 px. */
double attn_draw_layout_get_print_width (const AttnDrawLayout *layout);

/* The view's palette: the colour under everything, and the one that marks what was picked. */
AttnDrawColor attn_draw_layout_get_background (const AttnDrawLayout *layout);
AttnDrawColor attn_draw_layout_get_accent (const AttnDrawLayout *layout);

/* Returns: (transfer none): what is drawn as item @index, in painting order; lives as long as the
 * layout. */
size_t attn_draw_layout_get_n_items (const AttnDrawLayout *layout);
const AttnDrawItem *attn_draw_layout_peek_item (const AttnDrawLayout *layout, size_t index);

/* The colour bar and the note on its range as they are while a query of the text is pointed at,
 * whose weights have another range than the mean that is shown otherwise. None in other views,
 * while a query is pinned, or where the ranges are the same.
 *
 * Test: tests/draw/test-prose.c */
size_t attn_draw_layout_get_n_pointed (const AttnDrawLayout *layout);
const AttnDrawItem *attn_draw_layout_peek_pointed (const AttnDrawLayout *layout, size_t index);

/* Returns: where panel @index's cells stand; whole numbers of px. All 0 for one that is not drawn.
 */
AttnDrawRect attn_draw_layout_get_panel_rect (const AttnDrawLayout *layout, size_t index);

/* Returns: the rows and columns that are drawn; the numbers are never 0. Of a comparison the places
 * of A's and B's tokens in reading order, see attn_draw_panels_get_joint_at(). */
AttnDrawCrop attn_draw_layout_get_crop (const AttnDrawLayout *layout);

/* Returns: those of panel @panel by its own numbers: of a comparison, where a panel may have none
 * of them, 0 numbers mean that. */
AttnDrawCrop attn_draw_layout_get_panel_crop (const AttnDrawLayout *layout, size_t panel);

/* Returns: the rectangle of a cell, of a row (key G_MAXSIZE) or of a column (query G_MAXSIZE); its
 * height or width is 0 where the crop leaves the row or column out. Where weights are lines: of a
 * line, or of a label with its room. */
AttnDrawRect
attn_draw_layout_place (const AttnDrawLayout *layout, size_t panel, size_t query, size_t key);

/* A piece of the text, or what the template added; G_MAXSIZE where it is no query or no key. */
typedef struct {
  size_t query, key;
} AttnDrawUnit;

/* Units of ATTN_DRAW_TEXT in reading order; none of other views. @unit: below their number. */
size_t attn_draw_layout_get_n_units (const AttnDrawLayout *layout);
AttnDrawUnit attn_draw_layout_get_unit (const AttnDrawLayout *layout, size_t unit);

/**
 * attn_draw_layout_get_shades:
 * @layout: of ATTN_DRAW_TEXT
 * @query:  that looks; G_MAXSIZE for what the picture shows
 * @shades: [n_keys] written: the colour behind each key
 */
void
attn_draw_layout_get_shades (const AttnDrawLayout *layout, size_t query, AttnDrawColor *shades);

/* One weight's line between its tokens, px. */
typedef struct {
  double left_x, left_y, right_x, right_y;
  double width;
  AttnDrawColor color; /* its head's, in full */
  double strength;     /* its opacity, 0 … 1; 0 also where the key cannot be seen */
} AttnDrawLine;

/* Returns: false, with nothing written, where weights are no lines or the head has none.
 *
 * Test: tests/draw/test-lines.c */
bool attn_draw_layout_find_line (
    const AttnDrawLayout *layout, size_t panel, size_t query, size_t key, AttnDrawLine *line);

/* Returns: whether (x, y) is on something; @hit is always written. The inverse of place: a cell's
 * every point picks that cell, also when cells are smaller than a px. */
bool attn_draw_pick (const AttnDrawLayout *layout, double x, double y, AttnDrawHit *hit);

G_END_DECLS
