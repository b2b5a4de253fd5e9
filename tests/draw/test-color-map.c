/* SPDX-License-Identifier: MIT */
/* Colour maps: names, monotone lightness, known end points, the rounding rule. */
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/color-map/monotone", test_monotone);
  g_test_add_func ("/color-map/ends", test_ends);
  g_test_add_func ("/color-map/names", test_names);
  g_test_add_func ("/color-map/index", test_index);
  return g_test_run ();
}
