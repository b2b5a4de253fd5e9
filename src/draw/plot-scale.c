/* SPDX-License-Identifier: MIT */
/* From numbers to places on an axis, and which numbers are written beside it. */
#include "plot-scale.h"

#include "plain-text.h"

#include <math.h>

#define MAX_DECIMALS 9

bool
attn_draw_plot_scale_has (const AttnDrawPlotScale *scale, double value)
{
  return isfinite (value) && (!scale->is_log || value > 0);
}

double
attn_draw_plot_scale_place (const AttnDrawPlotScale *scale, double value)
{
  double share = scale->is_log ? log (value / scale->least) / log (scale->most / scale->least)
                               : (value - scale->least) / (scale->most - scale->least);
  return scale->start + share * scale->length;
}

/* Returns: 1, 2 or 5 times a power of ten that is at least @step. */
static double
round_up_step (double step)
{
  static const double rounds[] = {1, 2, 5};
  const double ten = pow (10, floor (log10 (step)));
  for (size_t i = 0; i < G_N_ELEMENTS (rounds); i++)
    if (rounds[i] * ten >= step * (1 - 1e-9))
      return rounds[i] * ten;
  return 10 * ten;
}

static void
add_tick (AttnDrawPlotScale *scale, double value)
{
  if (scale->n < ATTN_DRAW_PLOT_MAX_TICKS)
    scale->ticks[scale->n++] = value;
}

/* Ends are round numbers. */
static void
find_linear (AttnDrawPlotScale *scale, size_t n)
{
  const double step = round_up_step ((scale->most - scale->least) / (double)MAX (n - 1, 1));
  const double first = floor (scale->least / step + 1e-9), last = ceil (scale->most / step - 1e-9);
  scale->least = first * step;
  scale->most = last * step;
  scale->decimals = (int)CLAMP (ceil (-log10 (step) - 1e-9), 0, MAX_DECIMALS);
  for (double i = first; i <= last; i++)
    add_tick (scale, i * step + 0.0);
}

/* Returns: 1, 2 or 5 times a power of ten that is at most @value. */
static double
round_down (double value)
{
  const double up = round_up_step (value);
  if (up <= value * (1 + 1e-9))
    return up;
  const double ten = pow (10, floor (log10 (up) + 1e-9)), digit = round (up / ten);
  return digit == 1 ? up / 2 : digit == 2 ? ten : 2 * ten;
}

/* Powers of ten, and between them 2 and 5 times them where few would be left. Ends are such
 * numbers.
 */
static void
find_logarithmic (AttnDrawPlotScale *scale, size_t n)
{
  static const double all[] = {1, 2, 5};
  scale->least = round_down (scale->least);
  scale->most = round_up_step (scale->most);
  const double first = floor (log10 (scale->least) + 1e-9),
               last = ceil (log10 (scale->most) - 1e-9);
  const double span = log10 (scale->most / scale->least);
  const size_t n_parts = 3 * span <= (double)n ? 3 : 1;
  const double skip = MAX (1, ceil ((last - first + 1) / (double)MAX (n, 1)));
  scale->decimals = -1;
  for (double power = first; power <= last; power += n_parts > 1 ? 1 : skip)
    for (size_t i = 0; i < n_parts; i++) {
      const double tick = all[i] * pow (10, power);
      if (tick >= scale->least * (1 - 1e-9) && tick <= scale->most * (1 + 1e-9))
        add_tick (scale, tick);
    }
}

AttnDrawPlotScale
attn_draw_plot_scale_find (const AttnDrawPlotAxis *axis, double least, double most, size_t n)
{
  AttnDrawPlotScale scale = {.is_log = axis->is_log};
  if (axis->least < axis->most) {
    least = MIN (least, axis->least);
    most = MAX (most, axis->most);
  }
  if (!(least <= most)) { /* nothing to show */
    least = axis->is_log ? 1 : 0;
    most = axis->is_log ? 10 : 1;
  }
  if (axis->is_log) {
    scale.least = least < most ? least : least / 2;
    scale.most = least < most ? most : most * 2;
  } else {
    scale.least = least < most ? least : least - 0.5;
    scale.most = least < most ? most : most + 0.5;
  }
  if (axis->ticks != NULL) {
    scale.decimals = -1;
    for (size_t i = 0; i < axis->n_ticks; i++)
      if (axis->ticks[i] >= scale.least && axis->ticks[i] <= scale.most)
        add_tick (&scale, axis->ticks[i]);
  } else if (axis->is_log) {
    find_logarithmic (&scale, n);
  } else {
    find_linear (&scale, n);
  }
  return scale;
}

char *
attn_draw_plot_scale_format (const AttnDrawPlotScale *scale, size_t index)
{
  const double value = scale->ticks[index];
  int decimals = scale->decimals;
  if (decimals < 0) { /* of 0.02 two, of 20 none, of 2.5 one */
    decimals = (int)CLAMP (-floor (log10 (fabs (value)) + 1e-9), 0, MAX_DECIMALS);
    if (decimals == 0 && value != floor (value))
      decimals = 1;
  }
  return attn_draw_dup_number (value, decimals);
}
