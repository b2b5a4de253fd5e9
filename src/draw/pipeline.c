/* SPDX-License-Identifier: MIT */
/* The pipeline's figure: the pictures of all steps, what is told of one, and a number's arithmetic.
 */
#include "attn-draw/pipeline.h"

#include "pipeline-private.h"
#include "plain-text.h"
#include "wording.h"

#include <pango/pango.h>

#include <math.h>

#define N_(english) (english)

#define MARGIN 1.0      /* em */
#define GAP 1.4         /* em between the parts */
#define MAP_FIRST 66.0  /* em of width from which on the way comes before the numbers */
#define LEAST_TELL 19.0 /* em of a matrix of tokens beside the card … */
#define MOST_TELL 27.0
#define LEAST_CARD 22.0 /* em of the card … */
#define MOST_CARD 36.0  /* … beside a matrix that takes the rest */

static AttnDrawPipe
pipe_init (AttnDrawSteps *steps, const AttnDrawPipeline *asked, AttnDrawFigureBuilder *builder)
{
  AttnDrawPipe pipe = {
      .steps = steps,
      .asked = asked,
      .translate = asked->translate != NULL ? asked->translate : attn_draw_stay_english,
      .translate_data = asked->translate_data,
      .builder = builder,
  };
  if (builder != NULL) {
    pipe.em = attn_draw_figure_builder_get_em (builder);
    pipe.margin = round (MARGIN * pipe.em);
    pipe.width = MAX (floor (asked->width), ATTN_DRAW_PIPELINE_LEAST_EM * pipe.em);
  }
  return pipe;
}

static double
add_note (const AttnDrawPipe *pipe, double y)
{
  const AttnDrawFigureText note = {
      .text = attn_draw_pipe_say (
          pipe,
          N_ ("Each picture has a range of colours of its own. Where it has more numbers than "
              "room, a cell is the mean of its neighbours, of weights the largest.")),
      .size = 0.8,
      .tone = ATTN_DRAW_TONE_DIM,
      .max_width = pipe->width - 2 * pipe->margin,
      .wraps = true};
  return y + attn_draw_figure_add_text (pipe->builder, &note, pipe->margin, y).height;
}

/* Px of the matrix beside the card: one of tokens is square, others take what the card leaves. */
static double
find_left (const AttnDrawPipe *pipe, double width)
{
  const double gap = round (GAP * pipe->em);
  if (attn_draw_pipe_is_square (pipe->asked->step))
    return CLAMP (floor (width * 0.3), LEAST_TELL * pipe->em, MOST_TELL * pipe->em);
  const double card = CLAMP (floor (width * 0.4), LEAST_CARD * pipe->em, MOST_CARD * pipe->em);
  return width - gap - card;
}

/* The matrix and the card: beside each other where both are wide enough then. */
static double
add_numbers (const AttnDrawPipe *pipe, double top)
{
  const double gap = round (GAP * pipe->em);
  const double width = pipe->width - 2 * pipe->margin;
  if (width < (LEAST_TELL + LEAST_CARD) * pipe->em + gap) {
    const double y = attn_draw_pipe_add_enlarged (pipe, pipe->margin, top, width);
    return attn_draw_pipe_add_card (pipe, pipe->margin, y + gap, width);
  }
  const double left_width = find_left (pipe, width);
  const double left = attn_draw_pipe_add_enlarged (pipe, pipe->margin, top, left_width);
  const double right = attn_draw_pipe_add_card (pipe, pipe->margin + left_width + gap, top,
                                                width - left_width - gap);
  return MAX (left, right);
}

/* What is told comes first: stepping is seen at once. Then the way, if all of it is a low row; else
 * the numbers, which are to be seen with what is told of them. */
static double
add_parts (const AttnDrawPipe *pipe)
{
  const double gap = round (GAP * pipe->em);
  const double width = pipe->width - 2 * pipe->margin;
  double y = attn_draw_pipe_add_words (pipe, pipe->margin, pipe->margin, width) + gap * 0.7;
  if (pipe->width >= MAP_FIRST * pipe->em)
    return add_numbers (pipe, attn_draw_pipe_add_flow (pipe, y) + gap * 0.75);
  y = add_numbers (pipe, y);
  return attn_draw_pipe_add_flow (pipe, y + gap);
}

AttnDrawFigure *
attn_draw_pipeline_new (AttnDrawSteps *steps, const AttnDrawPipeline *asked)
{
  g_return_val_if_fail (attn_draw_steps_peek (steps, asked->step) != NULL, NULL);
  AttnDrawFigureBuilder *builder = attn_draw_figure_builder_new (&asked->style);
  const AttnDrawPipe pipe = pipe_init (steps, asked, builder);
  const double end = add_note (&pipe, round (add_parts (&pipe) + GAP * pipe.em));
  return attn_draw_figure_builder_end (builder, pipe.width, end + pipe.margin);
}

static char *
strip_markup (const char *markup)
{
  char *text = NULL;
  if (!pango_parse_markup (markup, -1, 0, NULL, &text, NULL, NULL))
    return g_strdup (markup);
  return text;
}

char *
attn_draw_pipeline_dup_title (AttnDrawSteps *steps, const AttnDrawPipeline *asked)
{
  const AttnDrawPipe pipe = pipe_init (steps, asked, NULL);
  g_autofree char *layer = g_strdup_printf ("%zu", steps->layer + 1);
  g_autofree char *head = g_strdup_printf ("%zu", steps->head + 1);
  const char *const arguments[] = {layer, head, attn_draw_pipe_peek_name (&pipe, asked->step)};
  return attn_draw_fill (
      attn_draw_pipe_say (&pipe, N_ ("Layer %1$s, head %2$s · attention step by step: %3$s")),
      arguments, 3);
}

char *
attn_draw_pipeline_dup_value (AttnDrawSteps *steps, const AttnDrawPipeline *asked)
{
  if (asked->example == NULL)
    return g_strdup ("");
  const AttnDrawPipe pipe = pipe_init (steps, asked, NULL);
  g_autofree char *markup = attn_draw_pipe_dup_example_title (&pipe);
  return strip_markup (markup);
}

char *
attn_draw_pipeline_dup_name (const AttnDrawPipeline *asked, AttnStep step)
{
  const AttnDrawPipe pipe = pipe_init (NULL, asked, NULL);
  return g_strdup (attn_draw_pipe_peek_name (&pipe, step));
}
