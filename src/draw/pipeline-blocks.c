/* SPDX-License-Identifier: MIT */
/* Parts of the card: each is added where the block stands, and moves it down. */
#include "pipeline-blocks.h"

#include "plain-text.h"

#include <math.h>

#define DECIMALS 4
#define BAR_SIZE 0.88   /* of text beside bars */
#define BAR_HEIGHT 0.62 /* of a line */
#define LEAST_BARS 2.4  /* em: without so much room there are no factors */
#define MOST_LABEL 7.5  /* em */
#define GAP 0.6         /* em between the columns of a line */
#define LEAST_BAR 0.75  /* px: a number that is not written as 0 has some bar */

void
attn_draw_block_add_gap (AttnDrawBlock *block, double em)
{
  block->y += round (em * block->pipe->em);
}

static AttnDrawTextSize
add (AttnDrawBlock *block, const AttnDrawFigureText *text, double x)
{
  return attn_draw_figure_add_text (block->pipe->builder, text, x, block->y);
}

void
attn_draw_block_add_caption (AttnDrawBlock *block, const char *markup)
{
  const AttnDrawFigureText text = {.text = markup,
                                   .is_markup = true,
                                   .tone = ATTN_DRAW_TONE_DIM,
                                   .max_width = block->width,
                                   .wraps = true};
  block->y += add (block, &text, block->x).height;
  attn_draw_block_add_gap (block, 0.5);
}

void
attn_draw_block_add_text (AttnDrawBlock *block, const char *markup, bool is_bold)
{
  const AttnDrawFigureText text = {.text = markup,
                                   .is_markup = true,
                                   .is_bold = is_bold,
                                   .max_width = block->width,
                                   .wraps = true};
  block->y += add (block, &text, block->x).height;
}

void
attn_draw_bar_line_clear (AttnDrawBarLine *line)
{
  g_free (line->label);
  g_free (line->detail);
}

/* Widths of the columns of all lines, and what bars are measured by. */
typedef struct {
  double label, detail, number; /* px of the widest */
  double line;                  /* px of a line */
  double room;                  /* px a label may have */
  double left, width;           /* px where bars stand */
  double least, most;           /* the smallest and the largest number, and 0 */
} Columns;

static AttnDrawFigureText
make_label (const AttnDrawBarLine *line, double room)
{
  return (AttnDrawFigureText){
      .text = line->label,
      .is_bold = line->is_bold,
      .size = BAR_SIZE,
      .tone = line->is_dim ? ATTN_DRAW_TONE_DIM : ATTN_DRAW_TONE_TEXT,
      .max_width = room,
  };
}

static AttnDrawFigureText
make_detail (const AttnDrawBarLine *line)
{
  return (AttnDrawFigureText){.text = line->detail != NULL ? line->detail : "",
                              .size = BAR_SIZE,
                              .tone = ATTN_DRAW_TONE_DIM};
}

static char *
dup_value (double value, bool is_signed)
{
  g_autofree char *number = attn_draw_dup_number (value, DECIMALS);
  return is_signed && value > 0 ? g_strconcat ("+", number, NULL) : g_steal_pointer (&number);
}

static void
measure_numbers (const AttnDrawBlock *block,
                 const AttnDrawBarLine *lines,
                 size_t n,
                 bool is_signed,
                 Columns *columns)
{
  for (size_t i = 0; i < n; i++) {
    g_autofree char *value = dup_value (lines[i].shown, is_signed);
    const AttnDrawFigureText number = {.text = value, .is_bold = true, .size = BAR_SIZE};
    const double width = attn_draw_figure_measure_text (block->pipe->builder, &number).width;
    columns->number = MAX (columns->number, width);
    columns->least = MIN (columns->least, lines[i].size);
    columns->most = MAX (columns->most, lines[i].size);
  }
}

static void
measure_labels (const AttnDrawBlock *block,
                const AttnDrawBarLine *lines,
                size_t n,
                Columns *columns)
{
  AttnDrawFigureBuilder *builder = block->pipe->builder;
  const double em = block->pipe->em;
  const double left = block->width - columns->number - 2 * GAP * em - em;
  columns->room = CLAMP (left, em, MOST_LABEL * em);
  for (size_t i = 0; i < n; i++) {
    AttnDrawFigureText label = make_label (&lines[i], columns->room);
    label.is_bold = true;
    const AttnDrawFigureText detail = make_detail (&lines[i]);
    const AttnDrawTextSize size = attn_draw_figure_measure_text (builder, &label);
    if (!lines[i].is_dim)
      columns->label = MAX (columns->label, size.width);
    columns->detail = MAX (columns->detail, attn_draw_figure_measure_text (builder, &detail).width);
    columns->line = MAX (columns->line, size.height);
  }
  columns->line = ceil (columns->line) + 2;
}

