/* SPDX-License-Identifier: MIT */
/* What is told of each step, in sentences that are true of the opened model's family and layer. */
#include "pipeline-private.h"
#include "plain-text.h"

#include "attn-draw/sentences.h"

#define N_(english) (english)

/* NULL: the step's stage has one sentence, or it depends on the model. */
static const char *const sentences[ATTN_N_STEPS] = {
    [ATTN_STEP_INPUT] = N_ ("Each row is a token: the numbers that the layers before have made of "
                            "it."),
    [ATTN_STEP_NORMED] = N_ ("Each row is brought to mean 0 and spread 1. Then every column is "
                             "scaled and moved by numbers that were learned."),
    [ATTN_STEP_QUERIES] =
        N_ ("Every row is multiplied by three matrices that were learned. Its query says what the "
            "token looks for, its key what it offers, its value what it hands on."),
    [ATTN_STEP_HEAD_QUERIES] =
        N_ ("Every head has its own columns of W_Q, W_K and W_V, %1$s × %2$s each: through them it "
            "reads all %1$s numbers of a row and makes %2$s of its own, the columns that are "
            "marked. It works by itself from here on."),
    [ATTN_STEP_SCORES] =
        N_ ("Every query row meets every key row: their dot product says how well they fit."),
    [ATTN_STEP_WEIGHTS] =
        N_ ("Softmax turns each row of scores into weights: none below 0, and together 1. A row "
            "says how a token shares out its attention. This is the heat map."),
    [ATTN_STEP_HEAD_OUTPUT] =
        N_ ("Each row is a mixture of the value rows, by the weights in its row: a token takes "
            "most from those it looks at most."),
    [ATTN_STEP_CONCAT] = N_ ("What the heads hand on is put side by side: as wide as the layer’s "
                             "input again."),
    [ATTN_STEP_CONTRIBUTION] =
        N_ ("One more matrix that was learned, W_O, makes the output of what the heads hand on. "
            "This is what this head alone adds: its numbers times its own rows of W_O, %1$s of "
            "%2$s."),
    [ATTN_STEP_OUTPUT] =
        N_ ("All heads’ numbers times the whole of W_O: it mixes what the heads have found, so "
            "that every column may hold something of every head."),
    [ATTN_STEP_SUM] = N_ ("The output is added to what came in: attention changes a token’s row, "
                          "it does not replace it."),
    [ATTN_STEP_RESULT] = N_ ("Each row is brought to mean 0 and spread 1. Then every column is "
                             "scaled and moved by numbers that were learned."),
};

#define FIRST_SENTENCE \
  N_ ("Each row is a token: the numbers that stand for it before the first layer.")
#define LEFT_SENTENCE \
  N_ ("The first layer leaves each row as it is: the embedding is normalised already.")
#define SCALED_SENTENCE \
  N_ ("Each row is brought to mean 0 and spread 1. Then every column is scaled by a number that " \
      "was learned.")

AttnStep
attn_draw_pipe_find_told (AttnStep step)
{
  while (sentences[step] == NULL)
    step--;
  return step;
}

static char *
fill_counts (const AttnDrawPipe *pipe, const char *english, size_t first, size_t second)
{
  g_autofree char *a = g_strdup_printf ("%zu", first);
  g_autofree char *b = g_strdup_printf ("%zu", second);
  return attn_draw_pipe_fill2 (pipe, english, a, b);
}

static char *
dup_told (const AttnDrawPipe *pipe, AttnStep step)
{
  const AttnDrawSteps *steps = pipe->steps;
  const char *english = sentences[step];
  if (step == ATTN_STEP_HEAD_QUERIES)
    return fill_counts (pipe, english, steps->d_model, steps->d_k);
  if (step == ATTN_STEP_CONTRIBUTION)
    return fill_counts (pipe, english, steps->d_k, steps->d_k * steps->n_heads);
  if (step == ATTN_STEP_INPUT && steps->layer == 0)
    english = FIRST_SENTENCE;
  if (step == ATTN_STEP_NORMED && steps->is_left)
    english = LEFT_SENTENCE;
  else if ((step == ATTN_STEP_NORMED || step == ATTN_STEP_RESULT) && !steps->has_norm_bias)
    english = SCALED_SENTENCE;
  return g_strdup (attn_draw_pipe_say (pipe, english));
}

static void
append (GString *text, const AttnDrawPipe *pipe, bool is_told, const char *english)
{
  if (is_told)
    attn_draw_add_sentence (text, attn_draw_pipe_say (pipe, english));
}

/* ---- before the first layer ---- */

static const char *
find_embedding (const AttnStepFamily *family)
{
  if (family->has_positions && family->has_types)
    return N_ ("At first a token’s row is its row of the word table, plus a row of the position "
               "table for its place, plus a row of the type table for the text it is in.");
  if (family->has_positions)
    return N_ ("At first a token’s row is its row of the word table, plus a row of the position "
               "table for its place.");
  if (family->has_types)
    return N_ ("At first a token’s row is its row of the word table, plus a row of the type table "
               "for the text it is in.");
  return N_ ("At first a token’s row is its row of the word table.");
}

