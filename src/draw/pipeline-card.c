/* SPDX-License-Identifier: MIT */
/* The card with one number's arithmetic: its heading, and its blocks beside or under each other. */
#include "pipeline-blocks.h"
#include "plain-text.h"

#include <math.h>

#define N_(english) (english)

#define DECIMALS 4
#define LEAST_BLOCK 12.0 /* em of the narrowest block beside others */
#define BLOCK_GAP 1.8    /* em */
#define PADDING 1.0      /* em */

typedef void (*AddBlock) (AttnDrawBlock *block, const AttnDrawExample *example);

static char *
dup_weight_title (const AttnDrawPipe *pipe, const AttnDrawExample *example)
{
  g_autofree char *query = attn_draw_pipe_dup_quoted (pipe, example->cell->row);
  g_autofree char *key = attn_draw_pipe_dup_quoted (pipe, example->cell->column);
  g_autofree char *score = attn_draw_dup_number ((double)example->score->value, DECIMALS);
  g_autofree char *weight = attn_draw_dup_number ((double)example->softmax->value, DECIMALS);
  const char *english = example->step == ATTN_STEP_SCORES ? N_ ("“%1$s” → “%2$s”: score %3$s")
                                                          : N_ ("“%1$s” → “%2$s”: weight %3$s");
  const char *const arguments[] = {query, key, example->step == ATTN_STEP_SCORES ? score : weight};
  return attn_draw_fill (attn_draw_pipe_say (pipe, english), arguments, 3);
}

char *
attn_draw_pipe_dup_example_title (const AttnDrawPipe *pipe)
{
  const AttnDrawExample *example = pipe->asked->example;
  if (example->softmax != NULL)
    return dup_weight_title (pipe, example);
  const AttnCell *cell = example->cell;
  g_autofree char *token = attn_draw_pipe_dup_quoted (pipe, cell->row);
  g_autofree char *symbol = attn_draw_pipe_dup_symbol (pipe, example->step);
  g_autofree char *column = g_strdup_printf ("%zu", cell->column + 1);
  g_autofree char *value = attn_draw_dup_number ((double)cell->value, DECIMALS);
  const char *const arguments[] = {symbol, token, column, value};
  return attn_draw_fill (attn_draw_pipe_say (pipe, N_ ("%1$s, row “%2$s”, column %3$s: %4$s")),
                         arguments, 4);
}

/* Why this number is shown while none was picked. */
static const char *
peek_example_note (const AttnDrawExample *example)
{
  if (!attn_draw_pipe_is_square (example->step))
    return N_ ("An example: the same row and the head’s same column in every step. "
               "Pick any other.");
  return isnan ((double)example->cell->value)
             ? N_ ("An example: its row has no numbers, so none is the largest. Pick any other.")
             : N_ ("An example: the largest number in its row. Pick any other.");
}

static void
add_heading (AttnDrawBlock *block)
{
  const AttnDrawPipe *pipe = block->pipe;
  g_autofree char *title = attn_draw_pipe_dup_example_title (pipe);
  const AttnDrawFigureText text = {.text = title,
                                   .is_markup = true,
                                   .is_bold = true,
                                   .size = 1.1,
                                   .max_width = block->width,
                                   .wraps = true};
  block->y += attn_draw_figure_add_text (pipe->builder, &text, block->x, block->y).height;
  if (!pipe->asked->has_cell) {
    const AttnDrawFigureText note = {
        .text = attn_draw_pipe_say (pipe, peek_example_note (pipe->asked->example)),
        .size = 0.85,
        .tone = ATTN_DRAW_TONE_DIM,
        .max_width = block->width,
        .wraps = true};
    block->y += attn_draw_figure_add_text (pipe->builder, &note, block->x, block->y).height;
  }
  attn_draw_block_add_gap (block, 0.8);
}

/* Beside each other where there is room, else one under the other. */
static double
add_blocks (const AttnDrawPipe *pipe, double x, double y, double width)
{
  static const AddBlock of_weight[] = {attn_draw_block_add_score, attn_draw_block_add_softmax,
                                       attn_draw_block_add_values};
  static const double shares[] = {0.39, 0.35, 0.26}; /* of the width: factors and bars need most */
  static const AddBlock of_other[] = {attn_draw_block_add_own};
  const AttnDrawExample *example = pipe->asked->example;
  const bool is_weight = example->softmax != NULL;
  const AddBlock *blocks = is_weight ? of_weight : of_other;
  const size_t n = is_weight ? G_N_ELEMENTS (of_weight) : G_N_ELEMENTS (of_other);
  const double gap = round (BLOCK_GAP * pipe->em);
  const double room = width - gap * (double)(n - 1);
  const bool is_beside = n == 1 || room * shares[n - 1] >= LEAST_BLOCK * pipe->em;
  double bottom = y, left = x;
  for (size_t i = 0; i < n; i++) {
    AttnDrawBlock block = {.pipe = pipe, .x = x, .y = bottom, .width = width};
    if (n == 1)
      block.width = MIN (width, 34 * pipe->em);
    else if (is_beside)
      block = (AttnDrawBlock){pipe, left, y, floor (room * shares[i])};
    else if (i > 0)
      block.y += gap / 2;
    left += block.width + gap;
    blocks[i](&block, example);
    bottom = MAX (bottom, block.y);
  }
  return bottom;
}

static double
add_content (const AttnDrawPipe *pipe, double x, double y, double width)
{
  const double padding = round (PADDING * pipe->em);
  AttnDrawBlock heading = {pipe, x + padding, y + padding, width - 2 * padding};
  add_heading (&heading);
  return add_blocks (pipe, heading.x, heading.y, heading.width) + padding;
}

double
attn_draw_pipe_add_card (const AttnDrawPipe *pipe, double x, double y, double width)
{
  const AttnDrawFigureStyle *style = &pipe->asked->style;
  if (pipe->asked->example == NULL)
    return y;
  /* once elsewhere, to know how high the card is that goes under it */
  AttnDrawPipe trial = *pipe;
  g_autoptr (AttnDrawFigureBuilder) builder = attn_draw_figure_builder_new (style);
  trial.builder = builder;
  const double end = ceil (add_content (&trial, x, y, width));
  attn_draw_figure_add_card (pipe->builder, (AttnDrawRect){x, y, width, end - y},
                             attn_draw_tone_get (style, ATTN_DRAW_TONE_BACKGROUND),
                             attn_draw_tone_get (style, ATTN_DRAW_TONE_RULE), 8);
  attn_draw_figure_name_part (pipe->builder, ATTN_DRAW_PIPELINE_CARD);
  add_content (pipe, x, y, width);
  return end;
}
