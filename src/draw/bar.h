/* SPDX-License-Identifier: MIT */
/* The colour bar and its numbers. */
#pragma once

#include "layout-private.h"

#define ATTN_DRAW_BAR_MAX_TICKS 24

typedef struct {
  size_t n;
  double values[ATTN_DRAW_BAR_MAX_TICKS]; /* rising from 0; the last is the range's end */
  int decimals;                           /* of all numbers; negative for powers of ten */
} AttnDrawTicks;

/**
 * attn_draw_bar_find_ticks:
 * @max:    end of the range, > 0
 * @height: px of the bar   @spacing: px two numbers need
 *
 * Round numbers below the range's end, none too near to another.
 */
AttnDrawTicks attn_draw_bar_find_ticks (double max, double height, double spacing);

/* Returns: (transfer full): the end of panel @panel's range as the bar writes it. */
char *attn_draw_bar_format_max (const AttnDrawBuild *build, size_t panel);

/* Returns: px that the bar and its numbers need, whatever the picture's width. */
double attn_draw_bar_measure (AttnDrawBuild *build);

/* Adds the bar with its top left at (x, y). */
void attn_draw_bar_add (AttnDrawBuild *build, double x, double y, double height);
