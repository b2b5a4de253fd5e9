/* SPDX-License-Identifier: MIT */
/* Heads as a grid of layers by heads: coloured by what a head does, marked where it is off, and
 * each layer's mean beside it. */
#include "ablation-private.h"
#include "palette.h"
#include "values.h"

#include "attn/number.h"

#include <math.h>

#define GAP 3.0          /* px between cells */
#define MOST_CELL_EM 5.6 /* wide */
#define LEAST_HEIGHT_EM 1.5
#define MOST_HEIGHT_EM 3.4
#define BARS_EM 7.0 /* of the layers' means */
#define LABEL_GAP_EM 0.6
#define SMALL_EFFECT 0.1 /* below this two decimals say little */
#define PAD 4.0          /* px around a number in its cell */

/* The grid's places. */
typedef struct {
  const AttnDrawAblationGrid *grid;
  double x, y; /* of its first cell */
  double cell_width, cell_height;
  double bars; /* px of the means; 0 for none */
  double most; /* what the strongest colour stands for */
  int decimals;
  double size; /* of numbers in all cells; 0 where one of them has no room */
} Place;

static double
get_value (const Making *making, const AttnDrawAblationGrid *grid, size_t layer, size_t head)
{
  return grid->values[layer * making->n_heads + head] - grid->zero;
}

static double
find_most (const Making *making, const AttnDrawAblationGrid *grid)
{
  double most = 0;
  if (grid->values == NULL)
    return 1;
  for (size_t layer = 0; layer < making->n_layers; layer++)
    for (size_t head = 0; head < making->n_heads; head++) {
      const double size = fabs (get_value (making, grid, layer, head));
      if (size > most && isfinite (size))
        most = size;
    }
  return most > 0 ? most : 1;
}

static AttnDrawColor
get_color (const Making *making, const Place *place, double value)
{
  const AttnDrawFigureStyle *style = attn_draw_figure_builder_peek_style (making->builder);
  if (!place->grid->is_signed) {
    const AttnDrawView view = {.palette = style->palette, .color_map = style->color_map};
    const unsigned index = attn_draw_color_index ((float)value, (float)place->most);
    const uint32_t *lut = attn_draw_color_map_peek_lut (style->color_map);
    return attn_draw_color_from_pixel (
        lut[attn_draw_view_reverses_map (&view) ? 255 - index : index]);
  }
  const bool is_dark = style->palette == ATTN_DRAW_PALETTE_SCREEN_DARK;
  const uint32_t *lut =
      attn_draw_diverging_peek_lut (is_dark ? ATTN_DRAW_DIVERGING_DARK : ATTN_DRAW_DIVERGING_LIGHT);
  return attn_draw_color_from_pixel (
      lut[attn_draw_diverging_index ((float)value, (float)place->most)]);
}

/* Returns: the tone that is easier to read on @ground. */
static AttnDrawTone
choose_tone (const Making *making, AttnDrawColor ground)
{
  const AttnDrawFigureStyle *style = attn_draw_figure_builder_peek_style (making->builder);
  const AttnDrawTone tones[] = {ATTN_DRAW_TONE_TEXT, ATTN_DRAW_TONE_BACKGROUND};
  double contrasts[2];
  for (size_t i = 0; i < 2; i++)
    contrasts[i] = attn_draw_values_get_contrast (
        attn_draw_color_to_pixel (attn_draw_tone_get (style, tones[i])),
        attn_draw_color_to_pixel (ground));
  return contrasts[0] >= contrasts[1] ? tones[0] : tones[1];
}

static AttnDrawRect
get_cell (const Place *place, size_t layer, size_t head)
{
  const double left = round (place->x + (double)head * place->cell_width);
  const double top = round (place->y + (double)layer * place->cell_height);
  return (AttnDrawRect){left, top, round (place->cell_width - GAP),
                        round (place->cell_height - GAP)};
}

/* A text in the middle of a cell, @shift of its own heights below the middle; nothing where it has
 * no room. Returns: whether it had. */
static bool
add_in_cell (Making *making,
             AttnDrawRect cell,
             const char *text,
             double shift,
             double size,
             AttnDrawTone tone)
{
  const AttnDrawFigureText item = {
      .text = text, .size = size, .tone = tone, .align = ATTN_DRAW_ALIGN_MIDDLE};
  const AttnDrawTextSize room = attn_draw_figure_measure_text (making->builder, &item);
  if (room.width + PAD > cell.width || room.height * (1 + 2 * fabs (shift)) > cell.height)
    return false;
  attn_draw_figure_add_text (making->builder, &item, cell.x + cell.width / 2,
                             cell.y + cell.height / 2 + (shift - 0.5) * room.height);
  return true;
}

