/* SPDX-License-Identifier: MIT */
/* The pipeline's words: what steps are called, tokens and numbers, and marked strings filled in. */
#include "pipeline-private.h"
#include "plain-text.h"

#include <math.h>
#include <string.h>

/* Marks a sentence for translators; it is translated when the figure is made. */
#define N_(english) (english)

static const char *const names[ATTN_N_STEPS] = {
    [ATTN_STEP_INPUT] = N_ ("what comes in"),
    [ATTN_STEP_NORMED] = N_ ("normalised"),
    [ATTN_STEP_QUERIES] = N_ ("queries, keys and values"),
    [ATTN_STEP_KEYS] = N_ ("queries, keys and values"),
    [ATTN_STEP_VALUES] = N_ ("queries, keys and values"),
    [ATTN_STEP_HEAD_QUERIES] = N_ ("one head’s queries, keys and values"),
    [ATTN_STEP_HEAD_KEYS] = N_ ("one head’s queries, keys and values"),
    [ATTN_STEP_HEAD_VALUES] = N_ ("one head’s queries, keys and values"),
    [ATTN_STEP_SCORES] = N_ ("scaled scores"),
    [ATTN_STEP_WEIGHTS] = N_ ("softmax"),
    [ATTN_STEP_HEAD_OUTPUT] = N_ ("what the head hands on"),
    [ATTN_STEP_CONCAT] = N_ ("all heads side by side"),
    [ATTN_STEP_CONTRIBUTION] = N_ ("what this head adds"),
    [ATTN_STEP_OUTPUT] = N_ ("the layer’s attention output"),
    [ATTN_STEP_SUM] = N_ ("added to what came in"),
    [ATTN_STEP_RESULT] = N_ ("normalised"),
};

const char *
attn_draw_pipe_say (const AttnDrawPipe *pipe, const char *english)
{
  return pipe->translate (english, pipe->translate_data);
}

char *
attn_draw_pipe_fill (const AttnDrawPipe *pipe, const char *english, const char *argument)
{
  return attn_draw_fill (attn_draw_pipe_say (pipe, english), &argument, 1);
}

char *
attn_draw_pipe_fill2 (const AttnDrawPipe *pipe,
                      const char *english,
                      const char *first,
                      const char *second)
{
  const char *const arguments[] = {first, second};
  return attn_draw_fill (attn_draw_pipe_say (pipe, english), arguments, 2);
}

static const char *
peek_piece (const AttnDrawPipe *pipe, size_t token)
{
  return attn_maps_peek_piece (pipe->steps->maps, ATTN_SIDE_QUERY, token);
}

char *
attn_draw_pipe_dup_label (const AttnDrawPipe *pipe, size_t token)
{
  if (pipe->steps->maps == NULL)
    return g_strdup_printf ("%zu", token);
  return attn_draw_visible_label (peek_piece (pipe, token));
}

char *
attn_draw_pipe_dup_token (const AttnDrawPipe *pipe, size_t token)
{
  g_autofree char *label = attn_draw_pipe_dup_label (pipe, token);
  if (pipe->steps->maps == NULL)
    return g_steal_pointer (&label);
  for (size_t other = 0; other < pipe->steps->n_tokens; other++)
    if (other != token && strcmp (peek_piece (pipe, other), peek_piece (pipe, token)) == 0)
      return g_strdup_printf ("%s · %zu", label, token);
  return g_steal_pointer (&label);
}

const char *
attn_draw_pipe_peek_name (const AttnDrawPipe *pipe, AttnStep step)
{
  return attn_draw_pipe_say (pipe, names[step]);
}

bool
attn_draw_steps_has_root (const AttnDrawSteps *steps)
{
  const double usual = 1 / sqrt ((double)steps->d_k);
  return fabs (steps->scale - usual) < 1e-6 * usual;
}

bool
attn_draw_steps_has_scale (const AttnDrawSteps *steps)
{
  return fabs (steps->scale - 1) > 1e-6;
}
