/* SPDX-License-Identifier: MIT */
/* Guesses and losses before and after, with the changes marked. */
#include "ablation-private.h"
#include "plain-text.h"

#include "attn/number.h"
#include "attn/tokenizer.h"

#include <math.h>

#define MOST_MASKS 4  /* lists of guesses; a text of masks alone would make hundreds */
#define NAME_EM 6.5   /* of a guess */
#define NUMBER_EM 3.9 /* of its probability */
#define MARK_EM 2.4   /* of what has changed */
#define ROW_EM 1.9

/* A list's place. */
typedef struct {
  double x, y, width;
} Column;

/* Returns: the guess's place among others, or G_MAXSIZE. */
static size_t
find_guess (const AttnPrediction *among, int32_t id)
{
  for (size_t i = 0; i < among->n_guesses; i++)
    if (among->guesses[i].id == id)
      return i;
  return G_MAXSIZE;
}

/* Returns: (transfer full): "new", "↑2", "↓1" or nothing. */
static char *
dup_mark (const AttnDrawAblation *asked, const AttnPrediction *before, size_t place, int32_t id)
{
  const size_t former = find_guess (before, id);
  if (former == G_MAXSIZE)
    return g_strdup (attn_draw_ablation_say (asked, N_ ("new")));
  if (former == place)
    return g_strdup ("");
  return former > place ? g_strdup_printf ("↑%zu", former - place)
                        : g_strdup_printf ("↓%zu", place - former);
}

static void
add_line (Making *making, const Column *column, const char *text, AttnDrawTone tone, double x)
{
  const AttnDrawFigureText item = {
      .text = text, .tone = tone, .max_width = column->x + column->width - x};
  attn_draw_figure_add_text (making->builder, &item, x, column->y);
}

/* One guess. @mark: (nullable): what has changed. */
static void
add_guess (
    Making *making, const Column *column, const AttnGuess *guess, double largest, const char *mark)
{
  const AttnDrawFigureStyle *style = attn_draw_figure_builder_peek_style (making->builder);
  const double em = making->em, names = NAME_EM * em;
  /* in both lists, so that their bars have one scale */
  const double marks = making->asked->numbers.off != NULL ? MARK_EM * em : 0;
  g_autofree char *name = attn_draw_one_line (guess->text);
  const bool has_changed = mark != NULL && *mark != '\0';
  const AttnDrawFigureText item = {
      .text = name, .is_bold = has_changed, .max_width = names - 0.5 * em};
  attn_draw_figure_add_text (making->builder, &item, column->x, column->y);
  const double room = MAX (column->width - names - NUMBER_EM * em - marks, 2 * em);
  const double bar = largest > 0 ? room * (double)guess->p / largest : 0;
  attn_draw_figure_add_rule (
      making->builder,
      (AttnDrawRect){column->x + names, column->y + 0.3 * em, MAX (bar, 1), 0.85 * em},
      attn_draw_tone_get (style, ATTN_DRAW_TONE_WEIGHT), 0, 0, 0);
  char number[ATTN_NUMBER_SIZE];
  add_line (making, column, attn_number_format_fixed (number, (double)guess->p, 3),
            ATTN_DRAW_TONE_DIM, column->x + names + bar + 0.4 * em);
  if (has_changed)
    add_line (making, column, mark, ATTN_DRAW_TONE_TEXT,
              column->x + column->width - marks + 0.3 * em);
}

/* A list of guesses under its title. @before: (nullable): what they are set against. Returns: the
 * height. */
