/* SPDX-License-Identifier: MIT */
/* A figure: matrices, texts, bars, lines and arrows in places that somebody else chose.
 *
 * For: pictures that are no heat maps of heads, such as the steps of the lab and its charts. Not
 * for: maps (layout.h). A builder takes items in painting order and gives an immutable list that
 * paints itself, is picked from, and is written by the writers of all other pictures. Coordinates
 * are px at scale 1, origin top left. A figure belongs to the thread that made it (Pango). */
#pragma once

#include "attn-draw/layout.h"
#include "attn-draw/write.h"

#include <cairo.h>
#include <glib.h>
#include <pango/pango.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct _AttnDrawFigure AttnDrawFigure;
typedef struct _AttnDrawFigureBuilder AttnDrawFigureBuilder;

/* What all of a figure is drawn with. A plain value; pointers are borrowed, and read at once. */
typedef struct {
  AttnDrawPalette palette;
  AttnDrawColorMap color_map; /* of values that have no sign */
  const char *font_family;    /* NULL for "Sans" */
  double font_size_pt;        /* 0 for 10 */
  const char *language;       /* BCP 47, or "zh_TW"; NULL for "en" */
} AttnDrawFigureStyle;

/* A palette's colours by their use. */
typedef enum {
  ATTN_DRAW_TONE_TEXT,
  ATTN_DRAW_TONE_DIM,  /* of text that says less */
  ATTN_DRAW_TONE_RULE, /* of thin lines */
  ATTN_DRAW_TONE_BACKGROUND,
  ATTN_DRAW_TONE_GROUND,      /* behind what stands together, a little off the background */
  ATTN_DRAW_TONE_ACCENT,      /* what the person picked, and nothing else … */
  ATTN_DRAW_TONE_ACCENT_TEXT, /* … and the same for text */
  ATTN_DRAW_TONE_MORE,        /* bars above 0, as a signed matrix has them … */
  ATTN_DRAW_TONE_LESS,        /* … below 0 … */
  ATTN_DRAW_TONE_WEIGHT,      /* … and of values without a sign */
} AttnDrawTone;

/* Returns: the colour that style's palette and maps have for the tone. */
AttnDrawColor attn_draw_tone_get (const AttnDrawFigureStyle *style, AttnDrawTone tone);

/* Returns: the colour of line @index of a chart, from 0: those of heads. */
AttnDrawColor attn_draw_tone_get_series (const AttnDrawFigureStyle *style, size_t index);

typedef enum {
  ATTN_DRAW_FIGURE_MATRIX, /* cells of colours */
  ATTN_DRAW_FIGURE_TEXT,
  ATTN_DRAW_FIGURE_RULE,  /* a filled rectangle: bars, ticks, axes */
  ATTN_DRAW_FIGURE_FRAME, /* an outline outside its rect; or a card with round corners */
  ATTN_DRAW_FIGURE_LINE,  /* through points, or the area between them */
  ATTN_DRAW_FIGURE_ARROW,
} AttnDrawFigureKind;

/* Where and what an item is. Ids are the caller's; 0: it is not picked. */
typedef struct {
  AttnDrawFigureKind kind;
  AttnDrawRect rect; /* its bounds */
  unsigned id;
  unsigned part;      /* the caller's name for it; 0 for none */
  size_t row, column; /* the caller's, of anything but a matrix */
  AttnDrawColor color;
  const char *text;    /* of a text as it was given, else NULL; the figure's */
  PangoLayout *layout; /* likewise; its origin is the rect's top left but for ink that stands out */
  size_t n_rows, n_columns; /* of a matrix: of values, not of cells */
} AttnDrawFigureItem;

/* What a point is on. */
typedef struct {
  size_t item;
  unsigned id;
  size_t row, column; /* of a matrix's value; else the item's own */
} AttnDrawFigureHit;

/* Returns: (transfer full): an empty one, for attn_draw_figure_builder_end(). */
AttnDrawFigureBuilder *attn_draw_figure_builder_new (const AttnDrawFigureStyle *style);

void attn_draw_figure_builder_free (AttnDrawFigureBuilder *builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawFigureBuilder, attn_draw_figure_builder_free)

/* Returns: px of the style's font size: what lengths are multiples of. */
double attn_draw_figure_builder_get_em (const AttnDrawFigureBuilder *builder);

