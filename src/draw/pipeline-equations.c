/* SPDX-License-Identifier: MIT */
/* The pipeline's steps in symbols: their letters, shapes and equations. */
#include "pipeline-private.h"
#include "plain-text.h"

/* Marks a sentence for translators; it is translated when the figure is made. */
#define N_(english) (english)

/* "(Q₁K₁ᵀ + D)·0.2041", "Q₁K₁ᵀ/√8 + D": where the family adds what the distance does. */
static char *
dup_scores_symbol (const AttnDrawSteps *steps)
{
  const size_t head = steps->head + 1;
  const char *after = steps->distance == ATTN_DRAW_DISTANCE_AFTER ? " + <i>D</i>" : "";
  const bool is_inside = steps->distance == ATTN_DRAW_DISTANCE_INSIDE;
  g_autofree char *product =
      g_strdup_printf ("%s<i>Q</i><sub>%zu</sub><i>K</i><sub>%zu</sub><sup>T</sup>%s",
                       is_inside ? "(" : "", head, head, is_inside ? " + <i>D</i>)" : "");
  if (attn_draw_steps_has_root (steps))
    return g_strdup_printf ("%s/√%zu%s", product, steps->d_k, after);
  if (!attn_draw_steps_has_scale (steps))
    return g_strconcat (product, after, NULL);
  g_autofree char *scale = attn_draw_dup_number (steps->scale, 4);
  return g_strdup_printf ("%s·%s%s", product, scale, after);
}

char *
attn_draw_pipe_dup_symbol (const AttnDrawPipe *pipe, AttnStep step)
{
  const size_t head = pipe->steps->head + 1;
  switch (step) {
  case ATTN_STEP_INPUT:
    return g_strdup ("<i>X</i>");
  case ATTN_STEP_NORMED:
    return g_strdup ("norm(<i>X</i>)");
  case ATTN_STEP_QUERIES:
    return g_strdup ("<i>Q</i>");
  case ATTN_STEP_KEYS:
    return g_strdup ("<i>K</i>");
  case ATTN_STEP_VALUES:
    return g_strdup ("<i>V</i>");
  case ATTN_STEP_HEAD_QUERIES:
    return g_strdup_printf ("<i>Q</i><sub>%zu</sub>", head);
  case ATTN_STEP_HEAD_KEYS:
    return g_strdup_printf ("<i>K</i><sub>%zu</sub>", head);
  case ATTN_STEP_HEAD_VALUES:
    return g_strdup_printf ("<i>V</i><sub>%zu</sub>", head);
  case ATTN_STEP_SCORES:
    return dup_scores_symbol (pipe->steps);
  case ATTN_STEP_WEIGHTS:
    return g_strdup ("<i>softmax</i>");
  case ATTN_STEP_HEAD_OUTPUT:
    return g_strdup_printf ("<i>head</i><sub>%zu</sub>", head);
  case ATTN_STEP_CONCAT:
    return g_strdup ("<i>concat</i>");
  case ATTN_STEP_CONTRIBUTION:
    return g_strdup_printf ("<i>head</i><sub>%zu</sub><i>W</i><sub>O</sub><sup>(%zu)</sup>", head,
                            head);
  case ATTN_STEP_OUTPUT:
    return g_strdup ("<i>output</i>");
  case ATTN_STEP_SUM:
    return g_strdup ("<i>X</i> + <i>output</i>");
  case ATTN_STEP_RESULT:
    return g_strdup ("<i>LayerNorm</i>");
  case ATTN_N_STEPS:
    break;
  }
  g_return_val_if_reached (g_strdup (""));
}

char *
attn_draw_pipe_dup_shape (const AttnDrawPipe *pipe, AttnStep step)
{
  const AttnMatrix *matrix = attn_draw_steps_peek (pipe->steps, step);
  if (step == ATTN_STEP_SCORES || step == ATTN_STEP_WEIGHTS)
    return g_strdup ("<i>T</i> × <i>T</i>");
  const bool is_narrow = attn_step_is_of_head (step) && matrix->n_columns == pipe->steps->d_k &&
                         step != ATTN_STEP_CONTRIBUTION;
  return g_strdup_printf ("<i>T</i> × <i>d</i><sub>%s</sub>", is_narrow ? "k" : "model");
}

