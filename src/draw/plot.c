/* SPDX-License-Identifier: MIT */
/* A chart as a figure: a legend, and plots in as many columns as there is room for. */
#include "plot-scale.h"

#include <math.h>

#define PLOT_HEIGHT 15.0 /* em, all of these */
#define LEAST_WIDTH 19.0 /* of a plot beside another one */
#define GAP 1.6          /* between plots */
#define PAD 0.35         /* between texts and what they stand at */
#define TICK 0.3         /* how far ticks stand out */
#define SWATCH 1.4       /* of a legend's line */
#define POINT 0.42       /* side of a point */
#define LINE_WIDTH 0.16
#define MIN_TICK_GAP 0.7 /* between numbers beside each other */
#define BAND_OPACITY 0.18
#define RING 0.3      /* how far an outline is from its point */
#define MAX_DOTTED 64 /* points of a line that each have a dot */
#define SMALL 0.9     /* size of axes' numbers */

typedef struct {
  AttnDrawFigureBuilder *builder;
  const AttnDrawFigureStyle *style;
  double em;
} Board;

typedef struct {
  const Board *board;
  const AttnDrawPlot *plot;
  AttnDrawRect area; /* between the axes */
  AttnDrawPlotScale x, y;
  unsigned id;
} Sheet;

static AttnDrawColor
get_tone (const Board *board, AttnDrawTone tone)
{
  return attn_draw_tone_get (board->style, tone);
}

static AttnDrawTextSize
add_text (const Board *board,
          const char *text,
          AttnDrawTone tone,
          AttnDrawAlign align,
          double x,
          double y)
{
  return attn_draw_figure_add_text (
      board->builder,
      &(AttnDrawFigureText){.text = text, .size = SMALL, .tone = tone, .align = align}, x, y);
}

static AttnDrawTextSize
measure (const Board *board, const char *text)
{
  return attn_draw_figure_measure_text (board->builder,
                                        &(AttnDrawFigureText){.text = text, .size = SMALL});
}

/* An axis' title, on as many lines as it needs. */
static AttnDrawFigureText
get_title (const char *text, AttnDrawAlign align, double width)
{
  return (AttnDrawFigureText){.text = text,
                              .size = SMALL,
                              .tone = ATTN_DRAW_TONE_DIM,
                              .align = align,
                              .max_width = width,
                              .wraps = true};
}

/* Returns: the height of a wrapped text's lines, and of the gap below. */
static double
add_heading (const Board *board, const char *text, bool is_bold, double x, double y, double width)
{
  if (text == NULL)
    return 0;
  const AttnDrawFigureText heading = {
      .text = text,
      .is_bold = is_bold,
      .tone = is_bold ? ATTN_DRAW_TONE_TEXT : ATTN_DRAW_TONE_DIM,
      .max_width = width,
      .wraps = true,
  };
  return attn_draw_figure_add_text (board->builder, &heading, x, y).height + PAD * board->em;
}

/* ---- axes ---- */

static void
widen (double value, double *least, double *most)
{
  if (!isfinite (value))
    return;
  *least = MIN (*least, value);
  *most = MAX (*most, value);
}

/* Values that a logarithmic axis has no place for do not count. */
static void
find_ends (const AttnDrawPlot *plot, bool is_x, double *least, double *most)
{
  const bool is_log = is_x ? plot->x.is_log : plot->y.is_log;
  *least = INFINITY;
  *most = -INFINITY;
  for (size_t i = 0; i < plot->n_series; i++)
    for (size_t k = 0; k < plot->series[i].n; k++) {
      const AttnDrawPlotPoint *point = &plot->series[i].points[k];
      const double values[] = {is_x ? point->x : point->y, is_x ? point->x : point->low,
                               is_x ? point->x : point->high};
      const size_t n = is_x || !(point->low < point->high) ? 1 : G_N_ELEMENTS (values);
      for (size_t j = 0; j < n; j++)
        if (!is_log || values[j] > 0)
          widen (values[j], least, most);
    }
}

static double
measure_y_numbers (const Board *board, const AttnDrawPlotScale *scale)
{
  double width = 0;
  for (size_t i = 0; i < scale->n; i++) {
    g_autofree char *number = attn_draw_plot_scale_format (scale, i);
    width = MAX (width, measure (board, number).width);
  }
  return width;
}

