/* SPDX-License-Identifier: MIT */
/* Painting: on pixels the raster's very pixels, on paper paths without seams. */
#include "draw-fixture.h"

#include "attn-draw/paint.h"

#include <math.h>
#include <string.h>

static AttnDrawLayout *
make_layout (AttnDrawKind kind, size_t n, const float *weights, double width, bool causal)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  Fixture fixture = {
      .n_layers = kind == ATTN_DRAW_LAYERS ? 4 : 1,
      .n_heads = kind == ATTN_DRAW_HEATMAP ? 1 : 5,
      .n_queries = n,
      .n_keys = n,
      .weights = weights,
      .labels = fixture_words,
      .n_labels = fixture_n_words,
      .causal = causal,
  };
  view->kind = kind;
  view->width_px = width;
  view->range = ATTN_DRAW_RANGE_FIXED;
  return fixture_make_layout (&fixture, view);
}

static cairo_surface_t *
make_surface (const AttnDrawLayout *layout, double scale)
{
  int width = (int)ceil (attn_draw_layout_get_width (layout) * scale);
  int height = (int)ceil (attn_draw_layout_get_height (layout) * scale);
  return cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
}

static uint32_t
get_pixel (cairo_surface_t *surface, size_t x, size_t y)
{
  cairo_surface_flush (surface);
  size_t stride = (size_t)cairo_image_surface_get_stride (surface);
  uint32_t pixel;
  memcpy (&pixel, cairo_image_surface_get_data (surface) + y * stride + 4 * x, 4);
  return pixel | 0xff000000;
}

/* Every pixel of every panel and of the bar is the raster's. */
static void
assert_raster (const AttnDrawLayout *layout, cairo_surface_t *surface, double scale)
{
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    bool is_bar = item->kind == ATTN_DRAW_ITEM_BAR;
    if (!is_bar && item->kind != ATTN_DRAW_ITEM_PANEL)
      continue;
    size_t width = (size_t)round (item->rect.width * scale);
    size_t height = (size_t)round (item->rect.height * scale);
    size_t left = (size_t)round (item->rect.x * scale), top = (size_t)round (item->rect.y * scale);
    g_autofree uint32_t *pixels = g_new (uint32_t, width * height);
    if (is_bar)
      attn_draw_raster_bar (layout, item, scale, pixels, width);
    else
      attn_draw_raster (layout, item->panel, scale, pixels, width);
    for (size_t y = 0; y < height; y++)
      for (size_t x = 0; x < width; x++)
        g_assert_cmphex (get_pixel (surface, left + x, top + y), ==, pixels[y * width + x]);
  }
}

static void
test_pixels (void)
{
  static const double scales[] = {1, 1.5, 2, 3};
  static const struct {
    AttnDrawKind kind;
    size_t n;
    double width;
  } cases[] = {{ATTN_DRAW_HEATMAP, 16, 500},  {ATTN_DRAW_HEATMAP, 120, 421},
               {ATTN_DRAW_HEATMAP, 400, 333}, {ATTN_DRAW_HEADS, 13, 611},
               {ATTN_DRAW_LAYERS, 13, 611},   {ATTN_DRAW_LAYERS, 90, 280}};

  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    for (size_t s = 0; s < G_N_ELEMENTS (scales); s++) {
      g_autoptr (AttnDrawLayout) layout =
          make_layout (cases[c].kind, cases[c].n, NULL, cases[c].width, c % 2 == 1);
      /* the scale as the surface's own … */
      cairo_surface_t *surface = make_surface (layout, scales[s]);
      cairo_surface_set_device_scale (surface, scales[s], scales[s]);
      cairo_t *cr = cairo_create (surface);
      attn_draw_paint (layout, cr);
      g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
      cairo_destroy (cr);
      assert_raster (layout, surface, scales[s]);
      cairo_surface_destroy (surface);
      /* … and as the context's */
      surface = make_surface (layout, scales[s]);
      cr = cairo_create (surface);
      cairo_scale (cr, scales[s], scales[s]);
      attn_draw_paint (layout, cr);
      cairo_destroy (cr);
      assert_raster (layout, surface, scales[s]);
      cairo_surface_destroy (surface);
    }
}

/* A recording is a vector surface; played onto pixels it shows what a viewer would. */
static cairo_surface_t *
play (const AttnDrawLayout *layout, double scale)
{
  cairo_surface_t *recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR, NULL);
  cairo_t *cr = cairo_create (recording);
  attn_draw_paint (layout, cr);
  cairo_destroy (cr);

  cairo_surface_t *surface = make_surface (layout, scale);
  cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  cairo_set_source_surface (cr, recording, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (recording);
  return surface;
}