static void
append_embedding (GString *text, const AttnDrawPipe *pipe)
{
  const AttnDrawSteps *steps = pipe->steps;
  const AttnConfig *config = attn_model_peek_config (attn_trace_peek_model (steps->trace));
  const bool is_wider = config->d_embed != 0 && config->d_embed != config->d_model;
  append (text, pipe, true, find_embedding (&steps->family));
  append (text, pipe, steps->family.is_normed, N_ ("Then comes a LayerNorm."));
  if (is_wider) {
    g_autofree char *widened =
        fill_counts (pipe, N_ ("A matrix that was learned makes %2$s numbers of %1$s."),
                     config->d_embed, config->d_model);
    attn_draw_add_sentence (text, widened);
  }
  append (text, pipe, steps->is_rotated,
          N_ ("Its place comes in later: queries and keys are turned by it."));
  append (text, pipe, steps->distance != ATTN_DRAW_DISTANCE_NONE,
          N_ ("How far apart two tokens are comes in later, in the scores."));
}

/* ---- scores ---- */

static void
append_mask (GString *text, const AttnDrawPipe *pipe)
{
  const AttnDrawSteps *steps = pipe->steps;
  if (steps->hidden_from > 0) {
    g_autofree char *far = g_strdup_printf ("%zu", steps->hidden_from);
    g_autofree char *mask = attn_draw_pipe_fill (
        pipe,
        N_ ("This layer’s mask: the scores of keys %s tokens away and further are set to −∞, so "
            "that their weights are 0."),
        far);
    attn_draw_add_sentence (text, mask);
  }
  append (text, pipe, steps->family.is_causal,
          N_ ("The mask: the scores of keys that come later are set to −∞, so that their weights "
              "are 0."));
  append (text, pipe, steps->hidden_from == 0 && !steps->family.is_causal,
          N_ ("There is no mask in this layer: every token sees all of them."));
  append (text, pipe, steps->has_hidden, N_ ("Such cells are grey."));
}

static void
append_scores (GString *text, const AttnDrawPipe *pipe)
{
  const AttnDrawSteps *steps = pipe->steps;
  const bool has_root = attn_draw_steps_has_root (steps);
  append (text, pipe, steps->distance != ATTN_DRAW_DISTANCE_NONE,
          N_ ("D is what the model adds for how far apart the two tokens are."));
  append (text, pipe, has_root,
          N_ ("A sum of d_k products of independent numbers spreads like the root of d_k. Dividing "
              "by that root keeps the scores from growing with the width of a head, so that the "
              "next step does not give nearly all weight to one token."));
  append (text, pipe, !has_root && attn_draw_steps_has_scale (steps),
          N_ ("A sum of d_k products of independent numbers spreads like the root of d_k. The "
              "factor keeps the scores from growing with the width of a head, so that the next "
              "step does not give nearly all weight to one token."));
  append_mask (text, pipe);
}

/* ---- after the last step ---- */

static void
append_end (GString *text, const AttnDrawPipe *pipe)
{
  const AttnDrawSteps *steps = pipe->steps;
  const AttnConfig *config = attn_model_peek_config (attn_trace_peek_model (steps->trace));
  const bool is_last = steps->layer + 1 == steps->n_layers;
  const bool is_before = attn_draw_steps_peek (steps, ATTN_STEP_NORMED) != NULL;
  append (text, pipe, is_before,
          N_ ("Then a second LayerNorm and a feed-forward part follow, and their output is added "
              "to this sum."));
  append (text, pipe, !is_before,
          N_ ("Then a feed-forward part follows; its output is added to these rows, and a second "
              "LayerNorm brings them to mean 0 and spread 1 again."));
  append (text, pipe, steps->layer == 0 && config->conv_width > 0,
          N_ ("After the first layer a convolution adds something of the tokens beside each."));
  append (text, pipe, !is_last, N_ ("That is the next layer’s X."));
  append (text, pipe, is_last && is_before,
          N_ ("This is the last layer: one more LayerNorm ends the model."));
  append (text, pipe, is_last && !is_before, N_ ("This is the last layer: so the model ends."));
}

/* Letters with what stands under them. */
static char *
dup_markup (const char *text)
{
  static const char *const letters[][2] = {
      {"d_k", "<i>d</i><sub>k</sub>"}, {"W_Q", "<i>W</i><sub>Q</sub>"},
      {"W_K", "<i>W</i><sub>K</sub>"}, {"W_V", "<i>W</i><sub>V</sub>"},
      {"W_O", "<i>W</i><sub>O</sub>"},
  };
  g_autofree char *escaped = g_markup_escape_text (text, -1);
  GString *markup = g_string_new (escaped);
  for (size_t i = 0; i < G_N_ELEMENTS (letters); i++)
    g_string_replace (markup, letters[i][0], letters[i][1], 0);
  return g_string_free (markup, FALSE);
}

char *
attn_draw_pipe_dup_sentence (const AttnDrawPipe *pipe, AttnStep step)
{
  const AttnDrawSteps *steps = pipe->steps;
  g_autofree char *told = dup_told (pipe, attn_draw_pipe_find_told (step));
  g_autoptr (GString) text = g_string_new (told);
  const bool is_projection = step >= ATTN_STEP_QUERIES && step <= ATTN_STEP_VALUES;
  if (step == ATTN_STEP_INPUT)
    append_embedding (text, pipe);
  append (text, pipe, is_projection && steps->is_rotated,
          N_ ("Queries and keys are then turned by angles that grow with the token’s place."));
  if (step == ATTN_STEP_SCORES)
    append_scores (text, pipe);
  if (step == ATTN_STEP_CONTRIBUTION)
    append (text, pipe, true,
            steps->has_bias ? N_ ("The heads’ contributions and the bias sum to the output.")
                            : N_ ("The heads’ contributions sum to the output."));
  if (attn_draw_steps_move (steps, step, 1) == step)
    append_end (text, pipe);
  return dup_markup (text->str);
}