/* Returns: (transfer none): the style, with nothing left open. */
const AttnDrawFigureStyle *
attn_draw_figure_builder_peek_style (const AttnDrawFigureBuilder *builder);

/* Returns: (transfer full): the figure of what was added, @width × @height px; @builder is freed.
 */
AttnDrawFigure *
attn_draw_figure_builder_end (AttnDrawFigureBuilder *builder, double width, double height);

/* Values as colours. */
typedef struct {
  size_t n_rows, n_columns; /* > 0 */
  const float *values;      /* [n_rows, n_columns] f32 row-major, read at once; −∞ is hidden */
  bool is_signed;           /* colours are of −max … max around 0; else of 0 … max */
  double max;               /* > 0; more is drawn as the strongest */
  size_t rows_per_cell, columns_per_cell; /* values that share a cell, which shows the mean of a
                                             signed matrix's, else the largest; 0 for 1 */
} AttnDrawFigureMatrix;

/* Adds a matrix that fills @rect, with a thin frame outside. */
void attn_draw_figure_add_matrix (AttnDrawFigureBuilder *builder,
                                  const AttnDrawFigureMatrix *matrix,
                                  AttnDrawRect rect,
                                  unsigned id);

/* Returns: how many values must share a cell of a matrix so that each of @n values has room in
 * @length px and a cell is at least @least px; a divisor of @whole, where that is not 0. */
size_t attn_draw_figure_find_share (size_t n, double length, double least, size_t whole);

typedef enum { ATTN_DRAW_ALIGN_START, ATTN_DRAW_ALIGN_MIDDLE, ATTN_DRAW_ALIGN_END } AttnDrawAlign;

/* One text; all zero but text is a usual one. */
typedef struct {
  const char *text; /* UTF-8 */
  bool is_markup;   /* Pango's, which has italics, <sub> and <sup>; a wrong one is shown as it is */
  bool is_bold;
  double size; /* of the style's; 0 for 1 */
  AttnDrawTone tone;
  AttnDrawAlign align; /* which of its ends, or its middle, is at x */
  double max_width;    /* px; longer ones end in an ellipsis; 0 for any length … */
  bool wraps;          /* … or go on in the next line */
  bool is_turned;      /* runs upwards, unless it is a single wide character, which stands; then
                          align is of y, and x is its left side */
  unsigned id;
  size_t row, column;
} AttnDrawFigureText;

typedef struct {
  double width, height, baseline; /* px; the baseline from the top */
} AttnDrawTextSize;

/* Returns: the room the text takes. */
AttnDrawTextSize attn_draw_figure_measure_text (AttnDrawFigureBuilder *builder,
                                                const AttnDrawFigureText *text);

/* Adds a text with its top at @y. Returns: its size. */
AttnDrawTextSize attn_draw_figure_add_text (AttnDrawFigureBuilder *builder,
                                            const AttnDrawFigureText *text,
                                            double x,
                                            double y);

/* Adds a text that wraps at @width; @size is of the style's. Returns: its height. */
double attn_draw_figure_add_paragraph (AttnDrawFigureBuilder *builder,
                                       const char *text,
                                       double x,
                                       double y,
                                       double width,
                                       double size,
                                       AttnDrawTone tone);

/* The same in bold and larger, with a gap below that counts. */
double attn_draw_figure_add_heading (
    AttnDrawFigureBuilder *builder, const char *text, double x, double y, double width);

/* Adds a filled rectangle. @id, @row and @column: as items have them. */
void attn_draw_figure_add_rule (AttnDrawFigureBuilder *builder,
                                AttnDrawRect rect,
                                AttnDrawColor color,
                                unsigned id,
                                size_t row,
                                size_t column);

/* Adds a line of @line_width px around @rect. */
void attn_draw_figure_add_frame (AttnDrawFigureBuilder *builder,
                                 AttnDrawRect rect,
                                 AttnDrawColor color,
                                 double line_width);

/* Adds an area with round corners and a thin outline. */
void attn_draw_figure_add_card (AttnDrawFigureBuilder *builder,
                                AttnDrawRect rect,
                                AttnDrawColor fill,
                                AttnDrawColor outline,
                                double radius);

typedef struct {
  double x, y;
} AttnDrawPoint;

/* Adds a line through [n] @points. */
void attn_draw_figure_add_line (AttnDrawFigureBuilder *builder,
                                const AttnDrawPoint *points,
                                size_t n,
                                AttnDrawColor color,
                                double line_width);

