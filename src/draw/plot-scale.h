/* SPDX-License-Identifier: MIT */
/* From numbers to places on an axis, and which numbers are written beside it. */
#pragma once

#include "attn-draw/plot.h"

#define ATTN_DRAW_PLOT_MAX_TICKS 32

typedef struct {
  bool is_log;
  double least, most;   /* least < most; > 0 on a logarithmic axis */
  double start, length; /* px of least, and from there to most, which may be < 0 */
  size_t n;             /* ticks */
  double ticks[ATTN_DRAW_PLOT_MAX_TICKS];
  int decimals; /* of all of them; -1: as many as each needs */
} AttnDrawPlotScale;

/* Returns: whether the axis has a place for @value. */
bool attn_draw_plot_scale_has (const AttnDrawPlotScale *scale, double value);

/* Returns: px; within the axis' ends for values within. */
double attn_draw_plot_scale_place (const AttnDrawPlotScale *scale, double value);

/* Ends and ticks of an axis for values from @least to @most (least > most: there are none), with at
 * most @n ticks besides those that the axis brings; start and length are left 0. */
AttnDrawPlotScale
attn_draw_plot_scale_find (const AttnDrawPlotAxis *axis, double least, double most, size_t n);

/* Returns: (transfer full): tick @index as it is written. */
char *attn_draw_plot_scale_format (const AttnDrawPlotScale *scale, size_t index);
