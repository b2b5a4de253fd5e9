/* SPDX-License-Identifier: MIT */
/* PNG files of our own: a reader that knows nothing of us finds every pixel. */
#include "png.h"

#include "attn/error.h"

#include <cairo.h>

#include <string.h>

static GByteArray *
write_png (const AttnDrawPixels *pixels, AttnProgressFunc progress, void *data, GError **error)
{
  GByteArray *png = g_byte_array_new ();
  g_autoptr (GByteArray) header = g_byte_array_new ();
  g_byte_array_append (png, (const guint8 *)"\x89PNG\r\n\x1a\n", 8);
  attn_draw_png_append_be32 (header, (guint32)pixels->width);
  attn_draw_png_append_be32 (header, (guint32)pixels->height);
  g_byte_array_append (header, (const guint8 *)"\10\2\0\0\0", 5);
  attn_draw_png_append_chunk (png, "IHDR", header->data, header->len);
  if (!attn_draw_png_append_pixels (png, pixels, progress, data, error)) {
    g_byte_array_unref (png);
    return NULL;
  }
  attn_draw_png_append_chunk (png, "IEND", NULL, 0);
  return png;
}

typedef struct {
  const GByteArray *bytes;
  guint at;
} Reader;

static cairo_status_t
read_cb (void *data, unsigned char *out, unsigned n)
{
  Reader *reader = data;
  if (n > reader->bytes->len - reader->at)
    return CAIRO_STATUS_READ_ERROR;
  memcpy (out, reader->bytes->data + reader->at, n);
  reader->at += n;
  return CAIRO_STATUS_SUCCESS;
}

static void
assert_same_pixels (const GByteArray *png, const AttnDrawPixels *pixels)
{
  Reader reader = {png, 0};
  cairo_surface_t *surface = cairo_image_surface_create_from_png_stream (read_cb, &reader);
  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpuint (reader.at, ==, png->len); /* nothing is left over */
  g_assert_cmpint (cairo_image_surface_get_width (surface), ==, (int)pixels->width);
  g_assert_cmpint (cairo_image_surface_get_height (surface), ==, (int)pixels->height);
  const guint8 *data = cairo_image_surface_get_data (surface);
  for (size_t y = 0; y < pixels->height; y++) {
    const guint32 *wanted = (const guint32 *)(const void *)(pixels->data + y * pixels->stride);
    const guint32 *found =
        (const guint32 *)(const void *)(data +
                                        y * (size_t)cairo_image_surface_get_stride (surface));
    for (size_t x = 0; x < pixels->width; x++)
      g_assert_cmphex (found[x] & 0xffffff, ==, wanted[x] & 0xffffff);
  }
  cairo_surface_destroy (surface);
}

/* Random colours, runs of one colour and rows that repeat; the unused byte may be anything. */
static AttnDrawPixels
make_pixels (GRand *rand, size_t width, size_t height)
{
  size_t stride = width * 4 + 8 * (size_t)g_rand_int_range (rand, 0, 3);
  guint8 *data = g_malloc0 (stride * height);
  for (size_t y = 0; y < height; y++) {
    guint32 *row = (guint32 *)(void *)(data + y * stride);
    if (y > 0 && g_rand_boolean (rand))
      memcpy (row, data + (y - 1) * stride, width * 4);
    else
      for (size_t x = 0; x < width; x++)
        row[x] = x > 0 && g_rand_boolean (rand) ? row[x - 1] : g_rand_int (rand);
  }
  return (AttnDrawPixels){data, width, height, stride};
}

static void
test_pixels (void)
{
  static const size_t sizes[][2] = {{1, 1}, {1, 200}, {200, 1}, {3, 63}, {64, 64}, {777, 130}};
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    AttnDrawPixels pixels = make_pixels (rand, sizes[i][0], sizes[i][1]);
    GError *error = NULL;
    g_autoptr (GByteArray) png = write_png (&pixels, NULL, NULL, &error);
    g_assert_no_error (error);
    assert_same_pixels (png, &pixels);
    g_free ((void *)(gsize)pixels.data);
  }
}

typedef struct {
  int n, stops_at;
  double last;
} Asked;

static bool
ask_cb (double fraction, void *data)
{
  Asked *asked = data;
  g_assert_cmpfloat (fraction, >=, asked->last);
  g_assert_cmpfloat (fraction, <=, 1);
  asked->last = fraction;
  return ++asked->n != asked->stops_at;
}

static void
test_stop (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  AttnDrawPixels pixels = make_pixels (rand, 50, 300);
  GError *error = NULL;
  Asked all = {0, 0, 0};
  g_autoptr (GByteArray) png = write_png (&pixels, ask_cb, &all, &error);
  g_assert_nonnull (png);
  g_assert_cmpint (all.n, >, 4);
  g_assert_cmpfloat (all.last, ==, 1);
  for (int stop = 1; stop <= all.n; stop++) {
    Asked asked = {0, stop, 0};
    g_assert_null (write_png (&pixels, ask_cb, &asked, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
    g_clear_error (&error);
    g_assert_cmpint (asked.n, ==, stop);
  }
  g_free ((void *)(gsize)pixels.data);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/png/pixels", test_pixels);
  g_test_add_func ("/png/stop", test_stop);
  return g_test_run ();
}