/* A pinned row is outlined just outside its cells, on pixels and on paper, and no weight is
 * covered. */
static void
test_marks (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  Fixture fixture = {.n_layers = 1, .n_heads = 1, .n_queries = 9, .n_keys = 9};
  view->hides_values = true; /* cells alone */
  view->width_px = 500;
  view->has_pin = true;
  view->pin_query = 4;
  g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
  AttnDrawRect row = attn_draw_layout_place (layout, 0, 4, G_MAXSIZE);
  const uint32_t accent = 0xffe66100;
  const size_t middle = (size_t)(row.x + row.width / 2);

  for (int on_paper = 0; on_paper < 2; on_paper++) {
    cairo_surface_t *surface = on_paper ? play (layout, 1) : make_surface (layout, 1);
    if (!on_paper) {
      cairo_t *cr = cairo_create (surface);
      attn_draw_paint (layout, cr);
      cairo_destroy (cr);
    }
    size_t top = (size_t)row.y, bottom = (size_t)(row.y + row.height);
    g_assert_cmphex (get_pixel (surface, middle, top - 1), ==, accent);
    g_assert_cmphex (get_pixel (surface, middle, top - 2), ==, accent);
    g_assert_cmphex (get_pixel (surface, middle, bottom), ==, accent);
    g_assert_cmphex (get_pixel (surface, middle, bottom + 1), ==, accent);
    g_assert_cmphex (get_pixel (surface, (size_t)row.x - 1, top + 5), ==, accent);
    g_assert_cmphex (get_pixel (surface, (size_t)(row.x + row.width), top + 5), ==, accent);
    for (size_t y = top; y < bottom; y++)
      g_assert_cmphex (get_pixel (surface, middle, y), ==, get_pixel (surface, middle, top + 5));
    g_assert_cmphex (get_pixel (surface, middle, top), !=, accent);
    cairo_surface_destroy (surface);
  }
}

/* Painting leaves the context as it was and keeps to its place. */
static void
test_moved (void)
{
  g_autoptr (AttnDrawLayout) layout = make_layout (ATTN_DRAW_HEATMAP, 9, NULL, 300, false);
  cairo_surface_t *plain = make_surface (layout, 1);
  cairo_surface_t *large = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 600, 600);
  cairo_t *cr = cairo_create (plain);
  attn_draw_paint (layout, cr);
  cairo_destroy (cr);

  cr = cairo_create (large);
  cairo_set_source_rgb (cr, 1, 0, 0);
  cairo_paint (cr);
  cairo_translate (cr, 50, 70);
  cairo_matrix_t before, after;
  cairo_get_matrix (cr, &before);
  attn_draw_paint (layout, cr);
  cairo_get_matrix (cr, &after);
  g_assert_cmpmem (&before, sizeof before, &after, sizeof after);
  g_assert_false (cairo_has_current_point (cr));
  cairo_destroy (cr);

  size_t width = (size_t)attn_draw_layout_get_width (layout);
  size_t height = (size_t)attn_draw_layout_get_height (layout);
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++)
      g_assert_cmphex (get_pixel (large, 50 + x, 70 + y), ==, get_pixel (plain, x, y));
  g_assert_cmphex (get_pixel (large, 49, 100), ==, 0xffff0000);
  g_assert_cmphex (get_pixel (large, 50 + width, 100), ==, 0xffff0000);
  cairo_surface_destroy (plain);
  cairo_surface_destroy (large);
}

static void
assert_panel (const AttnDrawLayout *layout, size_t panel, cairo_surface_t *surface)
{
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
  size_t width = (size_t)rect.width, height = (size_t)rect.height;
  g_autofree uint32_t *pixels = g_new (uint32_t, width * height);

  attn_draw_raster (layout, panel, 1, pixels, width);
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++)
      g_assert_cmphex (get_pixel (surface, (size_t)rect.x + x, (size_t)rect.y + y), ==,
                       pixels[y * width + x]);
}

/* At whole scales, paths give the raster's pixels, too. */
static void
test_paths_are_exact (void)
{
  static const size_t sizes[] = {1, 2, 7, 16, 40};

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autoptr (AttnDrawLayout) layout = make_layout (ATTN_DRAW_HEATMAP, sizes[s], NULL, 640, false);
    cairo_surface_t *surface = play (layout, 1);
    assert_panel (layout, 0, surface);
    cairo_surface_destroy (surface);
  }
}