static Columns
measure_columns (const AttnDrawBlock *block, const AttnDrawBarLine *lines, size_t n, bool is_signed)
{
  const double gap = GAP * block->pipe->em;
  Columns columns = {0};
  measure_numbers (block, lines, n, is_signed, &columns);
  measure_labels (block, lines, n, &columns);
  const double rest = block->width - columns.label - columns.number - 2 * gap;
  if (rest - columns.detail - gap < LEAST_BARS * block->pipe->em)
    columns.detail = 0;
  else if (columns.detail > 0)
    columns.detail += gap;
  columns.left = block->x + columns.label + gap + columns.detail;
  columns.width = MAX (rest - columns.detail, 1);
  return columns;
}

static void
add_bar (AttnDrawBlock *block,
         const AttnDrawBarLine *line,
         const Columns *columns,
         bool is_signed,
         unsigned id)
{
  const double range = columns->most - columns->least;
  const double zero = range > 0 ? -columns->least / range * columns->width : 0;
  const double wide = range > 0 ? fabs (line->size) / range * columns->width : 0;
  const double length = MAX (wide, LEAST_BAR);
  const double height = round (columns->line * BAR_HEIGHT);
  const AttnDrawRect rect = {columns->left + (line->size < 0 ? zero - length : zero),
                             round (block->y + (columns->line - height) / 2), length, height};
  const AttnDrawTone tone = !is_signed       ? ATTN_DRAW_TONE_WEIGHT
                            : line->size < 0 ? ATTN_DRAW_TONE_LESS
                                             : ATTN_DRAW_TONE_MORE;
  AttnDrawColor color = attn_draw_tone_get (&block->pipe->asked->style, tone);
  if (line->shown != 0)
    attn_draw_figure_add_rule (block->pipe->builder, rect, color,
                               line->column != G_MAXSIZE ? id : 0, line->row, line->column);
}

static void
add_bar_line (AttnDrawBlock *block,
              const AttnDrawBarLine *line,
              const Columns *columns,
              bool is_signed,
              unsigned id)
{
  const double gap = GAP * block->pipe->em;
  AttnDrawFigureText label = make_label (line, columns->room);
  label.align = line->is_dim ? ATTN_DRAW_ALIGN_START : ATTN_DRAW_ALIGN_END;
  if (line->is_dim)
    label.max_width = block->width - columns->number - gap;
  if (line->column != G_MAXSIZE) {
    label.id = id;
    label.row = line->row;
    label.column = line->column;
  }
  const AttnDrawTextSize size =
      add (block, &label, line->is_dim ? block->x : block->x + columns->label);
  if (columns->detail > 0 && line->detail != NULL) {
    const AttnDrawFigureText detail = make_detail (line);
    add (block, &detail, block->x + columns->label + gap);
  }
  if (!line->is_dim || block->x + size.width + gap < columns->left)
    add_bar (block, line, columns, is_signed, id);
  g_autofree char *value = dup_value (line->shown, is_signed);
  const AttnDrawFigureText number = {
      .text = value, .is_bold = line->is_bold, .size = BAR_SIZE, .align = ATTN_DRAW_ALIGN_END};
  add (block, &number, block->x + block->width);
  block->y += columns->line;
}

void
attn_draw_block_add_bars (
    AttnDrawBlock *block, const AttnDrawBarLine *lines, size_t n, bool is_signed, unsigned id)
{
  const Columns columns = measure_columns (block, lines, n, is_signed);
  for (size_t i = 0; i < n; i++)
    add_bar_line (block, &lines[i], &columns, is_signed, id);
}

void
attn_draw_block_add_figure (AttnDrawBlock *block, const char *markup, double value, bool is_last)
{
  AttnDrawFigureBuilder *builder = block->pipe->builder;
  g_autofree char *number = attn_draw_dup_number (value, DECIMALS);
  const AttnDrawFigureText right = {.text = number,
                                    .is_bold = is_last,
                                    .size = is_last ? 1 : BAR_SIZE,
                                    .align = ATTN_DRAW_ALIGN_END};
  const double width = attn_draw_figure_measure_text (builder, &right).width;
  const AttnDrawFigureText left = {.text = markup,
                                   .is_markup = true,
                                   .is_bold = is_last,
                                   .size = is_last ? 1 : BAR_SIZE,
                                   .max_width = block->width - width - block->pipe->em,
                                   .wraps = true};
  if (is_last) {
    const AttnDrawRect rule = {block->x, round (block->y) + 2, block->width, 1};
    attn_draw_figure_add_rule (builder, rule,
                               attn_draw_tone_get (&block->pipe->asked->style, ATTN_DRAW_TONE_RULE),
                               0, 0, 0);
    block->y += 6;
  }
  const double height = add (block, &left, block->x).height;
  add (block, &right, block->x + block->width);
  block->y += height + 1;
}
