/* SPDX-License-Identifier: MIT */
/* Inside a figure, for what builds, picks and paints it. */
#pragma once

#include "palette.h"
#include "text.h"

#include "attn-draw/figure.h"

#include <stdint.h>

#define ATTN_DRAW_FIGURE_HIDDEN 256 /* codes beyond those of the 256 colours */
#define ATTN_DRAW_FIGURE_NAN 257

/* An item with what only painting needs. */
typedef struct {
  AttnDrawFigureItem item;
  char *text;            /* of a text; owned */
  AttnDrawRect reach;    /* px: where it is pointed at, too; 0 wide: nowhere */
  double line_width;     /* of a frame or a line */
  double radius;         /* of a card; else 0 */
  AttnDrawColor fill;    /* of a card */
  double opacity;        /* of an area; else 0 */
  double text_x, text_y; /* the text's own origin */
  bool is_turned;
  /* of a matrix */
  bool is_signed;
  size_t rows_per_cell, columns_per_cell;
  uint16_t *codes; /* [⌈n_rows / rows_per_cell⌉, ⌈n_columns / columns_per_cell⌉]; owned */
  AttnDrawPoint *points; /* of a line, an area or an arrow; owned */
  size_t n_points;
} AttnDrawFigurePart;

struct _AttnDrawFigure {
  size_t n_references;
  AttnDrawFigureStyle style;    /* its texts are … */
  char *font_family, *language; /* … these, owned */
  double width, height;
  AttnDrawFonts *fonts; /* owns the texts' layouts */
  GPtrArray *parts;     /* of AttnDrawFigurePart, owned */
};

static inline size_t
attn_draw_figure_count_cells (size_t n, size_t per_cell)
{
  return (n + per_cell - 1) / per_cell;
}

static inline const AttnDrawFigurePart *
attn_draw_figure_peek_part (const AttnDrawFigure *figure, size_t index)
{
  return g_ptr_array_index (figure->parts, index);
}

/* Where value @index of @n begins on a side of @length px from @origin; index @n is the end. */
static inline double
attn_draw_figure_edge (double origin, double length, size_t n, size_t index)
{
  return origin + length * (double)index / (double)n;
}
