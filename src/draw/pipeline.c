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

#define MARGIN 1.4       /* em */
#define GAP 1.8          /* em between the parts */
#define LEAST_TELL 19.0  /* em of the text at the left */
#define MOST_TELL 30.0   /* em */
#define LEAST_CARD 22.0  /* em of the card beside it */
#define MOST_LINE 44.0   /* em of a line that is read */
#define LEAST_WIDTH 16.0 /* em */

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
    pipe.width = MAX (floor (asked->width), LEAST_WIDTH * pipe.em);
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

/* Two columns of parts; px. */
typedef struct {
  double left_y, left_width;
  double right_x, right_y, right_width;
} Halves;

/* In the room that the flow leaves. Returns: false where that is too small. */
static bool
find_inset (const AttnDrawPipe *pipe, const AttnDrawFlow *flow, Halves *halves)
{
  const double gap = round (GAP * pipe->em);
  *halves = (Halves){
      .left_y = flow->left_bottom + gap,
      .left_width = MIN (flow->inset_x - pipe->margin - gap, MOST_TELL * pipe->em),
      .right_x = flow->inset_x,
      .right_y = flow->inset_top + gap,
      .right_width = pipe->width - pipe->margin - flow->inset_x,
  };
  return halves->left_width >= LEAST_TELL * pipe->em &&
         halves->right_width >= LEAST_CARD * pipe->em;
}

/* A matrix of tokens is square and stands under the words, a wide one over the card. So it stays
 * where it is, whichever of its numbers the card is about. */
static double
add_inset (const AttnDrawPipe *pipe, const Halves *halves)
{
  const double gap = round (GAP * pipe->em) * 0.75;
  const bool is_square = attn_draw_pipe_is_square (pipe->asked->step);
  attn_draw_pipe_add_flow (pipe, pipe->margin);
  double left = attn_draw_pipe_add_words (pipe, pipe->margin, halves->left_y, halves->left_width);
  double right = halves->right_y;
  if (is_square)
    left = attn_draw_pipe_add_enlarged (pipe, pipe->margin, left + gap, halves->left_width);
  else
    right = gap + attn_draw_pipe_add_enlarged (pipe, halves->right_x, right, halves->right_width);
  right = attn_draw_pipe_add_card (pipe, halves->right_x, right, halves->right_width);
  return MAX (left, right);
}

/* The matrix and the card: beside each other where both are wide enough then. */
static double
add_numbers (const AttnDrawPipe *pipe, double top)
{
  const double gap = round (GAP * pipe->em);
  const double width = pipe->width - 2 * pipe->margin;
  const double left_width = MIN (floor (width * 0.36), MOST_TELL * pipe->em);
  const double card_width = width - left_width - gap;
  if (!attn_draw_pipe_is_square (pipe->asked->step) || left_width < LEAST_TELL * pipe->em) {
    const double y = attn_draw_pipe_add_enlarged (pipe, pipe->margin, top, width);
    return attn_draw_pipe_add_card (pipe, pipe->margin, y + gap, width);
  }
  const double left = attn_draw_pipe_add_enlarged (pipe, pipe->margin, top, left_width);
  const double right =
      attn_draw_pipe_add_card (pipe, pipe->margin + left_width + gap, top, card_width);
  return MAX (left, right);
}

/* Where all steps do not stand in one row, what is told comes first: stepping is seen at once. */
static double
add_stacked (const AttnDrawPipe *pipe)
{
  const double gap = round (GAP * pipe->em);
  const double width = pipe->width - 2 * pipe->margin;
  const bool is_narrow = width < (LEAST_TELL + LEAST_CARD) * pipe->em + gap;
  double y = attn_draw_pipe_add_words (pipe, pipe->margin, pipe->margin,
                                       MIN (width, MOST_LINE * pipe->em)) +
             gap;
  if (is_narrow)
    y = add_numbers (pipe, y) + gap;
  y = attn_draw_pipe_add_flow (pipe, y).bottom;
  return is_narrow ? y : add_numbers (pipe, y + gap);
}

AttnDrawFigure *
attn_draw_pipeline_new (AttnDrawSteps *steps, const AttnDrawPipeline *asked)
{
  g_return_val_if_fail (attn_draw_steps_peek (steps, asked->step) != NULL, NULL);
  AttnDrawFigureBuilder *builder = attn_draw_figure_builder_new (&asked->style);
  const AttnDrawPipe pipe = pipe_init (steps, asked, builder);
  const AttnDrawFlow flow = attn_draw_pipe_find_flow (&pipe, pipe.margin);
  Halves halves;
  double end =
      find_inset (&pipe, &flow, &halves) ? add_inset (&pipe, &halves) : add_stacked (&pipe);
  end = add_note (&pipe, end + round (GAP * pipe.em));
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
