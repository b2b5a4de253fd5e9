/* SPDX-License-Identifier: MIT */
/* Values in cells: what is written, where there is room, in colours that can be read. */
#include "cells.h"
#include "draw-fixture.h"
#include "values.h"

#include "attn-draw/paint.h"

#include <math.h>
#include <string.h>

static AttnDrawLayout *
make (size_t n, const float *weights, double width, AttnDrawView *view)
{
  Fixture fixture = {.n_layers = 1, .n_heads = 1, .n_queries = n, .n_keys = n, .weights = weights};
  view->width_px = width;
  return fixture_make_layout (&fixture, view);
}

/* As the exports' digits, rounded; nothing where that leaves 0. */
static void
test_text (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (41);
  static const struct {
    float weight;
    const char *text;
  } cases[] = {{0, ""},          {-0.0f, ""},        {1e-9f, ""}, {0.004f, ""},
               {0.006f, "0.01"}, {0.83f, "0.83"},    {1, "1.00"}, {-0.25f, "-0.25"},
               {-1e-9f, ""},     {12.345f, "12.35"}, {NAN, ""},   {INFINITY, ""}};
  char buffer[ATTN_NUMBER_SIZE], digits[ATTN_NUMBER_SIZE];

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (attn_draw_values_format (buffer, cases[i].weight, 2), ==, cases[i].text);
  for (int trial = 0; trial < 20000; trial++) {
    float weight = (float)pow (g_rand_double (rand), 4);
    double exported =
        g_ascii_strtod (attn_number_format (digits, (double)weight, ATTN_NUMBER_CSV), NULL);
    for (int decimals = 2; decimals <= 4; decimals += 2) {
      g_autofree char *format = g_strdup_printf ("%%.%df", decimals);
      char rounded[G_ASCII_DTOSTR_BUF_SIZE];
      g_ascii_formatd (rounded, sizeof rounded, format, exported);
      attn_draw_values_format (buffer, weight, decimals);
      bool is_zero = strspn (rounded, "0.") == strlen (rounded);
      g_assert_cmpstr (buffer, ==, is_zero ? "" : rounded);
    }
  }
}

/* Every ink on every colour of every map can be read. */
static void
test_contrast (void)
{
  g_assert_cmpfloat (fabs (attn_draw_values_get_contrast (0xff000000, 0xffffffff) - 21), <, 1e-9);
  g_assert_cmpfloat (attn_draw_values_get_contrast (0xff777777, 0xff777777), ==, 1);
  /* a grey that is known to be just too light for AA on white, and the next darker one */
  g_assert_cmpfloat (attn_draw_values_get_contrast (0xff777777, 0xffffffff), <, 4.5);
  g_assert_cmpfloat (attn_draw_values_get_contrast (0xff767676, 0xffffffff), >, 4.5);
  for (AttnDrawColorMap map = 0; map < ATTN_DRAW_N_COLOR_MAPS; map++)
    for (size_t color = 0; color < 256; color++) {
      uint32_t ground = attn_draw_color_map_peek_lut (map)[color];
      uint32_t ink = attn_draw_values_choose_ink (ground);
      g_assert_cmpfloat (attn_draw_values_get_contrast (ground, ink), >=, 4.5);
    }
}

/* Whether any pixel of the cell differs from the colour of its corner. */
static bool
is_written (const AttnDrawLayout *layout, const uint32_t *pixels, size_t query, size_t key)
{
  AttnDrawRect panel = attn_draw_layout_get_panel_rect (layout, 0);
  AttnDrawRect cell = attn_draw_layout_place (layout, 0, query, key);
  size_t stride = (size_t)panel.width;
  size_t left = (size_t)ceil (cell.x - panel.x), top = (size_t)ceil (cell.y - panel.y);
  size_t right = (size_t)floor (cell.x - panel.x + cell.width);
  size_t bottom = (size_t)floor (cell.y - panel.y + cell.height);

  for (size_t y = top + 1; y + 1 < bottom; y++)
    for (size_t x = left + 1; x + 1 < right; x++)
      if (pixels[y * stride + x] != pixels[(top + 1) * stride + left + 1])
        return true;
  return false;
}

static uint32_t *
raster (const AttnDrawLayout *layout)
{
  AttnDrawRect panel = attn_draw_layout_get_panel_rect (layout, 0);
  uint32_t *pixels = g_new (uint32_t, (size_t)panel.width * (size_t)panel.height);
  attn_draw_raster (layout, 0, 1, pixels, (size_t)panel.width);
  return pixels;
}

/* In every cell that does not round to 0, or in none; never touching a neighbour; and none where
 * they are hidden. */