static char *
dup_value (const AttnDrawAblationGrid *grid, double value, int decimals)
{
  char number[ATTN_NUMBER_SIZE];
  return grid->is_signed ? attn_draw_ablation_dup_signed (value, decimals)
                         : g_strdup (attn_number_format_fixed (number, value, decimals));
}

static double
measure_widest (Making *making, const AttnDrawAblationGrid *grid, int decimals, double size)
{
  double widest = 0;
  for (size_t layer = 0; layer < making->n_layers; layer++)
    for (size_t head = 0; head < making->n_heads; head++) {
      g_autofree char *text = dup_value (grid, get_value (making, grid, layer, head), decimals);
      const AttnDrawFigureText item = {.text = text, .size = size};
      widest = fmax (widest, attn_draw_figure_measure_text (making->builder, &item).width);
    }
  return widest;
}

/* Numbers are alike in all cells: a cell without one would read as a head without effect. Small
 * ones have more digits where there is room. */
static void
choose_numbers (Making *making, Place *place)
{
  static const double sizes[] = {ATTN_DRAW_ABLATION_SMALL, 0.75, 0.65};
  const double room = round (place->cell_width - GAP) - PAD - 1; /* cells differ by a pixel */
  if (place->grid->values == NULL)
    return;
  for (place->decimals = place->most < SMALL_EFFECT ? 3 : 2; place->decimals >= 2;
       place->decimals--)
    for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
      if (measure_widest (making, place->grid, place->decimals, sizes[i]) <= room) {
        place->size = sizes[i];
        return;
      }
}

/* Two lines from corner to corner, where there is no room for a word. */
static void
add_cross (Making *making, AttnDrawRect cell, AttnDrawColor color)
{
  const double inset = MIN (cell.width, cell.height) / 4;
  for (int i = 0; i < 2; i++) {
    const double top = i == 0 ? cell.y + inset : cell.y + cell.height - inset;
    const AttnDrawPoint points[] = {
        {cell.x + inset, top},
        {cell.x + cell.width - inset, 2 * cell.y + cell.height - top},
    };
    attn_draw_figure_add_line (making->builder, points, 2, color, 1.5);
  }
}

static void
mark_off (Making *making, const Place *place, AttnDrawRect cell, AttnDrawTone tone)
{
  const AttnDrawFigureStyle *style = attn_draw_figure_builder_peek_style (making->builder);
  const char *off = attn_draw_ablation_say (making->asked, N_ ("off"));
  const bool has_value = place->grid->values != NULL;
  if (!add_in_cell (making, cell, off, has_value ? 0.6 : 0, 0.8, tone))
    add_cross (making, cell, attn_draw_tone_get (style, tone));
  attn_draw_figure_add_frame (making->builder, cell,
                              attn_draw_tone_get (style, ATTN_DRAW_TONE_ACCENT), 2.5);
}

/* The head whose map is shown. */
static void
mark_shown (Making *making, AttnDrawRect cell, AttnDrawTone tone)
{
  const AttnDrawFigureStyle *style = attn_draw_figure_builder_peek_style (making->builder);
  const AttnDrawRect inner = {cell.x + 3, cell.y + 3, cell.width - 6, cell.height - 6};
  attn_draw_figure_add_frame (making->builder, inner, attn_draw_tone_get (style, tone), 1);
}

static void
add_cell (Making *making, const Place *place, size_t layer, size_t head)
{
  const AttnDrawFigureStyle *style = attn_draw_figure_builder_peek_style (making->builder);
  const AttnDrawAblationGrid *grid = place->grid;
  const AttnDrawRect cell = get_cell (place, layer, head);
  const bool is_off = grid->has_switches && attn_draw_ablation_is_off (making->asked, layer, head);
  const double value = grid->values != NULL ? get_value (making, grid, layer, head) : 0;
  const bool is_known = grid->values != NULL && !isnan (value);
  const AttnDrawColor color = is_known ? get_color (making, place, value)
                                       : attn_draw_tone_get (style, ATTN_DRAW_TONE_GROUND);
  const AttnDrawTone tone = choose_tone (making, color);
  attn_draw_figure_add_rule (making->builder, cell, color, grid->id, layer, head);
  if (is_known && place->size > 0) {
    g_autofree char *text = dup_value (grid, value, place->decimals);
    add_in_cell (making, cell, text, is_off ? -0.45 : 0, place->size, tone);
  }
  if (is_off)
    mark_off (making, place, cell, tone);
  if (layer == making->asked->layer && head == making->asked->head)
    mark_shown (making, cell, tone);
}