static void
draw_y_axis (const Sheet *sheet)
{
  const Board *board = sheet->board;
  const AttnDrawRect *area = &sheet->area;
  const AttnDrawColor rule = get_tone (board, ATTN_DRAW_TONE_RULE);
  for (size_t i = 0; i < sheet->y.n; i++) {
    const double y = attn_draw_plot_scale_place (&sheet->y, sheet->y.ticks[i]);
    g_autofree char *number = attn_draw_plot_scale_format (&sheet->y, i);
    attn_draw_figure_add_rule (board->builder, (AttnDrawRect){area->x, y - 0.5, area->width, 1},
                               rule, 0, 0, 0);
    add_text (board, number, ATTN_DRAW_TONE_DIM, ATTN_DRAW_ALIGN_END, area->x - PAD * board->em,
              y - measure (board, number).height / 2);
  }
}

/* Numbers that would touch the one before are left out; their ticks stay. */
static void
draw_x_axis (const Sheet *sheet)
{
  const Board *board = sheet->board;
  const AttnDrawRect *area = &sheet->area;
  const double bottom = area->y + area->height, em = board->em;
  const AttnDrawColor color = get_tone (board, ATTN_DRAW_TONE_DIM);
  double used = -INFINITY;
  attn_draw_figure_add_rule (board->builder, (AttnDrawRect){area->x, bottom - 0.5, area->width, 1},
                             color, 0, 0, 0);
  for (size_t i = 0; i < sheet->x.n; i++) {
    const double x = attn_draw_plot_scale_place (&sheet->x, sheet->x.ticks[i]);
    g_autofree char *number = attn_draw_plot_scale_format (&sheet->x, i);
    const double half = measure (board, number).width / 2;
    attn_draw_figure_add_rule (board->builder, (AttnDrawRect){x - 0.5, bottom, 1, TICK * em}, color,
                               0, 0, 0);
    if (x - half < used + MIN_TICK_GAP * em)
      continue;
    add_text (board, number, ATTN_DRAW_TONE_DIM, ATTN_DRAW_ALIGN_MIDDLE, x, bottom + TICK * em);
    used = x + half;
  }
}

/* ---- lines ---- */

static bool
is_shown (const Sheet *sheet, const AttnDrawPlotPoint *point)
{
  return attn_draw_plot_scale_has (&sheet->x, point->x) &&
         attn_draw_plot_scale_has (&sheet->y, point->y);
}

static AttnDrawPoint
place (const Sheet *sheet, double x, double y)
{
  return (AttnDrawPoint){attn_draw_plot_scale_place (&sheet->x, x),
                         attn_draw_plot_scale_place (&sheet->y, y)};
}

/* A low end that a logarithmic axis has no place for is the axis' own end. */
static double
clip (const Sheet *sheet, double y)
{
  return attn_draw_plot_scale_has (&sheet->y, y) ? y : sheet->y.least;
}

static void
draw_band (const Sheet *sheet, const AttnDrawPlotPoint *points, size_t n, AttnDrawColor color)
{
  g_autofree AttnDrawPoint *outline = g_new (AttnDrawPoint, 2 * n);
  bool has_spread = false;
  for (size_t i = 0; i < n; i++) {
    const bool spreads = points[i].low < points[i].high;
    const double low = spreads ? points[i].low : points[i].y;
    const double high = spreads ? points[i].high : points[i].y;
    has_spread = has_spread || spreads;
    outline[i] = place (sheet, points[i].x, clip (sheet, high));
    outline[2 * n - 1 - i] = place (sheet, points[i].x, clip (sheet, low));
  }
  if (has_spread)
    attn_draw_figure_add_area (sheet->board->builder, outline, 2 * n, color, BAND_OPACITY);
}

static void
draw_dots (const Sheet *sheet, size_t series, size_t first, size_t n, AttnDrawColor color)
{
  const double side = POINT * sheet->board->em;
  for (size_t i = first; i < first + n; i++) {
    const AttnDrawPlotPoint *point = &sheet->plot->series[series].points[i];
    const AttnDrawPoint at = place (sheet, point->x, point->y);
    attn_draw_figure_add_rule (sheet->board->builder,
                               (AttnDrawRect){at.x - side / 2, at.y - side / 2, side, side}, color,
                               sheet->id, i, series);
  }
}

/* Around one point; in the colour of text, or of what was picked. */
static void
draw_ring (const Sheet *sheet, const AttnDrawPlotSeries *series)
{
  const Board *board = sheet->board;
  if (!series->has_ring || series->ring >= series->n ||
      !is_shown (sheet, &series->points[series->ring]))
    return;
  const AttnDrawPlotPoint *point = &series->points[series->ring];
  const AttnDrawPoint at = place (sheet, point->x, point->y);
  const double side = (POINT + 2 * RING) * board->em;
  attn_draw_figure_add_frame (
      board->builder, (AttnDrawRect){at.x - side / 2, at.y - side / 2, side, side},
      get_tone (board, series->is_picked ? ATTN_DRAW_TONE_ACCENT : ATTN_DRAW_TONE_TEXT), 2);
}