static void
test_where (void)
{
  bool seen[2] = {false, false};

  for (double width = 150; width < 1000; width += 37) {
    g_autoptr (AttnDrawView) view = attn_draw_view_new ();
    g_autoptr (AttnDrawLayout) layout = make (12, NULL, width, view);
    view->hides_values = true;
    g_autoptr (AttnDrawLayout) plain = make (12, NULL, width, view);
    g_assert_null (plain->values);
    AttnDrawRect panel = attn_draw_layout_get_panel_rect (layout, 0);
    AttnDrawRect cell = attn_draw_layout_place (layout, 0, 0, 0);
    g_autofree uint32_t *pixels = raster (layout);
    g_autofree uint32_t *cells = raster (plain);
    bool has_values = layout->values != NULL;
    seen[has_values] = true;
    /* "0.00" in the smallest letters is about 18 px wide, and 4 must stay free */
    g_assert_true (has_values ? cell.width >= 20 : cell.width < 28);
    for (size_t query = 0; query < 12; query++)
      for (size_t key = 0; key < 12; key++) {
        const AttnMap *map = attn_draw_panels_peek (attn_draw_layout_peek_panels (layout), 0);
        double least =
            has_values ? 0.5 * pow (10, -attn_draw_values_get_decimals (layout->values)) : 2;
        bool is_told = (double)map->weights[query * 12 + key] >= least;
        g_assert_cmpint (is_written (layout, pixels, query, key), ==, is_told);
        g_assert_false (is_written (plain, cells, query, key));
      }
    for (size_t y = 0; y < (size_t)panel.height; y++) /* the first column of a cell stays free */
      for (size_t key = 0; key < 12; key++) {
        size_t x = (size_t)ceil ((double)key * cell.width);
        size_t i = y * (size_t)panel.width + x;
        g_assert_cmphex (pixels[i], ==, cells[i]);
      }
  }
  g_assert_true (seen[false] && seen[true]);
}

/* Zeros, NaN and endless weights have none. */
static void
test_without (void)
{
  const float weights[] = {0.5f, 0, NAN, 0.25f, 0.5f, INFINITY, 0, 1, 0.125f};
  static const bool written[] = {true, false, false, true, true, false, false, true, true};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (AttnDrawLayout) layout = make (3, weights, 500, view);
  view->hides_values = true;
  g_autoptr (AttnDrawLayout) plain = make (3, weights, 500, view);
  g_autofree uint32_t *pixels = raster (layout);
  g_autofree uint32_t *cells = raster (plain);
  AttnDrawRect panel = attn_draw_layout_get_panel_rect (layout, 0);

  bool differs[9] = {false};
  for (size_t y = 0; y < (size_t)panel.height; y++)
    for (size_t x = 0; x < (size_t)panel.width; x++) {
      size_t query = 3 * y / (size_t)panel.height, key = 3 * x / (size_t)panel.width;
      size_t i = y * (size_t)panel.width + x;
      differs[query * 3 + key] |= pixels[i] != cells[i];
    }
  for (size_t i = 0; i < 9; i++)
    g_assert_cmpint (differs[i], ==, written[i]);
}

/* Larger cells have more decimals, smaller letters or none have two; a part keeps them still. */
static void
test_decimals (void)
{
  int last = 0;

  for (size_t n = 40; n >= 1; n /= 2) {
    g_autoptr (AttnDrawView) view = attn_draw_view_new ();
    view->crop = (AttnDrawCrop){3, n, 5, n};
    view->max_height_px = 700;
    g_autoptr (AttnDrawLayout) layout = make (64, NULL, 1000, view);
    int decimals = layout->values != NULL ? attn_draw_values_get_decimals (layout->values) : 0;
    g_assert_cmpint (decimals, >=, last);
    last = decimals;
    view->crop.first_key = 20;
    g_autoptr (AttnDrawLayout) moved = make (64, NULL, 1000, view);
    g_assert_cmpint (moved->values != NULL ? attn_draw_values_get_decimals (moved->values) : 0, ==,
                     decimals);
  }
  g_assert_cmpint (last, ==, 4);
}

/* On paper each digit is a glyph; the recording's ink lies inside the panel. */
static void
test_paper (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (AttnDrawLayout) layout = make (6, NULL, 500, view);
  cairo_surface_t *recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *cr = cairo_create (recording);
  AttnDrawRect panel = attn_draw_layout_get_panel_rect (layout, 0);
  double x, y, width, height;

  attn_draw_values_paint (layout, 0, cr);
  cairo_recording_surface_ink_extents (recording, &x, &y, &width, &height);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpfloat (x, >, panel.x);
  g_assert_cmpfloat (y, >, panel.y);
  g_assert_cmpfloat (x + width, <, panel.x + panel.width);
  g_assert_cmpfloat (y + height, <, panel.y + panel.height);
  g_assert_cmpfloat (width, >, 0.8 * panel.width);
  cairo_destroy (cr);
  cairo_surface_destroy (recording);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/values/text", test_text);
  g_test_add_func ("/values/contrast", test_contrast);
  g_test_add_func ("/values/where", test_where);
  g_test_add_func ("/values/without", test_without);
  g_test_add_func ("/values/decimals", test_decimals);
  g_test_add_func ("/values/paper", test_paper);
  return g_test_run ();
}
