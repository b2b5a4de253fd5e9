/* SPDX-License-Identifier: MIT */
/* Which heads matter most: by the effect of removing each, and by gradients beside that. */
#include "ablation-private.h"

#include "attn/number.h"

#include <math.h>

#define N_RANKED 10
#define NAME_EM 5.0
#define NUMBER_EM 4.5
#define ROW_EM 1.7
#define MOST_WIDTH_EM 46.0

static void
add_row (Making *making, size_t index, double effect, double most, double x, double y, double width)
{
  const AttnDrawFigureStyle *style = attn_draw_figure_builder_peek_style (making->builder);
  const size_t layer = index / making->n_heads, head = index % making->n_heads;
  const double em = making->em;
  const bool is_shown = layer == making->asked->layer && head == making->asked->head;
  g_autofree char *name = g_strdup_printf ("%zu-%zu", layer + 1, head + 1);
  g_autofree char *number = attn_draw_ablation_dup_signed (effect, 4);
  const AttnDrawFigureText item = {.text = name,
                                   .is_bold = is_shown,
                                   .max_width = NAME_EM * em,
                                   .id = ATTN_DRAW_ABLATION_RANKED,
                                   .row = layer,
                                   .column = head};
  attn_draw_figure_add_text (making->builder, &item, x, y);
  attn_draw_figure_widen (making->builder, (AttnDrawRect){x, y, width, ROW_EM * em});
  const double room = MAX (width - (NAME_EM + NUMBER_EM) * em, em);
  const double bar = most > 0 && isfinite (effect) ? room * fabs (effect) / most : 0;
  attn_draw_figure_add_rule (
      making->builder, (AttnDrawRect){x + NAME_EM * em, y + 0.3 * em, MAX (bar, 1), 0.8 * em},
      attn_draw_tone_get (style, effect < 0 ? ATTN_DRAW_TONE_LESS : ATTN_DRAW_TONE_MORE), 0, 0, 0);
  const AttnDrawFigureText value = {.text = number, .tone = ATTN_DRAW_TONE_DIM};
  attn_draw_figure_add_text (making->builder, &value, x + NAME_EM * em + bar + 0.4 * em, y);
}

double
attn_draw_ablation_add_ranking (Making *making, double x, double y, double width)
{
  const AttnAblationNumbers *numbers = &making->asked->numbers;
  const size_t n = MIN (making->n_layers * making->n_heads, N_RANKED);
  width = MIN (width, MOST_WIDTH_EM * making->em);
  g_autofree size_t *ranked = attn_ablation_rank (numbers);
  const double loss = numbers->clean->task->loss, top = y;
  y += attn_draw_figure_add_heading (
      making->builder,
      attn_draw_ablation_say (making->asked, N_ ("Heads that matter most here, by removing each")),
      x, y, width);
  double most = 0;
  for (size_t i = 0; i < n; i++)
    most = fmax (most, fabs (numbers->each[ranked[i]] - loss));
  for (size_t i = 0; i < n; i++) {
    add_row (making, ranked[i], numbers->each[ranked[i]] - loss, most, x, y, width);
    y += ROW_EM * making->em;
  }
  return y - top;
}

double
attn_draw_ablation_add_importance (Making *making, double x, double y, double width)
{
  const AttnAblationNumbers *numbers = &making->asked->numbers;
  const AttnDrawAblationGrid grid = {
      .values = numbers->importance->importance,
      .id = ATTN_DRAW_ABLATION_RANKED,
  };
  const double top = y, correlation = attn_ablation_correlate (numbers);
  char number[ATTN_NUMBER_SIZE];
  y += attn_draw_figure_add_heading (
      making->builder,
      attn_draw_ablation_say (making->asked, N_ ("Importance by gradients: |∂L/∂ξ|")), x, y, width);
  y += attn_draw_figure_add_paragraph (
           making->builder,
           attn_draw_ablation_say (
               making->asked,
               N_ ("How much the loss feels it if the head speaks a little louder or softer; what "
                   "removing it does is another question")),
           x, y, width, ATTN_DRAW_ABLATION_SMALL, ATTN_DRAW_TONE_DIM) +
       0.6 * making->em;
  y += attn_draw_ablation_add_cells (making, &grid, x, y, width) + 0.4 * making->em;
  if (isnan (correlation))
    return y - top;
  const char *const arguments[] = {attn_number_format_fixed (number, correlation, 2)};
  g_autofree char *sentence = attn_draw_ablation_fill (
      making->asked,
      N_ ("Rank correlation with the size of the effect of removing each: %s (1: the same order, "
          "0: none in common)"),
      arguments, 1);
  y += attn_draw_figure_add_paragraph (making->builder, sentence, x, y, width, 1,
                                       ATTN_DRAW_TONE_TEXT);
  return y - top;
}