/* Of a sheet whose maps are kept as blocks, on paper and on pixels. */
static void
test_pooled_sheet (void)
{
  const size_t n = 300;
  g_autofree float *weights = g_new0 (float, n *n);
  Fixture fixture = {.n_layers = 9, .n_heads = 8, .n_queries = n, .n_keys = n, .weights = weights};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  for (size_t i = 0; i < n * n; i += 97)
    weights[i] = (float)i / (float)(n * n);
  view->kind = ATTN_DRAW_LAYERS;
  view->width_px = 900;
  g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
  cairo_surface_t *pixels = make_surface (layout, 1), *paper = play (layout, 1);
  cairo_t *cr = cairo_create (pixels);

  attn_draw_paint (layout, cr);
  cairo_destroy (cr);
  assert_raster (layout, pixels, 1);
  for (size_t panel = 0; panel < 72; panel += 13)
    assert_panel (layout, panel, paper);
  cairo_surface_destroy (pixels);
  cairo_surface_destroy (paper);
}

static double
get_grey (uint32_t pixel)
{
  return ((pixel >> 16 & 255) + (pixel >> 8 & 255) + (pixel & 255)) / 3.0;
}

/* Dark cells beside dark cells, over one light cell that is the ground: at a scale where cells end
 * within pixels, no light shines through between them. */
static void
test_no_seams (void)
{
  const size_t n = 12;
  float weights[144];
  for (size_t i = 0; i < n * n; i++)
    weights[i] = (i / n + i % n) % 2 == 0 ? 0.9f : 1.0f;
  weights[0] = 0;
  g_autoptr (AttnDrawLayout) layout = make_layout (ATTN_DRAW_HEATMAP, n, weights, 400, false);
  const uint32_t *lut = attn_draw_color_map_peek_lut (ATTN_DRAW_COLOR_MAP_YLGNBU);
  double lightest = get_grey (lut[attn_draw_color_index (0.9f, 1)]);

  for (double scale = 0.61; scale < 3; scale += 0.37) {
    cairo_surface_t *surface = play (layout, scale);
    AttnDrawRect first = attn_draw_layout_place (layout, 0, 1, 1);
    AttnDrawRect last = attn_draw_layout_place (layout, 0, n - 1, n - 1);
    size_t left = (size_t)ceil (first.x * scale), top = (size_t)ceil (first.y * scale);
    /* Cairo's coordinates are rounded to 1/256: the outermost pixels may be touched by the frame */
    size_t right = (size_t)floor ((last.x + last.width) * scale) - 1;
    size_t bottom = (size_t)floor ((last.y + last.height) * scale) - 1;
    for (size_t y = top; y < bottom; y++)
      for (size_t x = left; x < right; x++)
        /* the ground is over 150 levels lighter; where four cells meet within a pixel up to a
         * sixteenth of it may remain */
        g_assert_cmpfloat (get_grey (get_pixel (surface, x, y)), <=, lightest + 10);
    cairo_surface_destroy (surface);
  }
}

static AttnDrawRect
find_bar (const AttnDrawLayout *layout)
{
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++)
    if (attn_draw_layout_peek_item (layout, i)->kind == ATTN_DRAW_ITEM_BAR)
      return attn_draw_layout_peek_item (layout, i)->rect;
  g_error ("there is no bar");
}

/* On the dark palette no map begins with its bright end, and on every palette cells and bar begin
 * and end alike. */
static void
test_ends (void)
{
  const float weights[] = {0, 1, 1, 0};
  Fixture fixture = {1, 1, 2, 2, .weights = weights};
  for (AttnDrawPalette p = ATTN_DRAW_PALETTE_PAPER; p <= ATTN_DRAW_PALETTE_SCREEN_DARK; p++)
    for (unsigned m = 0; m < ATTN_DRAW_N_COLOR_MAPS; m++) {
      const uint32_t *lut = attn_draw_color_map_peek_lut ((AttnDrawColorMap)m);
      g_autoptr (AttnDrawView) view = attn_draw_view_new ();
      view->color_map = (AttnDrawColorMap)m;
      view->palette = p;
      view->hides_values = true;
      g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
      const bool reverses = attn_draw_view_reverses_map (view);
      cairo_surface_t *surface = play (layout, 1);
      AttnDrawRect none = attn_draw_layout_place (layout, 0, 0, 0);
      AttnDrawRect all = attn_draw_layout_place (layout, 0, 0, 1);
      uint32_t least = get_pixel (surface, (size_t)none.x + 3, (size_t)none.y + 3);
      uint32_t most = get_pixel (surface, (size_t)all.x + 3, (size_t)all.y + 3);
      g_assert_cmphex (least, ==, lut[reverses ? 255 : 0]);
      g_assert_cmphex (most, ==, lut[reverses ? 0 : 255]);
      if (p == ATTN_DRAW_PALETTE_SCREEN_DARK)
        g_assert_cmpfloat (get_grey (least), <, get_grey (most));
      AttnDrawRect bar = find_bar (layout);
      size_t x = (size_t)(bar.x + bar.width / 2);
      /* the bar is a gradient, whose outermost pixels are half a pixel within: a few of 255 levels
       */
      uint32_t top = get_pixel (surface, x, (size_t)bar.y);
      uint32_t bottom = get_pixel (surface, x, (size_t)(bar.y + bar.height) - 1);
      g_assert_cmpfloat_with_epsilon (get_grey (top), get_grey (most), 6);
      g_assert_cmpfloat_with_epsilon (get_grey (bottom), get_grey (least), 6);
      cairo_surface_destroy (surface);
    }
}

