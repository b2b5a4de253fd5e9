/* SPDX-License-Identifier: MIT */
/* Parts of the card with a number's arithmetic: bars, columns of figures, lines of text. */
#pragma once

#include "pipeline-private.h"

/* Where the next line goes; it moves down as lines are added. */
typedef struct {
  const AttnDrawPipe *pipe;
  double x, y, width; /* px */
} AttnDrawBlock;

/* One bar with its number. */
typedef struct {
  char *label;  /* owned; not markup */
  char *detail; /* (nullable): owned: the factors */
  double size;  /* of the bar */
  double shown; /* the number beside it */
  bool is_bold;
  bool is_dim;        /* many small ones in one */
  size_t row, column; /* of the number it leads to; G_MAXSIZE for none */
} AttnDrawBarLine;

/* A caption over what follows, markup. */
void attn_draw_block_add_caption (AttnDrawBlock *block, const char *markup);

/* A text, wrapped; @markup may be plain. */
void attn_draw_block_add_text (AttnDrawBlock *block, const char *markup, bool is_bold);

/* Bars around a common 0, with labels before and numbers behind them, as wide as the block. @id is
 * that of what they lead to, 0 for nothing. */
void attn_draw_block_add_bars (
    AttnDrawBlock *block, const AttnDrawBarLine *lines, size_t n, bool is_signed, unsigned id);

/* A figure of a sum: its name, and its number at the right. The last one has a line over it. */
void
attn_draw_block_add_figure (AttnDrawBlock *block, const char *markup, double value, bool is_last);

void attn_draw_block_add_gap (AttnDrawBlock *block, double em);

void attn_draw_bar_line_clear (AttnDrawBarLine *line);

/* ---- of a number ---- */

/* Whatever leads to it. */
void attn_draw_block_add_own (AttnDrawBlock *block, const AttnDrawExample *example);

/* Of a score or a weight that is seen: how the score is made, the softmax of its row, and the row
 * of the head's output that the weights lead to. */
void attn_draw_block_add_score (AttnDrawBlock *block, const AttnDrawExample *example);
void attn_draw_block_add_softmax (AttnDrawBlock *block, const AttnDrawExample *example);
void attn_draw_block_add_values (AttnDrawBlock *block, const AttnDrawExample *example);