/* What is between two gaps of a line. */
static void
draw_run (const Sheet *sheet, size_t series, size_t first, size_t n)
{
  const AttnDrawPlotSeries *all = &sheet->plot->series[series];
  const AttnDrawColor color = attn_draw_tone_get_series (sheet->board->style, all->color);
  g_autofree AttnDrawPoint *line = g_new (AttnDrawPoint, n);
  for (size_t i = 0; i < n; i++)
    line[i] = place (sheet, all->points[first + i].x, all->points[first + i].y);
  if (!all->is_scattered)
    draw_band (sheet, all->points + first, n, color);
  if (n > 1 && !all->is_scattered)
    attn_draw_figure_add_line (sheet->board->builder, line, n, color,
                               LINE_WIDTH * sheet->board->em);
  if (all->n <= MAX_DOTTED || all->is_scattered)
    draw_dots (sheet, series, first, n, color);
}

static void
draw_series (const Sheet *sheet, size_t series)
{
  const AttnDrawPlotSeries *all = &sheet->plot->series[series];
  for (size_t first = 0; first < all->n;) {
    size_t n = 0;
    while (first + n < all->n && is_shown (sheet, &all->points[first + n]))
      n++;
    if (n > 0)
      draw_run (sheet, series, first, n);
    first += n + 1;
  }
  draw_ring (sheet, all);
}

/* ---- a plot ---- */

static void
draw_mark (const Sheet *sheet)
{
  const AttnDrawPlot *plot = sheet->plot;
  if (!plot->has_mark || !attn_draw_plot_scale_has (&sheet->x, plot->mark) ||
      plot->mark < sheet->x.least || plot->mark > sheet->x.most)
    return;
  const double x = attn_draw_plot_scale_place (&sheet->x, plot->mark);
  attn_draw_figure_add_rule (sheet->board->builder,
                             (AttnDrawRect){x - 1, sheet->area.y, 2, sheet->area.height},
                             get_tone (sheet->board, ATTN_DRAW_TONE_ACCENT), 0, 0, 0);
}

/* Leaves room for the numbers, half of one beside each end, and the titles. */
static void
lay_out (Sheet *sheet, AttnDrawRect rect)
{
  const Board *board = sheet->board;
  const AttnDrawPlot *plot = sheet->plot;
  const double em = board->em, line = measure (board, "0").height;
  double least, most;
  find_ends (plot, false, &least, &most);
  sheet->y =
      attn_draw_plot_scale_find (&plot->y, least, most, (size_t)MAX (rect.height / (2 * line), 2));
  const double left = measure_y_numbers (board, &sheet->y) + PAD * em;
  const AttnDrawFigureText y_title = get_title (plot->y.title, ATTN_DRAW_ALIGN_START, rect.width);
  const AttnDrawFigureText x_title = get_title (plot->x.title, ATTN_DRAW_ALIGN_MIDDLE, rect.width);
  const double top = attn_draw_figure_measure_text (board->builder, &y_title).height + 2 * PAD * em;
  const double bottom =
      attn_draw_figure_measure_text (board->builder, &x_title).height + line + (TICK + PAD) * em;
  sheet->area = (AttnDrawRect){rect.x + left, rect.y + top, MAX (rect.width - left - 1.2 * em, 1),
                               MAX (rect.height - top - bottom, 1)};
  find_ends (plot, true, &least, &most);
  sheet->x = attn_draw_plot_scale_find (&plot->x, least, most,
                                        (size_t)MAX (sheet->area.width / (5 * em), 2));
  const double inset = plot->x.ticks != NULL ? 0.6 * em : 0; /* dots stand whole in the area */
  sheet->x.start = sheet->area.x + inset;
  sheet->x.length = sheet->area.width - 2 * inset;
  sheet->y.start = sheet->area.y + sheet->area.height;
  sheet->y.length = -sheet->area.height;
}

/* Names in as many lines as they need. Returns: where what is below begins. */
static double
draw_legend (const Board *board, const AttnDrawPlot *plot, AttnDrawRect room)
{
  const double em = board->em, line = measure (board, "0").height;
  double x = room.x, y = room.y;
  bool has_any = false;
  for (size_t i = 0; i < plot->n_series; i++) {
    const AttnDrawPlotSeries *series = &plot->series[i];
    if (series->name == NULL)
      continue;
    const double needed = (SWATCH + PAD) * em + measure (board, series->name).width;
    if (x > room.x && x + needed > room.x + room.width) {
      x = room.x;
      y += line + PAD * em;
    }
    attn_draw_figure_add_rule (board->builder,
                               (AttnDrawRect){x, y + line / 2 - 1.5, SWATCH * em, 3},
                               attn_draw_tone_get_series (board->style, series->color), 0, 0, 0);
    add_text (board, series->name, ATTN_DRAW_TONE_TEXT, ATTN_DRAW_ALIGN_START,
              x + (SWATCH + PAD) * em, y);
    x += needed + GAP * em;
    has_any = true;
  }
  return has_any ? y + line + 2 * PAD * em : y;
}

