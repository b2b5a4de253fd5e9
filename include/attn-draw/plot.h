/* SPDX-License-Identifier: MIT */
/* Charts of measured numbers: lines through points, with bands of their spread, over two axes.
 *
 * For: what the lab measures. A chart is a figure (figure.h) of one plot or several beside each
 * other, with one legend for all, and is painted, picked from and written like any other. Every
 * word comes from the caller, translated. */
#pragma once

#include "attn-draw/figure.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* What was measured at x. Where low < high the line has a band. Points that are not finite, or that
 * a logarithmic axis has no place for, interrupt their line. */
typedef struct {
  double x, y, low, high;
} AttnDrawPlotPoint;

typedef struct {
  const char *name;                /* in the legend; NULL: not in it */
  const AttnDrawPlotPoint *points; /* [n], x rising */
  size_t n;
  size_t color;      /* as attn_draw_tone_get_series() counts */
  bool is_scattered; /* points alone, in any order of x, without a line through them */
  bool has_ring;     /* one point has an outline: … */
  size_t ring;       /* … this one … */
  bool is_picked;    /* … since the person picked it */
} AttnDrawPlotSeries;

typedef struct {
  const char *title; /* with its unit */
  bool is_log;
  double least, most; /* ends of the axis, widened to what the points need; both 0: by them alone */
  const double *ticks; /* (nullable): [n_ticks] where numbers stand, instead of round ones */
  size_t n_ticks;
} AttnDrawPlotAxis;

typedef struct {
  const char *title;  /* (nullable) */
  const char *reason; /* (nullable): why there is nothing yet, in its middle */
  AttnDrawPlotAxis x, y;
  const AttnDrawPlotSeries *series; /* [n_series] */
  size_t n_series;
  bool has_mark;
  double mark;     /* on the x axis, what the person picked */
  bool has_legend; /* names of its own series stand below its title */
} AttnDrawPlot;

typedef struct {
  const char *title, *subtitle; /* (nullable) */
  const AttnDrawPlot *plots; /* [n_plots]; the legend is of the first one's series, unless that has
                                one of its own */
  size_t n_plots;
  double plot_height; /* em of each; 0 for 15 */
  double margin;      /* em of empty ground around all */
  size_t n_columns;   /* at most so many beside each other; 0 for all that have room */
} AttnDrawChart;

/* Ids of what is picked: the points of all plots; a hit's row is the point and its column the
 * series, both from 0. */
#define ATTN_DRAW_PLOT_ID(plot) ((unsigned)(plot) + 1)

/**
 * attn_draw_chart_new:
 * @width: px; narrow ones have plots below each other
 *
 * Returns: (transfer full): the figure, for attn_draw_figure_unref().
 * Test: tests/draw/test-plot.c: where points and ticks stand, that nothing overlaps, pixels.
 */
AttnDrawFigure *
attn_draw_chart_new (const AttnDrawChart *chart, const AttnDrawFigureStyle *style, double width);

G_END_DECLS