/* ---- names ---- */

static char *
dup_layer (const Making *making, size_t layer)
{
  g_autofree char *number = g_strdup_printf ("%zu", layer + 1);
  const char *const arguments[] = {number};
  return attn_draw_ablation_fill (making->asked, N_ ("layer %s"), arguments, 1);
}

static double
measure_layers (Making *making)
{
  g_autofree char *name = dup_layer (making, making->n_layers - 1);
  const AttnDrawFigureText item = {.text = name, .size = ATTN_DRAW_ABLATION_SMALL};
  return ceil (attn_draw_figure_measure_text (making->builder, &item).width) +
         LABEL_GAP_EM * making->em;
}

static void
add_layer_names (Making *making, const Place *place)
{
  for (size_t layer = 0; layer < making->n_layers; layer++) {
    g_autofree char *name = dup_layer (making, layer);
    const AttnDrawRect cell = get_cell (place, layer, 0);
    const AttnDrawFigureText item = {
        .text = name,
        .size = ATTN_DRAW_ABLATION_SMALL,
        .tone = ATTN_DRAW_TONE_DIM,
        .align = ATTN_DRAW_ALIGN_END,
        .id = place->grid->has_switches ? ATTN_DRAW_ABLATION_LAYER : 0,
        .row = layer,
    };
    const double height = attn_draw_figure_measure_text (making->builder, &item).height;
    attn_draw_figure_add_text (making->builder, &item, cell.x - LABEL_GAP_EM * making->em,
                               cell.y + (cell.height - height) / 2);
  }
}

/* Returns: the height of heads' numbers below the grid. */
static double
add_head_names (Making *making, const Place *place)
{
  const double top = place->y + (double)making->n_layers * place->cell_height + 0.2 * making->em;
  double height = 0;
  for (size_t head = 0; head < making->n_heads; head++) {
    g_autofree char *name = g_strdup_printf ("%zu", head + 1);
    const AttnDrawRect cell = get_cell (place, 0, head);
    const AttnDrawFigureText item = {
        .text = name,
        .size = ATTN_DRAW_ABLATION_SMALL,
        .tone = ATTN_DRAW_TONE_DIM,
        .align = ATTN_DRAW_ALIGN_MIDDLE,
        .id = place->grid->has_switches ? ATTN_DRAW_ABLATION_COLUMN : 0,
        .column = head,
    };
    height =
        attn_draw_figure_add_text (making->builder, &item, cell.x + cell.width / 2, top).height;
  }
  const AttnDrawFigureText title = {.text = attn_draw_ablation_say (making->asked, N_ ("head")),
                                    .size = ATTN_DRAW_ABLATION_SMALL,
                                    .tone = ATTN_DRAW_TONE_DIM,
                                    .align = ATTN_DRAW_ALIGN_MIDDLE};
  const double middle = place->x + (double)making->n_heads * place->cell_width / 2;
  const double below =
      attn_draw_figure_add_text (making->builder, &title, middle, top + height).height;
  return height + below + 0.2 * making->em;
}

/* ---- the layers' means ---- */