static void
draw_plot (const Board *board, const AttnDrawPlot *plot, AttnDrawRect rect, unsigned id)
{
  Sheet sheet = {.board = board, .plot = plot, .id = id};
  const double heading = add_heading (board, plot->title, true, rect.x, rect.y, rect.width);
  const double legend =
      plot->has_legend
          ? draw_legend (board, plot, (AttnDrawRect){rect.x, rect.y + heading, rect.width, 0}) -
                rect.y - heading
          : 0;
  rect.y += heading + legend;
  rect.height -= heading + legend;
  lay_out (&sheet, rect);
  const AttnDrawRect *area = &sheet.area;
  const AttnDrawFigureText y_title = get_title (plot->y.title, ATTN_DRAW_ALIGN_START, rect.width);
  const AttnDrawFigureText x_title = get_title (plot->x.title, ATTN_DRAW_ALIGN_MIDDLE, rect.width);
  attn_draw_figure_add_text (board->builder, &y_title, rect.x, rect.y);
  draw_y_axis (&sheet);
  draw_mark (&sheet);
  draw_x_axis (&sheet);
  attn_draw_figure_add_text (board->builder, &x_title, area->x + area->width / 2,
                             area->y + area->height + TICK * board->em +
                                 measure (board, "0").height);
  for (size_t i = 0; i < plot->n_series; i++)
    draw_series (&sheet, i);
  if (plot->reason != NULL)
    attn_draw_figure_add_text (board->builder,
                               &(AttnDrawFigureText){.text = plot->reason,
                                                     .tone = ATTN_DRAW_TONE_DIM,
                                                     .align = ATTN_DRAW_ALIGN_MIDDLE,
                                                     .max_width = area->width,
                                                     .wraps = true},
                               area->x + area->width / 2, area->y + area->height / 2 - board->em);
}

/* ---- the chart ---- */

/* Plots in rows. Returns: where what is below begins. */
static double
draw_plots (const Board *board, const AttnDrawChart *chart, AttnDrawRect room)
{
  const double em = board->em, gap = GAP * em;
  const double height = (chart->plot_height > 0 ? chart->plot_height : PLOT_HEIGHT) * em;
  const size_t most =
      chart->n_columns > 0 ? MIN (chart->n_columns, chart->n_plots) : chart->n_plots;
  const double fitting = floor ((room.width + gap) / (LEAST_WIDTH * em + gap));
  const size_t n_columns = (size_t)CLAMP (fitting, 1, (double)most);
  const double width = (room.width - gap * (double)(n_columns - 1)) / (double)n_columns;
  for (size_t i = 0; i < chart->n_plots; i++) {
    const double row = (double)(i / n_columns), column = (double)(i % n_columns);
    const AttnDrawRect rect = {room.x + column * (width + gap), room.y + row * (height + gap),
                               width, height};
    draw_plot (board, &chart->plots[i], rect, ATTN_DRAW_PLOT_ID (i));
  }
  const size_t n_rows = (chart->n_plots + n_columns - 1) / n_columns;
  return room.y + (double)n_rows * (height + gap) - gap;
}

AttnDrawFigure *
attn_draw_chart_new (const AttnDrawChart *chart, const AttnDrawFigureStyle *style, double width)
{
  g_return_val_if_fail (chart->n_plots > 0, NULL);
  AttnDrawFigureBuilder *builder = attn_draw_figure_builder_new (style);
  const Board board = {builder, attn_draw_figure_builder_peek_style (builder),
                       attn_draw_figure_builder_get_em (builder)};
  const double margin = chart->margin * board.em;
  AttnDrawRect room = {.x = margin, .y = margin, .width = MAX (width - 2 * margin, board.em)};
  room.y += add_heading (&board, chart->title, true, room.x, room.y, room.width);
  room.y += add_heading (&board, chart->subtitle, false, room.x, room.y, room.width);
  if (!chart->plots[0].has_legend)
    room.y = draw_legend (&board, &chart->plots[0], room);
  return attn_draw_figure_builder_end (builder, width, draw_plots (&board, chart, room) + margin);
}
