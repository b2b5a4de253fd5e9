/* SPDX-License-Identifier: MIT */
/* Choosing a bar's numbers on each scale, and writing them. */
#include "ticks.h"

#include "scale.h"

#include "attn/number.h"

#include <math.h>

#define LEAST_PLAIN 1e-6 /* numbers outside these are written with powers of ten */
#define MOST_PLAIN 1e6
#define POWER_TOLERANCE 2e-3 /* of a power's exponent: less than two digits show */

/* The smallest step of 1, 2 or 5 times a power of ten that is at least @least. */
static double
find_step (double least, int *exponent)
{
  *exponent = (int)floor (log10 (least));
  double power = pow (10, *exponent);
  /* a tiny tolerance, or a quotient that is off by its last bit would skip a step */
  if (least <= power * (1 + 1e-9))
    return power;
  if (least <= 2 * power)
    return 2 * power;
  if (least <= 5 * power)
    return 5 * power;
  *exponent += 1;
  return 10 * power;
}

static int
count_decimals (double max, int step_exponent)
{
  if (max < LEAST_PLAIN || max >= MOST_PLAIN)
    return -1;
  int two_digits = 1 - (int)floor (log10 (max));
  return CLAMP (MAX (two_digits, -step_exponent), 0, 9);
}

/* One more for an end that two digits would move by more than 2 %: 1.027 is not "1.0". */
static int
count_end_decimals (double max, int decimals)
{
  if (decimals < 0)
    return decimals;
  double power = pow (10, decimals), rounded = round (max * power) / power;
  return fabs (rounded - max) > 0.02 * max ? MIN (decimals + 1, 9) : decimals;
}

static void
add_tick (AttnDrawTicks *ticks, double value, double max)
{
  if (ticks->n == ATTN_DRAW_MAX_TICKS)
    return;
  ticks->values[ticks->n] = value;
  ticks->places[ticks->n] = attn_draw_scale_place (ticks->scale, value, max);
  ticks->n++;
}

/* @share: of the bar's height that two numbers need */
static void
find_linear (AttnDrawTicks *ticks, double max, double share)
{
  ticks->decimals = count_decimals (max, 0);
  add_tick (ticks, 0, max);
  if (share <= 0.5 && ticks->decimals >= 0) {
    int exponent;
    double step = find_step (MAX (max * share, max / (ATTN_DRAW_MAX_TICKS - 2)), &exponent);
    ticks->decimals = count_decimals (max, exponent);
    for (size_t i = 1; i < ATTN_DRAW_MAX_TICKS - 1; i++)
      if ((double)i * step <= max * (1 - 0.75 * share))
        add_tick (ticks, (double)i * step, max);
  }
  if (share <= 1)
    add_tick (ticks, max, max);
}

/* Powers of ten are left out where they are too near to an end; all of them where every one cannot
 * have its number. */
static void
find_log (AttnDrawTicks *ticks, double max, double share)
{
  double top = log10 (max), bottom = top - ATTN_DRAW_LOG_DECADES;
  double near = 0.75 * share * ATTN_DRAW_LOG_DECADES;

  add_tick (ticks, pow (10, bottom), max);
  for (double power = ceil (bottom + near); power <= top - near && near < 0.75; power++)
    add_tick (ticks, pow (10, power), max);
  if (share <= 1)
    add_tick (ticks, max, max);
}

static void
find_rank (AttnDrawTicks *ticks, double share)
{
  double step = share <= 0.25 ? 0.25 : share <= 0.5 ? 0.5 : 1;

  for (double value = 0; value < 1; value += step)
    add_tick (ticks, value, 1);
  if (share <= 1)
    add_tick (ticks, 1, 1);
}