/* Means of a layer's heads as bars from a common 0, with its least and largest head as a line. */
static void
add_layer_bars (Making *making, const Place *place)
{
  const AttnDrawFigureStyle *style = attn_draw_figure_builder_peek_style (making->builder);
  const double left = place->x + (double)making->n_heads * place->cell_width + making->em;
  const double room = place->bars - making->em;
  const double zero = place->grid->is_signed ? left + room / 2 : left;
  const double scale = (place->grid->is_signed ? room / 2 : room) / place->most;
  for (size_t layer = 0; layer < making->n_layers; layer++) {
    const AttnDrawRect cell = get_cell (place, layer, 0);
    double sum = 0, least = INFINITY, most = -INFINITY;
    for (size_t head = 0; head < making->n_heads; head++) {
      const double value = get_value (making, place->grid, layer, head);
      sum += value;
      least = MIN (least, value);
      most = MAX (most, value);
    }
    const double mean = sum / (double)making->n_heads;
    if (!isfinite (mean) || !isfinite (least) || !isfinite (most))
      continue;
    const double end = zero + mean * scale, height = MIN (cell.height * 0.5, 1.1 * making->em);
    const double middle = cell.y + cell.height / 2;
    attn_draw_figure_add_rule (
        making->builder,
        (AttnDrawRect){MIN (zero, end), middle - height / 2, fabs (end - zero), height},
        attn_draw_tone_get (style, !place->grid->is_signed ? ATTN_DRAW_TONE_WEIGHT
                                   : mean >= 0             ? ATTN_DRAW_TONE_MORE
                                                           : ATTN_DRAW_TONE_LESS),
        0, 0, 0);
    attn_draw_figure_add_rule (
        making->builder,
        (AttnDrawRect){zero + least * scale, middle - 0.5, MAX ((most - least) * scale, 1), 1},
        attn_draw_tone_get (style, ATTN_DRAW_TONE_DIM), 0, 0, 0);
  }
  attn_draw_figure_add_rule (
      making->builder,
      (AttnDrawRect){zero - 0.5, place->y, 1, (double)making->n_layers * place->cell_height - GAP},
      attn_draw_tone_get (style, ATTN_DRAW_TONE_RULE), 0, 0, 0);
  const AttnDrawFigureText title = {
      .text = attn_draw_ablation_say (making->asked, N_ ("per layer: mean, least to most")),
      .size = 0.75,
      .tone = ATTN_DRAW_TONE_DIM,
      .max_width = room,
      .wraps = true};
  attn_draw_figure_add_text (making->builder, &title, left,
                             place->y + (double)making->n_layers * place->cell_height +
                                 0.2 * making->em);
}

double
attn_draw_ablation_add_cells (
    Making *making, const AttnDrawAblationGrid *grid, double x, double y, double width)
{
  const double labels = measure_layers (making);
  Place place = {.grid = grid, .x = x + labels, .y = y, .most = find_most (making, grid)};
  place.bars = grid->values != NULL ? BARS_EM * making->em : 0;
  const double cell = floor ((width - labels - place.bars) / (double)making->n_heads);
  place.cell_width = CLAMP (cell, 4, MOST_CELL_EM * making->em);
  place.cell_height =
      floor (CLAMP (place.cell_width, LEAST_HEIGHT_EM * making->em, MOST_HEIGHT_EM * making->em));
  choose_numbers (making, &place);
  for (size_t layer = 0; layer < making->n_layers; layer++)
    for (size_t head = 0; head < making->n_heads; head++)
      add_cell (making, &place, layer, head);
  add_layer_names (making, &place);
  if (place.bars > 0)
    add_layer_bars (making, &place);
  return (double)making->n_layers * place.cell_height + add_head_names (making, &place);
}

/* Returns: (nullable): what the colours of effects stand for. */
static const char *
peek_legend (const AttnAblationNumbers *numbers)
{
  if (numbers->each == NULL)
    return NULL;
  return numbers->clean->task->kind == ATTN_TASK_VECTOR
             ? N_ ("the larger, the more the sentence’s vector turns without the head")
             : N_ ("purple, above 0: without the head the loss grows, so it helps here; green, "
                   "below 0: the loss falls");
}

double
attn_draw_ablation_add_grid (Making *making, double x, double y, double width)
{
  const AttnAblationNumbers *numbers = &making->asked->numbers;
  const AttnDrawAblationGrid grid = {
      .values = numbers->each,
      .zero = numbers->clean->task->loss,
      .is_signed = true,
      .has_switches = true,
      .id = ATTN_DRAW_ABLATION_HEAD,
  };
  const double top = y;
  const char *heading = numbers->each == NULL ? N_ ("Heads: a click switches one off or on")
                        : numbers->clean->task->kind == ATTN_TASK_VECTOR
                            ? N_ ("Remove each head in turn: 1 − cosine")
                            : N_ ("Remove each head in turn: change of the loss");
  y += attn_draw_figure_add_heading (making->builder,
                                     attn_draw_ablation_say (making->asked, heading), x, y, width);
  g_autofree char *title = attn_draw_ablation_dup_title (making->asked);
  y += attn_draw_figure_add_paragraph (making->builder, title, x, y, width,
                                       ATTN_DRAW_ABLATION_SMALL, ATTN_DRAW_TONE_DIM);
  const char *legend = peek_legend (numbers);
  if (legend != NULL)
    y += attn_draw_figure_add_paragraph (making->builder,
                                         attn_draw_ablation_say (making->asked, legend), x, y,
                                         width, ATTN_DRAW_ABLATION_SMALL, ATTN_DRAW_TONE_DIM);
  y += 0.8 * making->em;
  y += attn_draw_ablation_add_cells (making, &grid, x, y, width);
  return y - top;
}
