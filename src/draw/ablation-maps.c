/* SPDX-License-Identifier: MIT */
/* One head's map with all heads on, with some off, and the difference. */
#include "ablation-private.h"
#include "plain-text.h"

#include "attn/number.h"
#include "attn/tokens.h"

#include <math.h>

#define MAP_EM 24.0
#define LEAST_CELL 1.0 /* px; smaller ones share one */
#define LABEL_EM 6.0
#define GAP_EM 1.6

typedef const AttnDrawAblationWeights Maps;

/* ---- tokens ---- */

static char *
dup_token (const Making *making, size_t token)
{
  const AttnTrace *trace = making->asked->numbers.clean->task->clean;
  AttnTokens *tokens = attn_trace_peek_tokens (trace);
  if (tokens == NULL)
    return g_strdup_printf ("%zu", token);
  return attn_draw_one_line (attn_tokens_peek (tokens, token)->text);
}

static AttnDrawFigureText
make_label (const Making *making, const char *text, bool is_key)
{
  return (AttnDrawFigureText){
      .text = text,
      .size = ATTN_DRAW_ABLATION_SMALL,
      .tone = ATTN_DRAW_TONE_DIM,
      .align = is_key ? ATTN_DRAW_ALIGN_START : ATTN_DRAW_ALIGN_END,
      .max_width = LABEL_EM * making->em,
      .is_turned = is_key,
  };
}

/* Returns: px that labels need left of a map and above it; 0 where rows are too low for them. */
static double
find_margin (Making *making, size_t T, double side)
{
  double widest = 0, highest = 0;
  for (size_t t = 0; t < T && highest * (double)T <= side; t++) {
    g_autofree char *token = dup_token (making, t);
    const AttnDrawFigureText label = make_label (making, token, false);
    const AttnDrawTextSize size = attn_draw_figure_measure_text (making->builder, &label);
    widest = MAX (widest, size.width);
    highest = MAX (highest, size.height);
  }
  const double margin = ceil (widest + 0.4 * making->em);
  return highest * (double)T <= side - margin ? margin : 0;
}

static void
add_labels (Making *making, size_t T, AttnDrawRect rect)
{
  const double cell = rect.height / (double)T, gap = 0.4 * making->em;
  for (size_t t = 0; t < T; t++) {
    const double middle = ((double)t + 0.5) * cell;
    g_autofree char *token = dup_token (making, t);
    AttnDrawFigureText label = make_label (making, token, false);
    const double height = attn_draw_figure_measure_text (making->builder, &label).height;
    attn_draw_figure_add_text (making->builder, &label, rect.x - gap, rect.y + middle - height / 2);
    label = make_label (making, token, true);
    const AttnDrawTextSize size = attn_draw_figure_measure_text (making->builder, &label);
    attn_draw_figure_add_text (making->builder, &label, rect.x + middle - size.width / 2,
                               rect.y - gap - size.height);
  }
}

/* ---- the maps ---- */

/* Map @which of the three, with its title and its range. Returns: its height. */
static double
add_map (Making *making, Maps *maps, size_t which, double margin, double x, double y, double side)
{
  static const char *const titles[] = {N_ ("A: all heads on"), N_ ("B: heads off"), N_ ("A − B")};
  const bool is_signed = which == 2;
  const double most = is_signed ? maps->change : maps->most, top = y;
  char number[ATTN_NUMBER_SIZE];
  y += attn_draw_figure_add_paragraph (making->builder,
                                       attn_draw_ablation_say (making->asked, titles[which]), x, y,
                                       side, 1, ATTN_DRAW_TONE_TEXT) +
       0.3 * making->em;
  const AttnDrawRect rect = {round (x + margin), round (y + margin), round (side - margin),
                             round (side - margin)};
  const AttnDrawFigureMatrix matrix = {
      .n_rows = maps->T,
      .n_columns = maps->T,
      .values = maps->values[which],
      .is_signed = is_signed,
      .max = most > 0 ? most : 1,
      .rows_per_cell = attn_draw_figure_find_share (maps->T, rect.height, LEAST_CELL, 0),
      .columns_per_cell = attn_draw_figure_find_share (maps->T, rect.width, LEAST_CELL, 0),
  };
  attn_draw_figure_add_matrix (making->builder, &matrix, rect,
                               ATTN_DRAW_ABLATION_MAP + (unsigned)which);
  if (margin > 0)
    add_labels (making, maps->T, rect);
  y += side + 0.3 * making->em;
  const char *const arguments[] = {attn_number_format_fixed (number, most, 4)};
  g_autofree char *range =
      attn_draw_ablation_fill (making->asked,
                               !is_signed ? N_ ("0 to %s")
                               : most > 0 ? N_ ("−%1$s to %1$s")
                                          : N_ ("every weight of A − B is exactly 0"),
                               arguments, 1);
  y += attn_draw_figure_add_paragraph (making->builder, range, x, y, side, ATTN_DRAW_ABLATION_SMALL,
                                       ATTN_DRAW_TONE_DIM);
  return y - top;
}

/* Returns: (transfer full): of what the maps are, and whether they differ. */
static char *
dup_heading (const Making *making, Maps *maps)
{
  g_autofree char *layer = g_strdup_printf ("%zu", maps->layer + 1);
  g_autofree char *head = g_strdup_printf ("%zu", maps->head + 1);
  const char *const arguments[] = {layer, head};
  return attn_draw_ablation_fill (
      making->asked,
      maps->change > 0 ? N_ ("Layer %1$s, head %2$s: where it looks before and after")
                       : N_ ("Layer %1$s, head %2$s looks as before: what was "
                             "switched off does not reach its weights"),
      arguments, 2);
}

double
attn_draw_ablation_add_maps (Making *making, double x, double y, double width)
{
  const double top = y, gap = GAP_EM * making->em;
  const AttnAblationNumbers *numbers = &making->asked->numbers;
  g_autoptr (AttnDrawAblationWeights) maps =
      making->asked->weights != NULL
          ? attn_draw_ablation_weights_ref (making->asked->weights)
          : attn_draw_ablation_weights_new (numbers->clean->task->clean, numbers->off->trace,
                                            making->asked->layer, making->asked->head);
  if (maps == NULL)
    return 0; /* no memory for them */
  const bool is_row = width >= 3 * 11 * making->em;
  const double side = MIN (is_row ? (width - 2 * gap) / 3 : width, MAP_EM * making->em);
  const double margin = find_margin (making, maps->T, side);
  g_autofree char *heading = dup_heading (making, maps);
  y += attn_draw_figure_add_heading (making->builder, heading, x, y, width);
  double height = 0;
  for (size_t i = 0; i < 3; i++) {
    const double left = is_row ? x + (double)i * (side + gap) : x;
    const double own = add_map (making, maps, i, margin, left, y, side);
    if (!is_row)
      y += own + gap / 2;
    height = is_row ? MAX (height, own) : 0;
  }
  return y + height - top;
}