AttnDrawTicks
attn_draw_ticks_find (AttnDrawScale scale, double max, double height, double spacing)
{
  AttnDrawTicks ticks = {.scale = scale};
  double share = height > 0 ? spacing / height : 2;

  if (scale == ATTN_DRAW_SCALE_LOG)
    find_log (&ticks, max, share);
  else if (scale == ATTN_DRAW_SCALE_RANK)
    find_rank (&ticks, share);
  else
    find_linear (&ticks, max, share);
  return ticks;
}

AttnDrawTicks
attn_draw_ticks_find_signed (double max, double height, double spacing)
{
  AttnDrawTicks above = {.scale = ATTN_DRAW_SCALE_LINEAR};
  AttnDrawTicks ticks = {.scale = ATTN_DRAW_SCALE_LINEAR, .is_signed = true};
  double share = height > 0 ? 2 * spacing / height : 2;

  /* no finer than leaves room for both halves */
  find_linear (&above, max, MAX (share, 2.0 / (ATTN_DRAW_MAX_TICKS - 4)));
  ticks.decimals = above.decimals;
  ticks.n = 2 * above.n - 1;
  for (size_t i = 0; i < above.n; i++) {
    size_t up = above.n - 1 + i, down = above.n - 1 - i;
    ticks.values[up] = above.values[i];
    ticks.values[down] = -above.values[i];
    ticks.places[up] = (1 + above.places[i]) / 2;
    ticks.places[down] = (1 - above.places[i]) / 2;
  }
  return ticks;
}

static char *
format_number (double value, int decimals)
{
  char buffer[ATTN_NUMBER_SIZE];

  if (decimals < 0 && value != 0)
    return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.1e", value));
  return g_strdup (attn_number_format_fixed (buffer, value, MAX (decimals, 0)));
}

/* 0.01 and 1e-07: no digit more than a power of ten has. */
static char *
format_power (double value)
{
  double power = round (log10 (value));

  if (value < LEAST_PLAIN * 0.99 || value >= MOST_PLAIN)
    return g_strdup_printf ("1e%+03d", (int)power);
  return format_number (value, power < 0 ? (int)-power : 0);
}

/* The ends are weights like any; what is below the lower one has its colour, too. */
static char *
format_log (const AttnDrawTicks *ticks, size_t index)
{
  double value = ticks->values[index];

  bool is_first = index == 0, is_last = index + 1 == ticks->n;
  g_autofree char *number = NULL;
  double power = log10 (value);

  if (ticks->is_share)
    number = g_strdup_printf (value < 1 ? "1/%.0f" : "%.0f", 1 / value);
  else if (is_last && !is_first)
    number = attn_draw_ticks_format_max (value);
  else if (fabs (power - round (power)) < POWER_TOLERANCE)
    number = format_power (value);
  else
    number = attn_draw_ticks_format_max (value);
  return g_strconcat (is_first ? "≤ " : "", number, NULL);
}

/* With the signs of mathematics, which are as wide as digits. */
static char *
format_signed (double value, int decimals)
{
  g_autofree char *number = format_number (fabs (value), decimals);

  if (value == 0)
    return g_strdup ("0");
  return g_strconcat (value < 0 ? "−" : "+", number, NULL);
}

char *
attn_draw_ticks_format (const AttnDrawTicks *ticks, size_t index)
{
  bool is_end = index + 1 == ticks->n || (ticks->is_signed && index == 0);
  int decimals =
      is_end ? count_end_decimals (fabs (ticks->values[index]), ticks->decimals) : ticks->decimals;
  if (ticks->is_signed)
    return format_signed (ticks->values[index], decimals);
  switch (ticks->scale) {
  case ATTN_DRAW_SCALE_LOG:
    return format_log (ticks, index);
  case ATTN_DRAW_SCALE_RANK:
    return g_strdup_printf ("%.0f%%", ticks->values[index] * 100);
  case ATTN_DRAW_SCALE_LINEAR:
  default:
    return format_number (ticks->values[index], decimals);
  }
}

char *
attn_draw_ticks_format_max (double max)
{
  return format_number (max, count_end_decimals (max, count_decimals (max, 0)));
}
