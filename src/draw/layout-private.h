/* SPDX-License-Identifier: MIT */
/* A layout while it is built, and what the views share: headings, notes, frames. */
#pragma once

#include "joint.h"
#include "labels.h"
#include "links.h"
#include "palette.h"
#include "prose.h"
#include "text.h"

#include "attn-draw/layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where one panel's cells stand; whole numbers of px. */
typedef struct {
  AttnDrawRect rect;
  double labels_left; /* query labels stand from here to the panel; negative for none */
} AttnDrawPlace;

struct _AttnDrawLayout {
  AttnDrawView *view;
  AttnDrawSpan rows, columns; /* that are drawn, never none: the view's crop within the maps; of a
                                 comparison the places in reading order, and for each panel … */
  AttnDrawSpan compared_rows[ATTN_DRAW_MAX_COMPARED], compared_columns[ATTN_DRAW_MAX_COMPARED];
  AttnDrawPanels *panels;
  const AttnDrawInk *ink;
  double width, height;
  double asked_width;             /* as the view has it: whole, or not by less than one px */
  struct _AttnDrawValues *values; /* nullable: none are written */
  AttnDrawLinks *links;           /* NULL but in the view of lines */
  AttnDrawProse *prose;           /* NULL but in the view of the text */
  GArray *items;                  /* AttnDrawItem, in painting order */
  GArray *pointed;                /* AttnDrawItem, see attn_draw_layout_get_n_pointed () */
  float mean_max;        /* the text's range where the mean over all queries has its own, else 0 */
  AttnDrawPlace *places; /* [n panels] */
  uint32_t lut[256];     /* 0xffRRGGBB of cells, from least to most … */
  uint32_t ramp[256];    /* … and of the bar, which may be of lines or of shades */
};

