/* SPDX-License-Identifier: MIT */
/* The heads' colours: told apart with any colour vision, and seen on their ground. */
#include "head-colors.h"
#include "palette.h"

#include <math.h>

typedef struct {
  double v[3];
} Vector;

/* Simulated sight without red cones, without green ones and without blue ones, on linear RGB.
 * Source: Machado, Oliveira, Fernandes 2009, table 1, severity 1. */
static const double sights[][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

static Vector
multiply (const double matrix[3][3], Vector in)
{
  Vector out;
  for (int row = 0; row < 3; row++)
    out.v[row] = matrix[row][0] * in.v[0] + matrix[row][1] * in.v[1] + matrix[row][2] * in.v[2];
  return out;
}

static Vector
to_linear (AttnDrawColor color)
{
  Vector linear = {{color.red, color.green, color.blue}};
  for (int i = 0; i < 3; i++) {
    double c = linear.v[i];
    linear.v[i] = c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
  }
  return linear;
}

/* OKLab, in which a difference of 0.02 is just seen. Source: Ottosson 2020. */
static Vector
to_lab (Vector linear)
{
  static const double to_cones[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                        {0.2119034982, 0.6806995451, 0.1073969566},
                                        {0.0883024619, 0.2817188376, 0.6299787005}};
  static const double to_opponents[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                            {1.9779984951, -2.4285922050, 0.4505937099},
                                            {0.0259040371, 0.7827717662, -0.8086757660}};
  Vector cones = multiply (to_cones, linear);
  for (int i = 0; i < 3; i++)
    cones.v[i] = cbrt (MAX (cones.v[i], 0));
  return multiply (to_opponents, cones);
}

static Vector
see (AttnDrawColor color, size_t sight)
{
  Vector linear = multiply (sights[sight], to_linear (color));
  for (int i = 0; i < 3; i++)
    linear.v[i] = CLAMP (linear.v[i], 0, 1);
  return to_lab (linear);
}

static double
get_distance (AttnDrawColor a, AttnDrawColor b, size_t sight)
{
  Vector one = see (a, sight), two = see (b, sight);
  return sqrt (pow (one.v[0] - two.v[0], 2) + pow (one.v[1] - two.v[1], 2) +
               pow (one.v[2] - two.v[2], 2));
}

static AttnDrawColor
get_color (AttnDrawPalette palette, size_t head)
{
  return attn_draw_color_from_pixel (attn_draw_head_color (palette, head));
}

/* Of the first @n, for people who see as @sight says. */
static double
find_nearest (AttnDrawPalette palette, size_t n, size_t sight)
{
  double nearest = INFINITY;
  for (size_t head = 0; head < n; head++)
    for (size_t other = 0; other < head; other++)
      nearest = MIN (nearest,
                     get_distance (get_color (palette, head), get_color (palette, other), sight));
  return nearest;
}

/* Three times what is just seen with usual sight, twice without one kind of cones, for as many
 * heads as large models have; much more for the twelve of usual ones. */
static void
test_told_apart (void)
{
  static const struct {
    size_t n;
    double least[4];
  } wanted[] = {{4, {0.15, 0.15, 0.15, 0.15}},
                {12, {0.1, 0.065, 0.06, 0.055}},
                {24, {0.085, 0.05, 0.05, 0.05}}};

  for (AttnDrawPalette p = ATTN_DRAW_PALETTE_PAPER; p <= ATTN_DRAW_PALETTE_SCREEN_DARK; p++)
    for (size_t w = 0; w < G_N_ELEMENTS (wanted); w++)
      for (size_t sight = 0; sight < G_N_ELEMENTS (sights); sight++) {
        double nearest = find_nearest (p, wanted[w].n, sight);
        g_test_message ("palette %d, first %zu, sight %zu: %.3f", p, wanted[w].n, sight, nearest);
        g_assert_cmpfloat (nearest, >=, wanted[w].least[sight]);
      }
}

static double
get_luminance (AttnDrawColor color)
{
  Vector linear = to_linear (color);
  return 0.2126 * linear.v[0] + 0.7152 * linear.v[1] + 0.0722 * linear.v[2];
}

/* On its ground each has the contrast that WCAG wants of graphics, and none may be taken for what
 * was picked. */
static void
test_seen (void)
{
  for (AttnDrawPalette p = ATTN_DRAW_PALETTE_PAPER; p <= ATTN_DRAW_PALETTE_SCREEN_DARK; p++) {
    const AttnDrawInk *ink = attn_draw_palette_peek_ink (p);
    double ground = get_luminance (ink->background) + 0.05;
    for (size_t head = 0; head < ATTN_DRAW_N_HEAD_COLORS; head++) {
      double own = get_luminance (get_color (p, head)) + 0.05;
      g_assert_cmpfloat (MAX (own, ground) / MIN (own, ground), >=, 3);
      g_assert_cmpfloat (get_distance (get_color (p, head), ink->accent, 0), >=, 0.1);
      g_assert_cmpfloat (get_distance (get_color (p, head), ink->accent_text, 0), >=, 0.1);
    }
  }
}

/* What is written on the ground is read, what is marked on it is seen. */
static void
test_palettes (void)
{
  for (AttnDrawPalette p = ATTN_DRAW_PALETTE_PAPER; p <= ATTN_DRAW_PALETTE_SCREEN_DARK; p++) {
    const AttnDrawInk *ink = attn_draw_palette_peek_ink (p);
    const struct {
      AttnDrawColor color;
      double least;
    } pairs[] = {{ink->text, 4.5}, {ink->dim, 4.5}, {ink->accent_text, 4.5}, {ink->accent, 3}};
    double ground = get_luminance (ink->background) + 0.05;
    for (size_t i = 0; i < G_N_ELEMENTS (pairs); i++) {
      double own = get_luminance (pairs[i].color) + 0.05;
      g_assert_cmpfloat (MAX (own, ground) / MIN (own, ground), >=, pairs[i].least);
    }
  }
}

static void
test_repeats (void)
{
  for (size_t head = 0; head < 3 * ATTN_DRAW_N_HEAD_COLORS; head++)
    g_assert_cmphex (
        attn_draw_head_color (ATTN_DRAW_PALETTE_PAPER, head), ==,
        attn_draw_head_color (ATTN_DRAW_PALETTE_PAPER, head % ATTN_DRAW_N_HEAD_COLORS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/head-colors/told-apart", test_told_apart);
  g_test_add_func ("/head-colors/seen", test_seen);
  g_test_add_func ("/head-colors/palettes", test_palettes);
  g_test_add_func ("/head-colors/repeats", test_repeats);
  return g_test_run ();
}
