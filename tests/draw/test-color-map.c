/* SPDX-License-Identifier: MIT */
/* Colour maps: names, monotone lightness, known end points, the rounding rules; that differences
 * can be told apart, and from what was picked, by people who see colours differently. */
#include "palette.h"

#include "attn-draw/color-map.h"

#include <math.h>

static double
linear (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

/* CIE L* of an sRGB colour under D65. */
static double
lightness (uint32_t color)
{
  double y = 0.2126729 * linear ((color >> 16 & 255) / 255.0) +
             0.7151522 * linear ((color >> 8 & 255) / 255.0) +
             0.0721750 * linear ((color & 255) / 255.0);
  return y > 216.0 / 24389.0 ? 116.0 * cbrt (y) - 16.0 : y * 24389.0 / 27.0;
}

static void
test_monotone (void)
{
  for (unsigned m = 0; m < ATTN_DRAW_N_COLOR_MAPS; m++) {
    const uint32_t *lut = attn_draw_color_map_peek_lut ((AttnDrawColorMap)m);
    double sign = lightness (lut[255]) > lightness (lut[0]) ? 1 : -1;
    /* the whole range of lightness is used, so that the map is worth its 256 steps */
    g_assert_cmpfloat (fabs (lightness (lut[255]) - lightness (lut[0])), >, 70.0);
    for (unsigned i = 0; i < 256; i++) {
      g_assert_cmphex (lut[i] >> 24, ==, 0xff);
      if (i > 0)
        g_assert_cmpfloat (sign * (lightness (lut[i]) - lightness (lut[i - 1])), >, 0.0);
    }
  }
}

static void
test_ends (void)
{
  const uint32_t *ylgnbu = attn_draw_color_map_peek_lut (ATTN_DRAW_COLOR_MAP_YLGNBU);
  g_assert_cmphex (ylgnbu[0], ==, 0xffffffd9);
  g_assert_cmphex (ylgnbu[255], ==, 0xff081d58);
  const uint32_t *viridis = attn_draw_color_map_peek_lut (ATTN_DRAW_COLOR_MAP_VIRIDIS);
  g_assert_cmphex (viridis[0], ==, 0xff440154);
  g_assert_cmphex (viridis[255], ==, 0xfffde725);
  const uint32_t *grey = attn_draw_color_map_peek_lut (ATTN_DRAW_COLOR_MAP_GREY);
  g_assert_cmphex (grey[0], ==, 0xffffffff);
  g_assert_cmphex (grey[255], ==, 0xff000000);
}

static void
test_names (void)
{
  for (unsigned m = 0; m < ATTN_DRAW_N_COLOR_MAPS; m++) {
    AttnDrawColorMap found = ATTN_DRAW_N_COLOR_MAPS;
    const char *name = attn_draw_color_map_peek_name ((AttnDrawColorMap)m);
    g_autofree char *upper = g_ascii_strup (name, -1);
    g_assert_true (attn_draw_color_map_find (name, &found));
    g_assert_cmpuint (found, ==, m);
    g_assert_true (attn_draw_color_map_find (upper, &found));
    g_assert_cmpuint (found, ==, m);
  }
  AttnDrawColorMap untouched = ATTN_DRAW_COLOR_MAP_MAGMA;
  g_assert_false (attn_draw_color_map_find ("jet", &untouched));
  g_assert_false (attn_draw_color_map_find ("", &untouched));
  g_assert_cmpuint (untouched, ==, ATTN_DRAW_COLOR_MAP_MAGMA);
}

static void
test_index (void)
{
  g_assert_cmpuint (attn_draw_color_index (0.0f, 1.0f), ==, 0);
  g_assert_cmpuint (attn_draw_color_index (1.0f, 1.0f), ==, 255);
  g_assert_cmpuint (attn_draw_color_index (0.5f, 0.5f), ==, 255);
  g_assert_cmpuint (attn_draw_color_index (0.1f, 0.5f), ==, 51);
  g_assert_cmpuint (attn_draw_color_index (2.0f, 1.0f), ==, 255);
  g_assert_cmpuint (attn_draw_color_index (-1.0f, 1.0f), ==, 0);
  g_assert_cmpuint (attn_draw_color_index (NAN, 1.0f), ==, 0);
  g_assert_cmpuint (attn_draw_color_index (INFINITY, 1.0f), ==, 255);
  g_assert_cmpuint (attn_draw_color_index (-INFINITY, 1.0f), ==, 0);
  /* halves round up */
  g_assert_cmpuint (attn_draw_color_index (0.49f, 255.0f), ==, 0);
  g_assert_cmpuint (attn_draw_color_index (0.5f, 255.0f), ==, 1);
}

/* Both arms get steadily darker, or brighter, and equally so: a difference and its opposite look
 * equally strong. */
static void
test_diverging_lightness (void)
{
  for (unsigned t = 0; t < ATTN_DRAW_N_DIVERGING; t++) {
    const uint32_t *lut = attn_draw_diverging_peek_lut ((AttnDrawDiverging)t);
    double sign = t == ATTN_DRAW_DIVERGING_LIGHT ? -1 : 1;
    uint32_t middle = lut[ATTN_DRAW_DIVERGING_MIDDLE];
    g_assert_cmphex (lut[0], ==, lut[1]);
    g_assert_cmphex (middle >> 8 & 0xff, ==, middle & 0xff);
    g_assert_cmphex (middle >> 16 & 0xff, ==, middle & 0xff);
    for (unsigned i = 1; i < 128; i++) {
      double above = lightness (lut[128 + i]), below = lightness (lut[128 - i]);
      /* colours are rounded to 8 bits a channel: up to 0.4 of lightness in the darkest */
      g_assert_cmpfloat_with_epsilon (above, below, 0.8);
      g_assert_cmpfloat (sign * (above - lightness (lut[128 + i - 1])), >, 0);
      g_assert_cmpfloat (sign * (below - lightness (lut[128 - i + 1])), >, 0);
    }
    g_assert_cmpfloat (fabs (lightness (lut[255]) - lightness (middle)), >, 60);
  }
}

typedef struct {
  double l, a, b;
} Lab;

/* What a colour looks like to people whose cones for red, green or blue are missing: on linear RGB,
 * Machado, Oliveira and Fernandes 2009, table 1, severity 1; the first row is for all others. */
static const double sights[][9] = {
    {1, 0, 0, 0, 1, 0, 0, 0, 1},
    {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
    {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
    {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
};

static double
lab_curve (double t)
{
  return t > 216.0 / 24389.0 ? cbrt (t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
}

static Lab
see (const double rgb[3], const double *sight)
{
  double seen[3];
  for (int i = 0; i < 3; i++) {
    double sum = 0;
    for (int j = 0; j < 3; j++)
      sum += sight[i * 3 + j] * linear (rgb[j]);
    seen[i] = CLAMP (sum, 0, 1);
  }
  double x = 0.4124564 * seen[0] + 0.3575761 * seen[1] + 0.1804375 * seen[2];
  double y = 0.2126729 * seen[0] + 0.7151522 * seen[1] + 0.0721750 * seen[2];
  double z = 0.0193339 * seen[0] + 0.1191920 * seen[1] + 0.9503041 * seen[2];
  double fx = lab_curve (x / 0.95047), fy = lab_curve (y), fz = lab_curve (z / 1.08883);
  return (Lab){116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

static double
distance (const double a[3], const double b[3], const double *sight)
{
  Lab x = see (a, sight), y = see (b, sight);
  return sqrt ((x.l - y.l) * (x.l - y.l) + (x.a - y.a) * (x.a - y.a) + (x.b - y.b) * (x.b - y.b));
}

static void
unpack (uint32_t color, double rgb[3])
{
  for (int i = 0; i < 3; i++)
    rgb[i] = (double)(color >> (16 - 8 * i) & 255) / 255;
}

/* More and less are told apart, and neither is taken for the mark of what was picked. A distance of
 * 20 in CIELAB is eight times what is just noticed. */
static void
test_diverging_sights (void)
{
  static const AttnDrawPalette palettes[] = {ATTN_DRAW_PALETTE_SCREEN,
                                             ATTN_DRAW_PALETTE_SCREEN_DARK};

  for (unsigned t = 0; t < ATTN_DRAW_N_DIVERGING; t++)
    for (size_t s = 0; s < G_N_ELEMENTS (sights); s++) {
      const uint32_t *lut = attn_draw_diverging_peek_lut ((AttnDrawDiverging)t);
      AttnDrawColor accent = attn_draw_palette_peek_ink (palettes[t])->accent;
      const double mark[3] = {accent.red, accent.green, accent.blue};
      for (unsigned i = 0; i < 128; i++) {
        double above[3], below[3];
        unpack (lut[128 + i], above);
        unpack (lut[128 - i], below);
        g_assert_cmpfloat (distance (above, mark, sights[s]), >, 20);
        g_assert_cmpfloat (distance (below, mark, sights[s]), >, 20);
        if (i >= 32) /* a quarter of the range */
          g_assert_cmpfloat (distance (above, below, sights[s]), >, 20);
      }
    }
}

/* Whether the map is what its mark says, by the measure its header states. */
static bool
suits (const uint32_t *lut, const double *sight)
{
  double sign = lightness (lut[255]) > lightness (lut[0]) ? 1 : -1;
  for (unsigned i = 0; i + 8 < 256; i++) {
    double here[3], next[3], eighth[3];
    unpack (lut[i], here);
    unpack (lut[i + 8], next);
    if (sign * (see (next, sight).l - see (here, sight).l) <= 0)
      return false;
    if (i + 32 > 255)
      continue;
    unpack (lut[i + 32], eighth);
    if (distance (here, eighth, sight) < 6)
      return false;
  }
  return true;
}

static void
test_sights (void)
{
  for (unsigned m = 0; m < ATTN_DRAW_N_COLOR_MAPS; m++) {
    bool all = true;
    for (size_t s = 0; s < G_N_ELEMENTS (sights); s++)
      all &= suits (attn_draw_color_map_peek_lut ((AttnDrawColorMap)m), sights[s]);
    g_assert_true (all == attn_draw_color_map_suits_all ((AttnDrawColorMap)m));
    /* and with all cones each of them does */
    g_assert_true (suits (attn_draw_color_map_peek_lut ((AttnDrawColorMap)m), sights[0]));
  }
}

/* WCAG 2.1: 1 … 21. */
static double
contrast (const double a[3], const double b[3])
{
  const double shares[] = {0.2126, 0.7152, 0.0722};
  double one = 0.05, two = 0.05;
  for (int i = 0; i < 3; i++) {
    one += shares[i] * linear (a[i]);
    two += shares[i] * linear (b[i]);
  }
  return MAX (one, two) / MIN (one, two);
}

/* Frames on cells are drawn in the text's colour and in the ground's: on every colour that a cell
 * may have, one of the two is seen. */
static void
test_frames (void)
{
  const uint32_t *luts[ATTN_DRAW_N_COLOR_MAPS + ATTN_DRAW_N_DIVERGING];
  double least = 21;

  for (unsigned m = 0; m < ATTN_DRAW_N_COLOR_MAPS; m++)
    luts[m] = attn_draw_color_map_peek_lut ((AttnDrawColorMap)m);
  for (unsigned t = 0; t < ATTN_DRAW_N_DIVERGING; t++)
    luts[ATTN_DRAW_N_COLOR_MAPS + t] = attn_draw_diverging_peek_lut ((AttnDrawDiverging)t);
  for (AttnDrawPalette palette = ATTN_DRAW_PALETTE_PAPER; palette <= ATTN_DRAW_PALETTE_SCREEN_DARK;
       palette++) {
    const AttnDrawInk *ink = attn_draw_palette_peek_ink (palette);
    const double text[3] = {ink->text.red, ink->text.green, ink->text.blue};
    const double ground[3] = {ink->background.red, ink->background.green, ink->background.blue};
    for (size_t m = 0; m < G_N_ELEMENTS (luts); m++)
      for (unsigned i = 0; i < 256; i++) {
        double cell[3];
        unpack (luts[m][i], cell);
        least = MIN (least, MAX (contrast (cell, text), contrast (cell, ground)));
      }
  }
  g_test_message ("least contrast %.2f", least);
  g_assert_cmpfloat (least, >=, 3);
}

static void
test_diverging_index (void)
{
  g_assert_cmpuint (attn_draw_diverging_index (0.0f, 1.0f), ==, 128);
  g_assert_cmpuint (attn_draw_diverging_index (-0.0f, 1.0f), ==, 128);
  g_assert_cmpuint (attn_draw_diverging_index (1.0f, 1.0f), ==, 255);
  g_assert_cmpuint (attn_draw_diverging_index (-1.0f, 1.0f), ==, 1);
  g_assert_cmpuint (attn_draw_diverging_index (3.0f, 1.0f), ==, 255);
  g_assert_cmpuint (attn_draw_diverging_index (-3.0f, 1.0f), ==, 1);
  g_assert_cmpuint (attn_draw_diverging_index (INFINITY, 1.0f), ==, 255);
  g_assert_cmpuint (attn_draw_diverging_index (-INFINITY, 1.0f), ==, 1);
  g_assert_cmpuint (attn_draw_diverging_index (NAN, 1.0f), ==, 128);
  g_assert_cmpuint (attn_draw_diverging_index (0.49f, 127.0f), ==, 128);
  g_assert_cmpuint (attn_draw_diverging_index (0.5f, 127.0f), ==, 129);
  g_assert_cmpuint (attn_draw_diverging_index (-0.5f, 127.0f), ==, 127);
  for (int i = -300; i <= 300; i++)
    g_assert_cmpuint (attn_draw_diverging_index ((float)i / 200.0f, 1.0f) +
                          attn_draw_diverging_index ((float)-i / 200.0f, 1.0f),
                      ==, 256);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/color-map/monotone", test_monotone);
  g_test_add_func ("/color-map/ends", test_ends);
  g_test_add_func ("/color-map/names", test_names);
  g_test_add_func ("/color-map/index", test_index);
  g_test_add_func ("/color-map/sights", test_sights);
  g_test_add_func ("/color-map/frames", test_frames);
  g_test_add_func ("/color-map/diverging/lightness", test_diverging_lightness);
  g_test_add_func ("/color-map/diverging/sights", test_diverging_sights);
  g_test_add_func ("/color-map/diverging/index", test_diverging_index);
  return g_test_run ();
}
