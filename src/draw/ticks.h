/* SPDX-License-Identifier: MIT */
/* The numbers beside a colour bar: which, where, and how they are written. */
#pragma once

#include "attn-draw/view.h"

#include <stdbool.h>
#include <stddef.h>

#define ATTN_DRAW_MAX_TICKS 24

typedef struct {
  AttnDrawScale scale;
  size_t n;
  double values[ATTN_DRAW_MAX_TICKS]; /* rising: weights, or on the scale of ranks shares */
  double places[ATTN_DRAW_MAX_TICKS]; /* on the bar, 0 bottom … 1 top */
  int decimals;                       /* linear scale: of all numbers; negative for powers of ten */
  bool is_signed;                     /* from −max to max; numbers have a sign */
  bool is_share;                      /* logarithmic scale: of the range's end, which is 1 */
} AttnDrawTicks;

/**
 * attn_draw_ticks_find:
 * @max:    end of the range, > 0
 * @height: px of the bar   @spacing: px two numbers need
 *
 * None is too near to another. Linear: round numbers from 0 on, and the range's end as it is.
 * Logarithmic: the weight under which all have the lightest colour, powers of ten, the end. Ranks:
 * quarters or halves from 0 to 1.
 *
 * Test: tests/draw/test-scale.c
 */
AttnDrawTicks attn_draw_ticks_find (AttnDrawScale scale, double max, double height, double spacing);

/* The same for signed weights, from −@max to @max: 0 in the middle, and opposite numbers at the
 * same distance from it. */
AttnDrawTicks attn_draw_ticks_find_signed (double max, double height, double spacing);

/* Returns: (transfer full): tick @index as the bar writes it. */
char *attn_draw_ticks_format (const AttnDrawTicks *ticks, size_t index);

/* Returns: (transfer full): a range's end as the bar writes it. */
char *attn_draw_ticks_format_max (double max);