static double
add_list (Making *making,
          const AttnPrediction *prediction,
          const AttnPrediction *before,
          double largest,
          Column column)
{
  const double top = column.y;
  column.y += attn_draw_figure_add_paragraph (
                  making->builder,
                  attn_draw_ablation_say (making->asked,
                                          before != NULL ? N_ ("heads off") : N_ ("all heads on")),
                  column.x, column.y, column.width, ATTN_DRAW_ABLATION_SMALL, ATTN_DRAW_TONE_DIM) +
              0.3 * making->em;
  for (size_t i = 0; i < prediction->n_guesses; i++) {
    g_autofree char *mark =
        before != NULL ? dup_mark (making->asked, before, i, prediction->guesses[i].id) : NULL;
    add_guess (making, &column, &prediction->guesses[i], largest, mark);
    column.y += ROW_EM * making->em;
  }
  return column.y - top;
}

static double
find_largest (const AttnPrediction *before, const AttnPrediction *after)
{
  double largest = 0;
  if (before->n_guesses > 0)
    largest = (double)before->guesses[0].p;
  if (after != NULL && after->n_guesses > 0)
    largest = MAX (largest, (double)after->guesses[0].p);
  return largest;
}

static char *
dup_title (const Making *making, const AttnPredictions *predictions, size_t index)
{
  const AttnPrediction *prediction = &predictions->items[index];
  const AttnTask *task = making->asked->numbers.clean->task;
  const bool is_drawn = task->kind == ATTN_TASK_DRAWN && index < task->n_labels;
  g_autofree char *word = is_drawn
                              ? attn_draw_one_line (attn_tokenizer_peek_text (
                                    attn_model_peek_tokenizer (attn_trace_peek_model (task->clean)),
                                    task->labels[index]))
                              : g_strdup ("");
  g_autofree char *number = g_strdup_printf ("%zu", index + 1);
  g_autofree char *n = g_strdup_printf ("%zu", predictions->n);
  const char *const arguments[] = {number, n, word};
  const char *title = prediction->next ? N_ ("Next-token guesses")
                      : is_drawn ? N_ ("Guesses where “%3$s” stood, masked in the first draw")
                      : predictions->n == 1 ? N_ ("Guesses at [MASK]")
                                            : N_ ("Guesses at [MASK] %1$s of %2$s");
  return attn_draw_ablation_fill (making->asked, title, arguments, 3);
}

/* Before and after of one mask beside each other. */
static double
add_mask (Making *making, size_t index, double x, double y, double width)
{
  const AttnAblationNumbers *numbers = &making->asked->numbers;
  const AttnPredictions *all = numbers->clean->before;
  const AttnPredictions *off = numbers->off != NULL ? numbers->off->after : NULL;
  const AttnPrediction *before = &all->items[index];
  const AttnPrediction *after = off != NULL && index < off->n ? &off->items[index] : NULL;
  const double largest = find_largest (before, after), top = y;
  const double gap = 1.2 * making->em, half = (width - gap) / 2;
  g_autofree char *title = dup_title (making, all, index);
  y += attn_draw_figure_add_heading (making->builder, title, x, y, width);
  double height = add_list (making, before, NULL, largest, (Column){x, y, half});
  if (after != NULL) {
    const double other =
        add_list (making, after, before, largest, (Column){x + half + gap, y, half});
    height = MAX (height, other);
  }
  return y + height - top;
}

double
attn_draw_ablation_add_guesses (Making *making, double x, double y, double width)
{
  const AttnAblationNumbers *numbers = &making->asked->numbers;
  const AttnPredictions *before = numbers->clean->before;
  const double top = y;
  for (size_t i = 0; before != NULL && i < MIN (before->n, MOST_MASKS); i++)
    y += add_mask (making, i, x, y, width) + 0.5 * making->em;
  g_autofree char *losses = attn_draw_ablation_dup_losses (making->asked);
  y += attn_draw_figure_add_paragraph (making->builder, losses, x, y, width, 1,
                                       ATTN_DRAW_TONE_TEXT) +
       0.3 * making->em;
  g_autofree char *task = attn_draw_ablation_dup_task (making->asked);
  y += attn_draw_figure_add_paragraph (making->builder, task, x, y, width, ATTN_DRAW_ABLATION_SMALL,
                                       ATTN_DRAW_TONE_DIM);
  return y - top;
}