char *
attn_draw_pipe_dup_size (const AttnDrawPipe *pipe, AttnStep step)
{
  const AttnMatrix *matrix = attn_draw_steps_peek (pipe->steps, step);
  return g_strdup_printf ("%zu × %zu", matrix->n_rows, matrix->n_columns);
}

static char *
dup_projection (const AttnDrawSteps *steps, const char *letter)
{
  const char *x = steps->matrices[ATTN_STEP_NORMED] != NULL ? "norm(<i>X</i>)" : "<i>X</i>";
  g_autofree char *bias =
      steps->has_bias ? g_strdup_printf (" + <i>b</i><sub>%s</sub>", letter) : g_strdup ("");
  return g_strdup_printf ("<i>%s</i> = %s <i>W</i><sub>%s</sub>%s", letter, x, letter, bias);
}

static char *
dup_projections (const AttnDrawSteps *steps)
{
  g_autofree char *q = dup_projection (steps, "Q");
  g_autofree char *k = dup_projection (steps, "K");
  g_autofree char *v = dup_projection (steps, "V");
  return g_strjoin ("\n", q, k, v, NULL);
}

static char *
dup_share (const AttnDrawSteps *steps)
{
  return g_strdup_printf ("<i>d</i><sub>k</sub> = <i>d</i><sub>model</sub> / <i>h</i> = %zu / %zu "
                          "= %zu",
                          steps->d_model, steps->n_heads, steps->d_k);
}

static char *
dup_weights (const AttnDrawSteps *steps)
{
  g_autofree char *scores = dup_scores_symbol (steps);
  return g_strdup_printf ("<i>A</i> = softmax(%s)\n"
                          "<i>A</i><sub>ij</sub> = exp(<i>s</i><sub>ij</sub>) / "
                          "Σ<sub>j′</sub> exp(<i>s</i><sub>ij′</sub>)",
                          scores);
}

char *
attn_draw_pipe_dup_norm (const AttnDrawPipe *pipe)
{
  return g_strdup_printf (
      "(<i>x</i> − %s) / √(%s + ε) · <i>γ</i>%s", attn_draw_pipe_say (pipe, N_ ("mean")),
      attn_draw_pipe_say (pipe, N_ ("variance")), pipe->steps->has_norm_bias ? " + <i>β</i>" : "");
}

char *
attn_draw_pipe_dup_equation (const AttnDrawPipe *pipe, AttnStep step)
{
  const AttnDrawSteps *steps = pipe->steps;
  const size_t head = steps->head + 1;
  switch (attn_draw_pipe_find_told (step)) {
  case ATTN_STEP_NORMED:
    return steps->is_left ? g_strdup ("norm(<i>X</i>) = <i>X</i>") : attn_draw_pipe_dup_norm (pipe);
  case ATTN_STEP_RESULT:
    return attn_draw_pipe_dup_norm (pipe);
  case ATTN_STEP_QUERIES:
    return dup_projections (steps);
  case ATTN_STEP_HEAD_QUERIES:
    return dup_share (steps);
  case ATTN_STEP_SCORES: {
    g_autofree char *symbol = dup_scores_symbol (steps);
    return g_strdup_printf ("<i>S</i> = %s", symbol);
  }
  case ATTN_STEP_WEIGHTS:
    return dup_weights (steps);
  case ATTN_STEP_HEAD_OUTPUT:
    return g_strdup_printf ("<i>head</i><sub>%zu</sub> = <i>A</i> <i>V</i><sub>%zu</sub>", head,
                            head);
  case ATTN_STEP_CONCAT:
    return g_strdup_printf ("[<i>head</i><sub>1</sub>, …, <i>head</i><sub>%zu</sub>]",
                            steps->n_heads);
  case ATTN_STEP_CONTRIBUTION:
    return g_strdup_printf ("Σ<sub>i</sub> <i>head</i><sub>i</sub> "
                            "<i>W</i><sub>O</sub><sup>(i)</sup>%s = <i>output</i>",
                            steps->has_bias ? " + <i>b</i><sub>O</sub>" : "");
  case ATTN_STEP_OUTPUT:
    return g_strdup_printf ("<i>output</i> = <i>concat</i> <i>W</i><sub>O</sub>%s",
                            steps->has_bias ? " + <i>b</i><sub>O</sub>" : "");
  case ATTN_STEP_SUM:
    return g_strdup ("<i>X</i> + <i>output</i>");
  default:
    return g_strdup ("");
  }
}