/* What a view's function works with. */
typedef struct {
  AttnDrawLayout *layout;
  AttnDrawFonts *fonts;
  AttnDrawLabels *queries, *keys;
  double em;         /* px of the view's font size */
  double bar_width;  /* px of the colour bar with its numbers */
  double width;      /* px the picture may be wide; once that is chosen, px it is wide */
  double max_height; /* px the picture should not be higher than; infinite for any height */
  double margin;     /* px on all sides */
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
 * Square cells, unless the map is far higher than wide or far wider than high. More room never
 * gives smaller cells.
 */
AttnDrawCells attn_draw_build_fit_cells (const AttnDrawBuild *build, double width, double max_cell);

/* Returns: px a cell may have at most: @max_em in a whole map, and so much more in a part of it
 * that the part may be as large as the whole. */
double attn_draw_build_get_max_cell (const AttnDrawBuild *build, double max_em);

typedef struct {
  double width, height;
} AttnDrawSize;

/* Plans the rest of the picture for maps of such cells. Returns: the size it has then. */
typedef AttnDrawSize (*AttnDrawArrange) (AttnDrawBuild *build,
                                         const AttnDrawCells *cells,
                                         void *data);

typedef struct {
  double room;       /* px of width there may be for one map */
  double max_cell;   /* px */
  double least;      /* px of a map's longer side: smaller ones are not useful */
  double max_height; /* px of the picture */
  double apart;      /* px of the picture's height that are no map, at least */
  size_t n_rows;     /* of maps */
  AttnDrawArrange arrange;
  void *data;
} AttnDrawSearch;

/**
 * attn_draw_build_search:
 * @cells: the largest that let the picture fit in width and height; where none do, the smallest
 *         useful ones that fit in width. They are arranged last
 *
 * Returns: whether the picture fits with useful cells.
 */
bool
attn_draw_build_search (AttnDrawBuild *build, const AttnDrawSearch *search, AttnDrawCells *cells);

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

/* A filled rectangle of any colour. */
void attn_draw_build_add_fill (
    AttnDrawBuild *build, AttnDrawRole role, size_t panel, AttnDrawRect rect, AttnDrawColor color);

/* Adds a panel of cells at (x, y) with its frame. */
void attn_draw_build_add_panel (AttnDrawBuild *build,
                                size_t panel,
                                double x,
                                double y,
                                const AttnDrawCells *cells,
                                double labels_left);

/* Marks what is in @rect by a line of @line_width px around it. */
void attn_draw_build_add_outline (AttnDrawBuild *build,
                                  size_t panel,
                                  AttnDrawRect rect,
                                  double line_width);

/* Marks a cell, a row (key G_MAXSIZE) or a column (query G_MAXSIZE) of a panel that has been added
 * by a line of @line_width px around it. */
void attn_draw_build_add_mark (
    AttnDrawBuild *build, size_t panel, size_t query, size_t key, double line_width);

/* Marks what is pinned in a panel that has been added. */
void attn_draw_build_add_pins (AttnDrawBuild *build, size_t panel);

/* The same of a small map: only the row (or the column), so that it stays visible what it is
 * around. */
void attn_draw_build_add_row_pin (AttnDrawBuild *build, size_t panel);

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

/* Adds a key's label that begins at @left, its middle line at @middle. */
void attn_draw_labels_add_beside (
    AttnDrawBuild *build, const AttnDrawLabelPlan *plan, size_t token, double left, double middle);

#define ATTN_DRAW_MAX_LINES 16

/* Lines of text over or under the maps, measured from the corner at their top left. */
typedef struct {
  size_t n;
  struct {
    PangoLayout *text; /* the fonts' */
    AttnDrawRole role;
    double x, y;
    bool ends_right; /* at the maps' right end, not at x */
  } lines[ATTN_DRAW_MAX_LINES];
  double width, height; /* px; the height is whole, with the gap to the maps */
} AttnDrawLines;

/* Title and subtitle. */
AttnDrawLines attn_draw_lines_heading (AttnDrawBuild *build);

/* What the notes have to tell. */
typedef struct {
  double width;  /* px of the maps with labels and bar */
  size_t stride; /* one label in @stride is shown, if @is_thinned */
  bool is_thinned;
  bool is_pooled;      /* several weights share a pixel */
  bool hides_hidden;   /* what cannot be seen is not marked */
  unsigned least_code; /* of the faintest line, 256 where there are too many; 0: none is left out */
} AttnDrawNotes;

AttnDrawLines attn_draw_lines_notes (AttnDrawBuild *build, const AttnDrawNotes *notes);

/* Adds lines with their corner at (x, y); @right is the end of the maps. */
void attn_draw_lines_add (
    AttnDrawBuild *build, const AttnDrawLines *lines, double x, double y, double right);

/* What stands one under the other. */
typedef struct {
  double width;    /* px of the maps with labels and bar */
  double overhang; /* px that labels stand out of that at the right */
  double height;   /* px of all this */
  AttnDrawLines heading, notes;
} AttnDrawParts;

AttnDrawSize attn_draw_parts_measure (const AttnDrawBuild *build, const AttnDrawParts *parts);

/**
 * attn_draw_parts_add:
 * @left,@top: where the maps with their labels are to stand
 *
 * Settles how large the picture is, and adds the lines of text.
 */
void
attn_draw_parts_add (AttnDrawBuild *build, const AttnDrawParts *parts, double *left, double *top);

/* The views: each settles the picture's size and adds everything. */
void attn_draw_layout_heatmap (AttnDrawBuild *build);
void attn_draw_layout_heads (AttnDrawBuild *build);
void attn_draw_layout_layers (AttnDrawBuild *build);
void attn_draw_layout_compare (AttnDrawBuild *build);
void attn_draw_layout_lines (AttnDrawBuild *build);
void attn_draw_layout_text (AttnDrawBuild *build);

/* Returns: whether the strip has useful maps in build's width and height; if not, nothing is added.
 */
bool attn_draw_layout_strip (AttnDrawBuild *build);

/* Returns: what the strongest colour of @panel stands for as it is laid out, > 0. */
float attn_draw_layout_get_max (const AttnDrawLayout *layout, size_t panel);

/* Returns: the end of the range of the mean over all queries where the text shows that with a range
 * of its own, else 0. */
float attn_draw_prose_find_mean_max (const AttnDrawLayout *layout);

/* Returns: the query of the view of the text that is pinned, or G_MAXSIZE. */
size_t attn_draw_prose_get_pinned (const AttnDrawLayout *layout);

/* @codes: [n_keys] written, see cells.h: of what @query, or the mean where that is G_MAXSIZE, looks
 * at. */
void attn_draw_prose_find_codes (const AttnDrawLayout *layout, size_t query, uint16_t *codes);
AttnDrawColor attn_draw_prose_get_shade (const AttnDrawLayout *layout, uint16_t code);

/* attn_draw_layout_place() and the part of attn_draw_pick() for the text … */
AttnDrawRect attn_draw_prose_place (const AttnDrawLayout *layout, size_t query, size_t key);
bool attn_draw_prose_pick (const AttnDrawLayout *layout, double x, double y, AttnDrawHit *hit);

/* … and for lines. */
AttnDrawRect
attn_draw_links_place (const AttnDrawLayout *layout, size_t panel, size_t query, size_t key);
bool attn_draw_links_pick (const AttnDrawLayout *layout, double x, double y, AttnDrawHit *hit);

/* Returns: whether some rows or columns of the maps are not drawn. */
bool attn_draw_layout_is_part (const AttnDrawLayout *layout);

static inline size_t
attn_draw_span_get_n (const AttnDrawSpan *span)
{
  return span->end - span->first;
}

static inline bool
attn_draw_span_has (const AttnDrawSpan *span, size_t index)
{
  return index >= span->first && index < span->end;
}

/* Rows and columns of panel @panel that are drawn; there may be none of a comparison's. */
AttnDrawSpan attn_draw_layout_get_rows (const AttnDrawLayout *layout, size_t panel);
AttnDrawSpan attn_draw_layout_get_columns (const AttnDrawLayout *layout, size_t panel);

/* Returns: (transfer none): [256] 0xffRRGGBB, the colours of a panel, or with G_MAXSIZE of the bar
 * for all of them. */
const uint32_t *attn_draw_layout_peek_lut (const AttnDrawLayout *layout, size_t panel);

/* Where cell @index of @n begins on a side of @length px from @origin; index @n is the end. */
static inline double
attn_draw_edge (double origin, double length, size_t n, size_t index)
{
  return origin + length * (double)index / (double)n;
}
