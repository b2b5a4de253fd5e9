/* SPDX-License-Identifier: MIT */
/* Pixels on screen are the ones that were written, in either form and at any scale. */
#include "hs-pixels.h"

#define WIDTH 7 /* device px */
#define HEIGHT 5

static uint32_t
color_at (size_t x, size_t y)
{
  return (uint32_t)(0xff000000 | (37 * x + 11 * y) % 256 << 16 | (x * y * 5) % 256 << 8 |
                    (91 * y) % 256);
}

static HsPixels *
make_pixels (void)
{
  HsPixels *pixels = hs_pixels_new (WIDTH, HEIGHT);
  size_t stride = 0;
  uint32_t *data = hs_pixels_get_data (pixels, &stride);
  for (size_t y = 0; y < HEIGHT; y++)
    for (size_t x = 0; x < WIDTH; x++)
      data[y * stride + x] = color_at (x, y);
  return pixels;
}

/* On @surface, whose pixels are @scale to a px. */
static void
draw (HsPixels *pixels,
      const HsScreen *screen,
      double scale,
      float width,
      float height,
      cairo_surface_t *surface)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  hs_pixels_append (pixels, snapshot, screen, &GRAPHENE_RECT_INIT (3, 2, width, height));
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
}

static uint32_t
pixel_at (cairo_surface_t *surface, size_t x, size_t y)
{
  const unsigned char *data = cairo_image_surface_get_data (surface);
  size_t stride = (size_t)cairo_image_surface_get_stride (surface);
  return ((const uint32_t *)(const void *)(data + y * stride))[x];
}

/* Twice, since the first time makes what is kept. */
static void
check_exact (bool takes_textures, int scale)
{
  const HsScreen screen = {.scale_factor = scale, .takes_textures = takes_textures};
  HsPixels *pixels = make_pixels ();
  size_t left = 3 * (size_t)scale, top = 2 * (size_t)scale;
  for (int time = 0; time < 2; time++) {
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 40, 40);
    draw (pixels, &screen, scale, (float)WIDTH / (float)scale, (float)HEIGHT / (float)scale,
          surface);
    for (size_t y = 0; y < 40; y++)
      for (size_t x = 0; x < 40; x++) {
        bool inside = x >= left && x < left + WIDTH && y >= top && y < top + HEIGHT;
        g_assert_cmphex (pixel_at (surface, x, y), ==, inside ? color_at (x - left, y - top) : 0);
      }
    cairo_surface_destroy (surface);
  }
  hs_pixels_unref (pixels);
}

static void
test_exact (void)
{
  for (int scale = 1; scale <= 2; scale++) {
    check_exact (false, scale);
    check_exact (true, scale);
  }
}

/* While new ones are made for another size, the old ones fill it, each of them still in its place.
 */
static void
test_stretched (void)
{
  const HsScreen screen = {.scale_factor = 1};
  HsPixels *pixels = make_pixels ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 40, 40);
  draw (pixels, &screen, 1, 3 * WIDTH, 2 * HEIGHT, surface);
  for (size_t y = 0; y < HEIGHT; y++)
    for (size_t x = 0; x < WIDTH; x++)
      g_assert_cmphex (pixel_at (surface, 3 + 3 * x + 1, 2 + 2 * y), ==, color_at (x, y));
  cairo_surface_destroy (surface);
  hs_pixels_unref (pixels);
}

/* Made and let go on another thread, drawn or not. */
static gpointer
make_on_thread (gpointer data G_GNUC_UNUSED)
{
  HsPixels *pixels = make_pixels ();
  hs_pixels_unref (hs_pixels_ref (pixels));
  return pixels;
}

static void
test_thread (void)
{
  const HsScreen screen = {.scale_factor = 1};
  HsPixels *pixels = g_thread_join (g_thread_new ("pixels", make_on_thread, NULL));
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 40, 40);
  draw (pixels, &screen, 1, WIDTH, HEIGHT, surface);
  g_assert_cmphex (pixel_at (surface, 3, 2), ==, color_at (0, 0));
  cairo_surface_destroy (surface);
  hs_pixels_unref (pixels);
  hs_pixels_unref (make_pixels ());
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pixels/exact", test_exact);
  g_test_add_func ("/pixels/stretched", test_stretched);
  g_test_add_func ("/pixels/thread", test_thread);
  return g_test_run ();
}