/* Adds the area inside [n] @points, as a band around a line; @opacity: 0 … 1. */
void attn_draw_figure_add_area (AttnDrawFigureBuilder *builder,
                                const AttnDrawPoint *points,
                                size_t n,
                                AttnDrawColor color,
                                double opacity);

/* Adds an arrow with its tip at @to. */
void attn_draw_figure_add_arrow (AttnDrawFigureBuilder *builder,
                                 AttnDrawPoint from,
                                 AttnDrawPoint to,
                                 AttnDrawColor color);

/* Adds an arrow through [n] @points, n ≥ 2, that turns in round corners, with its tip at the last
 * one. */
void attn_draw_figure_add_elbow (AttnDrawFigureBuilder *builder,
                                 const AttnDrawPoint *points,
                                 size_t n,
                                 AttnDrawColor color);

/* The item that was added last is pointed at in @rect, too, where no other is. */
void attn_draw_figure_widen (AttnDrawFigureBuilder *builder, AttnDrawRect rect);

/* The item that was added last is picked by this id; of one that has none by itself. */
void
attn_draw_figure_identify (AttnDrawFigureBuilder *builder, unsigned id, size_t row, size_t column);

/* Gives the item that was added last a name, for attn_draw_figure_find_part(). */
void attn_draw_figure_name_part (AttnDrawFigureBuilder *builder, unsigned part);

AttnDrawFigure *attn_draw_figure_ref (AttnDrawFigure *figure);

void attn_draw_figure_unref (AttnDrawFigure *figure);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawFigure, attn_draw_figure_unref)

/* Px at scale 1. */
double attn_draw_figure_get_width (const AttnDrawFigure *figure);
double attn_draw_figure_get_height (const AttnDrawFigure *figure);

size_t attn_draw_figure_get_n_items (const AttnDrawFigure *figure);

/* Returns: (transfer none): item @index, in painting order; lives as long as the figure. */
const AttnDrawFigureItem *attn_draw_figure_peek_item (const AttnDrawFigure *figure, size_t index);

/* @n: written. Returns: (transfer none) (nullable): [n] points that line, area or arrow @index goes
 * through, px; NULL of other items. Test: tests/draw/test-pipeline-ways.c */
const AttnDrawPoint *
attn_draw_figure_peek_points (const AttnDrawFigure *figure, size_t index, size_t *n);

/* Returns: the first item from @first on that has this id and kind, or G_MAXSIZE. */
size_t attn_draw_figure_find (const AttnDrawFigure *figure,
                              unsigned id,
                              AttnDrawFigureKind kind,
                              size_t first);

/* Returns: the item of this name, or G_MAXSIZE. */
size_t attn_draw_figure_find_part (const AttnDrawFigure *figure, unsigned part);

/* Returns: where a value of matrix @item stands, a row (column G_MAXSIZE) or a column (row
 * G_MAXSIZE); of other items their rect. */
AttnDrawRect
attn_draw_figure_place (const AttnDrawFigure *figure, size_t item, size_t row, size_t column);

/* Returns: whether (x, y) is on an item with an id, the topmost one; @hit is written then. The
 * inverse of place, also where values share a cell.
 *
 * Test: tests/draw/test-figure.c */
bool
attn_draw_figure_pick (const AttnDrawFigure *figure, double x, double y, AttnDrawFigureHit *hit);

/**
 * attn_draw_figure_paint:
 * @cr: at scale 1 the figure fills (0, 0) to (width, height)
 *
 * Paints everything, background included. On an image surface cells' edges lie on whole pixels.
 *
 * Test: tests/draw/test-figure.c
 */
void attn_draw_figure_paint (const AttnDrawFigure *figure, cairo_t *cr);

/* attn_draw_write() of a figure. Returns: (transfer full): the bytes, or NULL with @error as there.
 *
 * Test: tests/draw/test-figure.c: the same bytes twice. */
GBytes *attn_draw_figure_write (const AttnDrawFigure *figure,
                                AttnDrawFormat format,
                                double scale,
                                const AttnDrawProvenance *provenance,
                                GError **error);

/* The same into a file that takes the place of @path when complete; false with @error as there, and
 * IO. */
bool attn_draw_figure_write_to_file (const AttnDrawFigure *figure,
                                     AttnDrawFormat format,
                                     double scale,
                                     const AttnDrawProvenance *provenance,
                                     const char *path,
                                     GError **error);

G_END_DECLS