/* Cells under a px, and maps too varied for paths, are images: every dark cell is still there. */
static void
test_images_on_paper (void)
{
  const size_t n = 500;
  g_autofree float *weights = g_new0 (float, n *n);
  for (size_t i = 1; i < n; i++)
    weights[i * n + i - 1] = 1;
  g_autoptr (AttnDrawLayout) layout = make_layout (ATTN_DRAW_HEATMAP, n, weights, 300, false);
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 0);
  uint32_t dark = attn_draw_color_map_peek_lut (ATTN_DRAW_COLOR_MAP_YLGNBU)[255];
  cairo_surface_t *surface = play (layout, 1);
  for (size_t i = 1; i + 1 < (size_t)rect.width; i++)
    g_assert_cmphex (get_pixel (surface, (size_t)rect.x + i, (size_t)rect.y + i), ==, dark);
  cairo_surface_destroy (surface);

  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  for (size_t i = 0; i < n * n; i++)
    weights[i] = (float)g_rand_double (rand);
  g_autoptr (AttnDrawLayout) noise = make_layout (ATTN_DRAW_HEATMAP, n, weights, 1700, false);
  rect = attn_draw_layout_get_panel_rect (noise, 0);
  size_t width = (size_t)rect.width;
  g_autofree uint32_t *pixels = g_new (uint32_t, width * (size_t)rect.height);
  attn_draw_raster (noise, 0, 1, pixels, width);
  surface = play (noise, 1);
  for (size_t i = 0; i < width; i += 13)
    g_assert_cmphex (get_pixel (surface, (size_t)rect.x + i, (size_t)rect.y + i), ==,
                     pixels[i * width + i]);
  cairo_surface_destroy (surface);
}

static void
test_same_again (void)
{
  g_autoptr (AttnDrawLayout) a = make_layout (ATTN_DRAW_HEADS, 20, NULL, 700, true);
  g_autoptr (AttnDrawLayout) b = make_layout (ATTN_DRAW_HEADS, 20, NULL, 700, true);
  cairo_surface_t *first = make_surface (a, 2), *second = make_surface (b, 2);
  cairo_surface_t *surfaces[] = {first, second};
  const AttnDrawLayout *layouts[] = {a, b};

  for (int i = 0; i < 2; i++) {
    cairo_t *cr = cairo_create (surfaces[i]);
    cairo_scale (cr, 2, 2);
    attn_draw_paint (layouts[i], cr);
    cairo_destroy (cr);
    cairo_surface_flush (surfaces[i]);
  }
  size_t size = (size_t)cairo_image_surface_get_stride (first) *
                (size_t)cairo_image_surface_get_height (first);
  g_assert_cmpmem (cairo_image_surface_get_data (first), size,
                   cairo_image_surface_get_data (second), size);
  cairo_surface_destroy (first);
  cairo_surface_destroy (second);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/pixels", test_pixels);
  g_test_add_func ("/paint/marks", test_marks);
  g_test_add_func ("/paint/moved", test_moved);
  g_test_add_func ("/paint/paths-are-exact", test_paths_are_exact);
  g_test_add_func ("/paint/pooled-sheet", test_pooled_sheet);
  g_test_add_func ("/paint/no-seams", test_no_seams);
  g_test_add_func ("/paint/ends", test_ends);
  g_test_add_func ("/paint/images-on-paper", test_images_on_paper);
  g_test_add_func ("/paint/same-again", test_same_again);
  return g_test_run ();
}
